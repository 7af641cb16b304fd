import { Alert, Button, Code, CopyButton, Group, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { api, client, type Schemas } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useConfirm } from '../../ui/confirm';
import { When } from '../../ui/format';
import { notifyDone, notifyProblem, Problem } from '../../ui/problems';
import { Section } from '../../ui/section';
import { useChange, usePath, type OrgRecord } from './queries';
import { settingsTexts } from './settings.texts';
import { EVENTS, type WebhookEvent } from './webhook-events';
import { WebhookLog } from './webhook-log';

export function WebhooksTab({ record }: { readonly record: OrgRecord }) {
  const say = useTexts(settingsTexts);
  return (
    <>
      <PausedEndpoints />
      <UrlForm record={record} />
      <Secret />
      <Section title={say('deliveries')} lead={say('deliveriesLead')}>
        <WebhookLog />
      </Section>
    </>
  );
}

/** Receivers that failed for so long that nothing is sent to them. */
function PausedEndpoints() {
  const say = useTexts(settingsTexts);
  const params = usePath();
  const save = useChange();
  const query = api.useQuery('get', '/api/orgs/{oid}/event-webhook-endpoints', { params });
  const failing = (query.data?.items ?? []).filter(({ url, paused, failingSince }) => url && (paused || failingSince));
  const resume = (event: WebhookEvent): Promise<boolean> =>
    save(
      () =>
        client.POST('/api/orgs/{oid}/event-webhook-endpoints/{event}/resume', {
          params: { path: { ...params.path, event } },
        }),
      say('resumed'),
    );
  return (
    <>
      {query.error && <Problem error={query.error} />}
      {failing.map(({ event, paused, failingSince }) => (
        <Alert
          key={event}
          color={paused ? 'red' : 'yellow'}
          variant="light"
          mb="sm"
          title={`${say(`event_${event}`)}: ${say(paused ? 'paused' : 'failing')}`}
        >
          <Group justify="space-between">
            <Text size="sm">
              {say('failingSince')} <When at={failingSince} />
            </Text>
            {paused && (
              <Button size="xs" variant="default" onClick={() => void resume(event)}>
                {say('resume')}
              </Button>
            )}
          </Group>
        </Alert>
      ))}
    </>
  );
}

function UrlForm({ record }: { readonly record: OrgRecord }) {
  const say = useTexts(settingsTexts);
  const params = usePath();
  const change = useChange();
  const [one, setOne] = useState('');
  const stored = Object.fromEntries(EVENTS.map((event) => [event, record.webhookUrls?.[event] ?? '']));
  const form = useForm({ initialValues: stored as Record<WebhookEvent, string> });
  const save = form.onSubmit(async (values) => {
    const body = Object.fromEntries(EVENTS.map((event) => [event, values[event].trim() || null]));
    const isSaved = await change(() =>
      client.POST('/api/orgs/{oid}/event-webhook-urls', { params, body: body as Schemas['OrgWebhookUrls'] }),
    );
    if (isSaved) form.resetDirty();
  });
  const fillAll = (): void => form.setValues(Object.fromEntries(EVENTS.map((event) => [event, one.trim()])));
  return (
    <Section title={say('webhooks')} lead={say('webhooksLead')}>
      <Group align="flex-end" gap="xs">
        <TextInput
          type="url"
          label={say('oneUrl')}
          placeholder="https://"
          value={one}
          onChange={(event) => setOne(event.currentTarget.value)}
          w={{ base: '100%', sm: 360 }}
        />
        <Button variant="default" disabled={one.trim() === ''} onClick={fillAll}>
          {say('useForAll')}
        </Button>
      </Group>
      <form onSubmit={save}>
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="sm" mt="xs">
          {EVENTS.map((event) => (
            <Group key={event} align="flex-end" gap="xs" wrap="nowrap">
              <TextInput
                type="url"
                flex={1}
                label={say(`event_${event}`)}
                placeholder={say('notSent')}
                {...form.getInputProps(event)}
              />
              {stored[event] !== '' && stored[event] === form.values[event] && <TestButton event={event} />}
            </Group>
          ))}
        </SimpleGrid>
        <Group mt="md">
          <Button type="submit" disabled={!form.isDirty()}>
            {say('saveUrls')}
          </Button>
        </Group>
      </form>
    </Section>
  );
}

/** Sends an example of an event to its stored address, and tells how that answered. */
function TestButton({ event }: { readonly event: WebhookEvent }) {
  const say = useTexts(settingsTexts);
  const params = usePath();
  const [isBusy, setBusy] = useState(false);
  const test = async (): Promise<void> => {
    setBusy(true);
    try {
      const { data } = await client.POST('/api/orgs/{oid}/event-webhook-endpoints/{event}/test', {
        params: { path: { ...params.path, event } },
      });
      if (!data) return;
      const { success, status, latencyMs, answer } = data;
      if (success) notifyDone(say('testTaken', { status: status ?? 0, ms: latencyMs }));
      else notifyProblem(say(status ? 'testRefused' : 'testFailed', { status: status ?? 0, answer }));
    } catch (error) {
      notifyProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      variant="default"
      loading={isBusy}
      aria-label={`${say('test')}: ${say(`event_${event}`)}`}
      onClick={() => void test()}
    >
      {say('test')}
    </Button>
  );
}

/** The secret is read only when somebody asks to see it. */
function Secret() {
  const say = useTexts(settingsTexts);
  const params = usePath();
  const save = useChange();
  const ask = useConfirm();
  const [secret, setSecret] = useState<string | null>(null);
  const [until, setUntil] = useState<string | null>(null);
  const show = async (): Promise<void> => {
    try {
      const { data } = await client.GET('/api/orgs/{oid}/event-webhook-secret', { params });
      setSecret(data?.secret ?? null);
    } catch (error) {
      notifyProblem(error);
    }
  };
  const rotate = async (): Promise<void> => {
    if (!(await ask({ title: say('rotate'), text: say('rotateText'), action: say('rotate') }))) return;
    await save(async () => {
      const { data } = await client.POST('/api/orgs/{oid}/event-webhook-secret/rotate', { params });
      setSecret(data?.secret ?? null);
      setUntil(data?.previousValidUntil ?? null);
    }, say('rotated'));
  };
  return (
    <Section title={say('secret')} lead={say('secretLead')}>
      <Group gap="xs">
        {secret ? (
          <>
            <Code fz="sm" style={{ overflowWrap: 'anywhere' }}>
              {secret}
            </Code>
            <CopyButton value={secret}>
              {({ copied, copy }) => (
                <Button size="xs" variant="default" onClick={copy}>
                  {say(copied ? 'copied' : 'copy')}
                </Button>
              )}
            </CopyButton>
            <Button size="xs" variant="default" onClick={() => setSecret(null)}>
              {say('hideSecret')}
            </Button>
          </>
        ) : (
          <Button size="xs" variant="default" onClick={() => void show()}>
            {say('showSecret')}
          </Button>
        )}
        <Button size="xs" variant="default" onClick={() => void rotate()}>
          {say('rotate')}
        </Button>
      </Group>
      {until && (
        <Text size="sm">
          {say('oldSecretUntil')} <When at={until} />
        </Text>
      )}
    </Section>
  );
}
