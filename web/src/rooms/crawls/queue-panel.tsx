import { ActionIcon, Button, Group, Stack, Text, Tooltip } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconBan, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { api } from '../../api/client';
import { EVERY } from '../../api/query-client';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { Loading, notifyProblem } from '../../ui/problems';
import { isPaused } from '../../ui/state-badge';
import { crawlsTexts } from './crawls.texts';
import classes from './crawls.module.css';
import { escapeRegex, isValidRegex, patternOf, type Wish } from './exclusion';
import { ExclusionForm } from './exclusion-form';
import { ExclusionList } from './exclusion-list';
import { Panel } from './panel';
import type { Crawl, Workflow } from './queries';
import { saveQueue } from './save-queue';

const STEP = 50;
const MOST = 1000;
const TYPING_MS = 300;

interface QueuePanelProps {
  readonly crawl: Crawl;
  readonly workflow: Workflow;
}

/** What is still to be crawled, and what shall not be. */
export function QueuePanel({ crawl, workflow }: QueuePanelProps) {
  const say = useTexts(crawlsTexts);
  const { oid } = useOrg();
  const [wish, setWish] = useState<Wish>({ kind: 'text', text: '' });
  const [count, setCount] = useState(STEP);
  const pattern = patternOf(wish);
  const [typed] = useDebouncedValue(pattern, TYPING_MS);
  const regex = isValidRegex(typed) ? typed : '';
  const queue = api.useQuery(
    'get',
    '/api/orgs/{oid}/crawls/{crawl_id}/queue',
    { params: { path: { oid, crawl_id: crawl.id }, query: { offset: 0, count, regex } } },
    { refetchInterval: EVERY.often, placeholderData: (before) => before },
  );
  const { total: read = 0, results = [], matched = [] } = queue.data ?? {};
  // While a crawl is paused no crawler tells its queue; its size is known.
  const isResting = isPaused(crawl.state) && results.length === 0;
  const total = isResting ? Math.max(0, (crawl.stats?.found ?? 0) - (crawl.stats?.done ?? 0)) : read;
  const save = async (): Promise<void> => {
    try {
      await saveQueue(oid, crawl.id);
    } catch (error) {
      notifyProblem(error);
    }
  };
  return (
    <Panel
      title={say('queue')}
      aside={
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {say('queueCount', { total })}
          </Text>
          <Tooltip label={say('queueSave')}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={say('queueSave')}
              disabled={results.length === 0}
              onClick={() => void save()}
            >
              <IconDownload size={18} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </Group>
      }
    >
      <Stack gap="sm">
        <ExclusionForm crawl={crawl} wish={wish} onWish={setWish} />
        <ExclusionList crawl={crawl} workflow={workflow} />
        {queue.isPending ? (
          <Loading />
        ) : isResting ? null : results.length === 0 ? (
          <Text size="sm" c="dimmed">
            {say('queueEmpty')}
          </Text>
        ) : (
          <QueueRows
            urls={results}
            matched={regex ? matched : []}
            onExclude={(url) => setWish({ kind: 'regex', text: `^${escapeRegex(url)}$` })}
          />
        )}
        {!isResting && results.length < total && count < MOST && (
          <Button variant="subtle" size="compact-sm" onClick={() => setCount(count + STEP)}>
            {say('queueMore')}
          </Button>
        )}
      </Stack>
    </Panel>
  );
}

interface RowsProps {
  readonly urls: readonly string[];
  readonly matched: readonly string[];
  readonly onExclude: (url: string) => void;
}
function QueueRows({ urls, matched, onExclude }: RowsProps) {
  const say = useTexts(crawlsTexts);
  const found = new Set(matched);
  return (
    <ol className={classes.rows}>
      {urls.map((url, i) => (
        <li key={`${String(i)} ${url}`} className={classes.row}>
          <Text
            size="sm"
            c={found.has(url) ? 'red' : undefined}
            className={found.has(url) ? `${classes.cut ?? ''} ${classes.matched ?? ''}` : classes.cut}
            dir="ltr"
            title={url}
            flex={1}
          >
            {url}
          </Text>
          <Tooltip label={say('excludeThis', { url })} openDelay={600}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={say('excludeThis', { url })}
              onClick={() => onExclude(url)}
            >
              <IconBan size={14} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </li>
      ))}
    </ol>
  );
}
