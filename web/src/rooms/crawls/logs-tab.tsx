import {
  ActionIcon,
  Group,
  MultiSelect,
  SegmentedControl,
  Select,
  Stack,
  Switch,
  TextInput,
  Tooltip,
} from '@mantine/core';
import { IconDownload, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { api, withToken } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { Empty, Loading, Problem } from '../../ui/problems';
import { isActive } from '../../ui/state-badge';
import { crawlsTexts } from './crawls.texts';
import { LogLines } from './log-lines';
import { MOST_LINES, useLog, useLogCount, type LogKind } from './log-queries';
import { useCrawl, type Workflow } from './queries';
import type { ChangeSearch, WorkflowSearch } from './workflow-search';

interface LogsTabProps {
  readonly workflow: Workflow;
  readonly search: WorkflowSearch;
  readonly change: ChangeSearch;
}

/** Errors and behaviors of a crawl: filtered as one types, followed while it runs. */
export function LogsTab({ workflow, search, change }: LogsTabProps) {
  const say = useTexts(crawlsTexts);
  const { oid } = useOrg();
  const crawlId = search.crawl ?? workflow.lastCrawlId ?? '';
  const { data: crawl } = useCrawl(crawlId);
  const isOn = isActive(crawl?.state);
  const kind: LogKind = search.log ?? 'errors';
  const [isFollowing, setFollowing] = useState(true);
  const [levels, setLevels] = useState<string[]>([]);
  const [contexts, setContexts] = useState<string[]>([]);
  const log = useLog(crawlId, kind, isOn);
  const errors = useLogCount(crawlId, 'errors', isOn);
  const behaviors = useLogCount(crawlId, 'behaviors', isOn);
  if (!crawlId) return <Empty title={say('never')} />;
  const all = log.data?.items ?? [];
  const total = log.data?.total ?? 0;
  const find = search.find?.toLowerCase() ?? '';
  const lines = all.filter(
    (line) =>
      (levels.length === 0 || levels.includes(line.logLevel)) &&
      (contexts.length === 0 || contexts.includes(line.context)) &&
      (find === '' || `${line.message} ${JSON.stringify(line.details ?? '')}`.toLowerCase().includes(find)),
  );
  const choices = (of: 'logLevel' | 'context'): string[] => [...new Set(all.map((line) => line[of]))].sort();
  return (
    <Stack gap="sm">
      <Group gap="sm" align="flex-end">
        <CrawlChoice workflow={workflow} crawlId={crawlId} change={change} />
        <SegmentedControl
          aria-label={say('logKind')}
          value={kind}
          data={[
            { value: 'errors', label: say('logErrors', { count: errors }) },
            { value: 'behaviors', label: say('logBehaviors', { count: behaviors }) },
          ]}
          onChange={(value) => change({ log: value === 'behaviors' ? 'behaviors' : undefined })}
        />
        <TextInput
          label={say('logFind')}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={search.find ?? ''}
          onChange={(event) => change({ find: event.currentTarget.value || undefined })}
          flex="1 1 180px"
        />
        <Filter label={say('logLevel')} data={choices('logLevel')} value={levels} onChange={setLevels} />
        <Filter label={say('logContext')} data={choices('context')} value={contexts} onChange={setContexts} />
        {isOn && (
          <Switch
            mb={8}
            label={say('logFollow')}
            checked={isFollowing}
            onChange={(event) => setFollowing(event.currentTarget.checked)}
          />
        )}
        <Tooltip label={say('logDownload')}>
          <ActionIcon
            component="a"
            href={withToken(`/api/orgs/${oid}/crawls/${crawlId}/logs`)}
            download
            variant="default"
            size={36}
            aria-label={say('logDownload')}
          >
            <IconDownload size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Group>
      {log.error ? (
        <Problem error={log.error} retry={() => void log.refetch()} />
      ) : log.isPending ? (
        <Loading />
      ) : (
        <LogLines
          lines={lines}
          none={total > 0 ? say('logNoMatch') : say(kind === 'errors' ? 'logNoneErrors' : 'logNone')}
          note={total > MOST_LINES ? say('logOlder', { count: all.length, total }) : undefined}
          isFollowing={isOn && isFollowing}
          onScrolledAway={() => setFollowing(false)}
        />
      )}
    </Stack>
  );
}

interface FilterProps {
  readonly label: string;
  readonly data: string[];
  readonly value: string[];
  readonly onChange: (value: string[]) => void;
}
const Filter = ({ label, data, value, onChange }: FilterProps) =>
  data.length < 2 && value.length === 0 ? null : (
    <MultiSelect label={label} data={data} value={value} onChange={onChange} clearable miw={160} />
  );

interface ChoiceProps {
  readonly workflow: Workflow;
  readonly crawlId: string;
  readonly change: ChangeSearch;
}
/** Which crawl's logs are shown; failed ones have no archived item, but logs. */
function CrawlChoice({ workflow, crawlId, change }: ChoiceProps) {
  const say = useTexts(crawlsTexts);
  const intl = useIntl();
  const { oid } = useOrg();
  const { data } = api.useQuery('get', '/api/orgs/{oid}/crawls', {
    params: { path: { oid }, query: { cid: workflow.id, sortBy: 'started', sortDirection: -1, pageSize: 100 } },
  });
  if (!data || data.items.length < 2) return null;
  return (
    <Select
      label={say('logOf')}
      allowDeselect={false}
      value={crawlId}
      data={data.items.map(({ id, started }) => ({
        value: id,
        label: intl.formatDate(started, { dateStyle: 'medium', timeStyle: 'short' }),
      }))}
      onChange={(value) => change({ crawl: value === workflow.lastCrawlId || !value ? undefined : value })}
      w={210}
    />
  );
}
