import { Alert, Anchor, Button, Group, Paper, Radio, Stack, TextInput } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { describeCode } from '../../api/codes.texts';
import { client, type Schemas } from '../../api/client';
import { queryClient } from '../../api/query-client';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { Page } from '../../ui/page';
import { Problem } from '../../ui/problems';
import { addressOf } from './address';
import { homeTexts } from './home.texts';

const SCOPES = ['page', 'prefix', 'host'] as const;
type Scope = (typeof SCOPES)[number];

/** A first crawl ends within minutes; workflows set limits of their own. */
const FIRST_LIMIT = 100;

/** Asks for one address and crawls it. */
export function FirstCrawl() {
  const say = useTexts(homeTexts);
  const { slug } = useOrg();
  const [address, setAddress] = useState('');
  const [scope, setScope] = useState<Scope>('prefix');
  const { isBusy, wrong, error, refused, crawl } = useFirstCrawl();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void crawl(address, scope);
  };
  const url = addressOf(address);
  return (
    <Stack maw={640} mx="auto" pt={{ base: 'xs', sm: 'xl' }}>
      <Page title={say('startTitle')} lead={say('startText')}>
        <Paper withBorder p="lg">
          <form onSubmit={submit} noValidate>
            <Stack gap="md">
              <TextInput
                label={say('address')}
                description={say('addressHint')}
                size="md"
                inputMode="url"
                autoComplete="url"
                autoCapitalize="none"
                autoFocus
                required
                value={address}
                onChange={(event) => setAddress(event.currentTarget.value)}
                error={wrong && !url ? say('addressWrong') : undefined}
              />
              <Radio.Group label={say('howFar')} value={scope} onChange={(value) => setScope(value as Scope)}>
                <Stack gap="xs" mt="xs">
                  {SCOPES.map((one) => (
                    <Radio
                      key={one}
                      value={one}
                      label={say(`scope_${one}`)}
                      description={say(`scopeText_${one}`, { limit: FIRST_LIMIT })}
                    />
                  ))}
                </Stack>
              </Radio.Group>
              {error != null && <Problem error={error} />}
              {refused && <Refused {...refused} />}
              <Group>
                <Button type="submit" size="md" loading={isBusy} leftSection={<IconPlayerPlay size={18} aria-hidden />}>
                  {say('crawl')}
                </Button>
              </Group>
            </Stack>
          </form>
        </Paper>
        <Group gap="lg">
          <Anchor component={Link} to={`/o/${slug}/workflows/new`} search={(url ? { url } : {}) as never} size="sm">
            {say('allOptions')}
          </Anchor>
          <Anchor component={Link} to={`/o/${slug}/uploads`} size="sm">
            {say('orUpload')}
          </Anchor>
        </Group>
      </Page>
    </Stack>
  );
}

interface Refusal {
  readonly workflow: string;
  readonly code: string;
}

/** The workflow is there, but a quota keeps it from running (web-client §6.2). */
function Refused({ workflow, code }: Refusal) {
  const say = useTexts(homeTexts);
  const { slug } = useOrg();
  return (
    <Alert color="yellow" variant="light" role="alert">
      <Stack gap="xs" align="flex-start">
        {say('notStarted', { why: describeCode(code) ?? code })}
        <Anchor component={Link} to={`/o/${slug}/workflows/${workflow}`} size="sm">
          {say('openWorkflow')}
        </Anchor>
      </Stack>
    </Alert>
  );
}

function useFirstCrawl() {
  const { oid, slug } = useOrg();
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  const [wrong, setWrong] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [refused, setRefused] = useState<Refusal | null>(null);
  const crawl = async (typed: string, scope: Scope): Promise<void> => {
    const url = addressOf(typed);
    setWrong(!url);
    if (!url) return;
    setBusy(true);
    setError(null);
    setRefused(null);
    try {
      const body = workflowOf(url, scope);
      const { data } = await client.POST('/api/orgs/{oid}/crawlconfigs/', { params: { path: { oid } }, body });
      if (!data) return;
      const code = refusalOf(data);
      if (code) return setRefused({ workflow: data.id, code });
      await navigate({ to: `/o/${slug}/workflows/${data.id}` });
      await queryClient.invalidateQueries();
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, wrong, error, refused, crawl };
}

const workflowOf = (url: string, scope: Scope): Schemas['CrawlConfigIn'] => ({
  name: '',
  runNow: true,
  config: { seeds: [{ url, scopeType: scope }], scopeType: scope, limit: scope === 'page' ? null : FIRST_LIMIT },
});

function refusalOf(answer: Schemas['CrawlConfigAddedResponse']): string | null {
  if (answer.run_now_job) return null;
  if (answer.storageQuotaReached) return 'storage_quota_reached';
  if (answer.execMinutesQuotaReached) return 'exec_minutes_quota_reached';
  return answer.errorDetail ?? null;
}
