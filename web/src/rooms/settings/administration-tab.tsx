import { Button, Group, List, MultiSelect, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconDownload } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, client, withToken } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useConfirm } from '../../ui/confirm';
import { useBytes } from '../../ui/format';
import { notifyDone, notifyProblem } from '../../ui/problems';
import { Section } from '../../ui/section';
import { useChange, usePath, type OrgRecord } from './queries';
import { settingsTexts } from './settings.texts';

/** What only administrators of the service may change of an org. */
export function AdministrationTab({ record }: { readonly record: OrgRecord }) {
  const say = useTexts(settingsTexts);
  const { path } = usePath();
  return (
    <>
      <ReadOnlyForm record={record} />
      <AccessForm record={record} />
      <NoteForm record={record} />
      <Section title={say('export')} lead={say('exportLead')} isNarrow>
        <Group>
          <Button
            component="a"
            href={withToken(`/api/orgs/${path.oid}/export/json`)}
            download={`${record.slug}.json`}
            variant="default"
            leftSection={<IconDownload size={18} aria-hidden />}
          >
            {say('exportOrg')}
          </Button>
        </Group>
      </Section>
      <Deletion record={record} />
    </>
  );
}

function ReadOnlyForm({ record }: { readonly record: OrgRecord }) {
  const say = useTexts(settingsTexts);
  const params = usePath();
  const change = useChange();
  const form = useForm({
    initialValues: { readOnly: record.readOnly ?? false, readOnlyReason: record.readOnlyReason ?? '' },
  });
  const save = form.onSubmit(async (body) => {
    if (await change(() => client.POST('/api/orgs/{oid}/read-only', { params, body }))) form.resetDirty();
  });
  return (
    <Section title={say('readOnly')} lead={say('readOnlyLead')} isNarrow>
      <form onSubmit={save}>
        <Switch label={say('readOnlyOn')} {...form.getInputProps('readOnly', { type: 'checkbox' })} />
        {form.values.readOnly && (
          <TextInput mt="sm" label={say('readOnlyReason')} dir="auto" {...form.getInputProps('readOnlyReason')} />
        )}
        <Group mt="md">
          <Button type="submit" disabled={!form.isDirty()}>
            {say('saveReadOnly')}
          </Button>
        </Group>
      </form>
    </Section>
  );
}

function AccessForm({ record }: { readonly record: OrgRecord }) {
  const say = useTexts(settingsTexts);
  const params = usePath();
  const change = useChange();
  const proxies = api.useQuery('get', '/api/orgs/all/crawlconfigs/crawler-proxies', {}, { staleTime: 60_000 });
  const form = useForm({
    initialValues: {
      allowSharedProxies: record.allowSharedProxies ?? false,
      allowedProxies: record.allowedProxies ?? [],
      dedupeEnabled: record.featureFlags?.dedupeEnabled ?? false,
    },
  });
  const save = form.onSubmit(async ({ dedupeEnabled, ...body }) => {
    const isSaved = await change(async () => {
      if (form.isDirty('allowSharedProxies') || form.isDirty('allowedProxies'))
        await client.POST('/api/orgs/{oid}/proxies', { params, body });
      if (form.isDirty('dedupeEnabled'))
        await client.POST('/api/orgs/{oid}/feature-flags', { params, body: { dedupeEnabled } });
    });
    if (isSaved) form.resetDirty();
  });
  const servers = (proxies.data?.servers ?? []).map(({ id, label }) => ({ value: id, label: label || id }));
  return (
    <Section title={say('features')} isNarrow>
      <form onSubmit={save}>
        <Switch label={say('dedupe')} {...form.getInputProps('dedupeEnabled', { type: 'checkbox' })} />
        <Switch
          mt="sm"
          label={say('sharedProxies')}
          {...form.getInputProps('allowSharedProxies', { type: 'checkbox' })}
        />
        <MultiSelect
          mt="sm"
          label={say('proxies')}
          placeholder={servers.length === 0 ? say('noProxies') : undefined}
          data={servers}
          {...form.getInputProps('allowedProxies')}
        />
        <Group mt="md">
          <Button type="submit" disabled={!form.isDirty()}>
            {say('saveFeatures')}
          </Button>
        </Group>
      </form>
    </Section>
  );
}

function NoteForm({ record }: { readonly record: OrgRecord }) {
  const say = useTexts(settingsTexts);
  const params = usePath();
  const change = useChange();
  const form = useForm({ initialValues: { note: record.note ?? '' } });
  const save = form.onSubmit(async ({ note }) => {
    const body = { note: note || null };
    if (await change(() => client.PATCH('/api/orgs/{oid}/note', { params, body }))) form.resetDirty();
  });
  return (
    <Section title={say('note')} isNarrow>
      <form onSubmit={save}>
        <Textarea label={say('noteLabel')} autosize minRows={2} dir="auto" {...form.getInputProps('note')} />
        <Group mt="md">
          <Button type="submit" disabled={!form.isDirty()}>
            {say('saveNote')}
          </Button>
        </Group>
      </form>
    </Section>
  );
}

function Deletion({ record }: { readonly record: OrgRecord }) {
  const say = useTexts(settingsTexts);
  const params = usePath();
  const ask = useConfirm();
  const bytes = useBytes();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const { data: metrics } = api.useQuery('get', '/api/orgs/{oid}/metrics', { params });
  const what = (
    <>
      {say('deleteWhat')}
      <List size="sm" my="xs">
        <List.Item>
          {say('goItems', { count: metrics?.archivedItemCount ?? 0, size: bytes(record.bytesStored) })}
        </List.Item>
        <List.Item>{say('goPages', { count: metrics?.pageCount ?? 0 })}</List.Item>
        <List.Item>{say('goCollections', { count: metrics?.collectionsCount ?? 0 })}</List.Item>
        <List.Item>{say('goProfiles', { count: metrics?.profileCount ?? 0 })}</List.Item>
        <List.Item>{say('goWorkflows')}</List.Item>
        <List.Item>{say('goMembers', { count: Object.keys(record.users ?? {}).length })}</List.Item>
        <List.Item>{say('goAccounts')}</List.Item>
      </List>
    </>
  );
  const remove = async (): Promise<void> => {
    const text = (
      <>
        {what}
        {say('deleteForever')}
      </>
    );
    const question = { title: say('deleteOrg'), text, action: say('deleteOrg'), isDestructive: true };
    if (!(await ask({ ...question, typed: record.name }))) return;
    try {
      await client.DELETE('/api/orgs/{oid}', { params });
    } catch (error) {
      notifyProblem(error);
      return;
    }
    notifyDone(say('deleteStarted', { name: record.name }));
    await navigate({ to: '/admin' });
    await cache.invalidateQueries({ queryKey: ['get', '/api/users/me'] });
  };
  return (
    <Section title={say('deleteOrg')} isNarrow>
      <Text size="sm" component="div">
        {what}
      </Text>
      <Group>
        <Button color="red" variant="light" onClick={() => void remove()}>
          {say('deleteOrg')}
        </Button>
      </Group>
    </Section>
  );
}
