import { Badge, Button, Code, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { api, withToken, type Schemas } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { DataList, type Column } from '../../ui/data-list';
import { When } from '../../ui/format';
import { Empty } from '../../ui/problems';
import { itemsTexts } from './items.texts';
import type { ItemRecord } from './queries';
import { itemSearch, LOGS, useAddress } from './searches';

type Line = Schemas['CrawlLogLine'];

const PAGE_SIZE = 50;
const ORDER = { sortBy: 'timestamp', dir: -1 } as const;
const COLORS: Readonly<Record<string, string>> = { fatal: 'red', error: 'red', warn: 'yellow' };

/** What the crawler wrote: errors, and what behaviors did. */
export function LogsTab({ item }: { readonly item: ItemRecord }) {
  const say = useTexts(itemsTexts);
  const { oid } = useOrg();
  const [search, change] = useAddress(itemSearch);
  const log = search.log ?? 'errors';
  const params = {
    path: { oid, crawl_id: item.id },
    query: {
      page: search.page ?? 1,
      pageSize: PAGE_SIZE,
      sortBy: search.sortBy ?? ORDER.sortBy,
      sortDirection: search.dir ?? ORDER.dir,
    },
  };
  const errors = api.useQuery(
    'get',
    '/api/orgs/{oid}/crawls/{crawl_id}/errors',
    { params },
    { enabled: log === 'errors' },
  );
  const behaviors = api.useQuery(
    'get',
    '/api/orgs/{oid}/crawls/{crawl_id}/behaviorLogs',
    { params },
    { enabled: log === 'behaviors' },
  );
  const columns: readonly Column<Line>[] = [
    {
      id: 'time',
      title: say('time'),
      sortBy: 'timestamp',
      cell: (line) => <When at={line.timestamp} />,
      csv: (line) => line.timestamp,
    },
    {
      id: 'level',
      title: say('level'),
      sortBy: 'logLevel',
      cell: (line) => (
        <Badge variant="light" color={COLORS[line.logLevel] ?? 'gray'} tt="none" fw={500}>
          {line.logLevel}
        </Badge>
      ),
      csv: (line) => line.logLevel,
    },
    {
      id: 'context',
      title: say('context'),
      sortBy: 'context',
      from: 'md',
      cell: (line) => line.context,
      csv: (line) => line.context,
    },
    {
      id: 'message',
      title: say('message'),
      cell: (line) => <Message line={line} />,
      csv: (line) => `${line.message} ${JSON.stringify(line.details ?? {})}`,
    },
  ];
  return (
    <DataList
      label={say(log)}
      columns={columns}
      query={log === 'errors' ? errors : behaviors}
      idOf={(line) => line.id}
      nameOf={(line) => line.message}
      pageSize={PAGE_SIZE}
      search={search}
      onSearch={change}
      order={ORDER}
      filters={
        <Group justify="space-between">
          <SegmentedControl
            transitionDuration={0}
            aria-label={say('logs')}
            data={LOGS.map((value) => ({ value, label: say(value) }))}
            value={log}
            onChange={(value) => change({ log: value === 'errors' ? undefined : 'behaviors' })}
          />
          <Button
            component="a"
            href={withToken(`/api/orgs/${oid}/crawls/${encodeURIComponent(item.id)}/logs`)}
            size="xs"
            variant="default"
            leftSection={<IconDownload size={14} aria-hidden />}
          >
            {say('downloadLogs')}
          </Button>
        </Group>
      }
      empty={<Empty title={say('noLogs')}>{say('noLogsText')}</Empty>}
    />
  );
}

function Message({ line }: { readonly line: Line }) {
  const details = Object.entries(line.details ?? {});
  return (
    <Stack gap={2}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {line.message}
      </Text>
      <Group gap="2 md" align="baseline">
        {details.map(([key, value]) => (
          <Text key={key} size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {key}: <Code>{typeof value === 'string' ? value : JSON.stringify(value)}</Code>
          </Text>
        ))}
      </Group>
    </Stack>
  );
}
