import { ActionIcon, Anchor, Button, Group, Select, Text, Tooltip } from '@mantine/core';
import { IconListDetails, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { api, client } from '../../api/client';
import { paced } from '../../api/live';
import { useTexts, type Say } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { useConfirm } from '../../ui/confirm';
import { DataList, type Column } from '../../ui/data-list';
import { Bytes, Count, duration, When } from '../../ui/format';
import { Empty, notifyDone, notifyProblem } from '../../ui/problems';
import { isActive, StateBadge } from '../../ui/state-badge';
import { crawlsTexts } from './crawls.texts';
import { useReadAgain, type Crawl, type Workflow } from './queries';
import { isKept, STATE_GROUPS, type StateGroup } from './states';
import type { ChangeSearch, WorkflowSearch } from './workflow-search';

const PAGE_SIZE = 20;
const ORDER = { sortBy: 'started', dir: -1 } as const;
const GROUPS = ['active', 'good', 'bad'] as const;
type Word = keyof typeof crawlsTexts.english;

interface HistoryTabProps {
  readonly workflow: Workflow;
  readonly search: WorkflowSearch;
  readonly change: ChangeSearch;
}

/** All crawls of the workflow, each with its way to the archived item. */
export function HistoryTab({ workflow, search, change }: HistoryTabProps) {
  const say = useTexts(crawlsTexts);
  const { oid, canCrawl } = useOrg();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const groups = GROUPS.filter((group) => search.state?.includes(group));
  const states = groups.flatMap((group): readonly string[] => STATE_GROUPS[group]);
  const query = api.useQuery(
    'get',
    '/api/orgs/{oid}/crawls',
    {
      params: {
        path: { oid },
        query: {
          cid: workflow.id,
          page: search.page ?? 1,
          pageSize: PAGE_SIZE,
          sortBy: search.sortBy ?? ORDER.sortBy,
          sortDirection: search.dir ?? ORDER.dir,
          ...(states.length > 0 ? { state: [...states] } : {}),
        },
      },
    },
    {
      placeholderData: (before) => before,
      refetchInterval: isActive(workflow.lastCrawlState) ? paced.often : false,
    },
  );
  const remove = useDelete(() => setChosen(new Set()));
  const columns = useColumns(say, (id) => void remove([id]));
  return (
    <DataList<Crawl>
      label={say('history')}
      columns={columns}
      query={query}
      idOf={({ id }) => id}
      nameOf={({ started }) => started}
      pageSize={PAGE_SIZE}
      search={search}
      onSearch={change}
      order={ORDER}
      isFiltered={states.length > 0}
      onClearFilters={() => change({ state: undefined, page: undefined })}
      filters={
        <Select
          label={say('state')}
          placeholder={say('showAll')}
          clearable
          w={{ base: '100%', xs: 240 }}
          value={groups[0] ?? null}
          data={GROUPS.map((value) => ({ value, label: say(`group_${value}`) }))}
          onChange={(value) => change({ state: value ? [value as StateGroup] : undefined, page: undefined })}
        />
      }
      {...(canCrawl
        ? {
            selection: {
              ids: chosen,
              change: setChosen,
              actions: (
                <Button size="compact-sm" color="red" variant="light" onClick={() => void remove([...chosen])}>
                  {say('deleteSome', { count: chosen.size })}
                </Button>
              ),
            },
          }
        : {})}
      empty={<Empty title={say('historyNone')}>{say('historyNoneText')}</Empty>}
    />
  );
}

function useDelete(onDone: () => void): (ids: readonly string[]) => Promise<void> {
  const say = useTexts(crawlsTexts);
  const { oid } = useOrg();
  const ask = useConfirm();
  const readAgain = useReadAgain();
  return async (ids) => {
    const count = ids.length;
    const question = { title: say('deleteTitle', { count }), text: say('deleteText'), action: say('delete') };
    if (!(await ask({ ...question, isDestructive: true }))) return;
    try {
      await client.POST('/api/orgs/{oid}/crawls/delete', {
        params: { path: { oid } },
        body: { crawl_ids: [...ids] },
      });
      notifyDone(say('deletedCount', { count }));
      onDone();
    } catch (error) {
      notifyProblem(error);
    } finally {
      await readAgain();
    }
  };
}

function useColumns(say: Say<Word>, onDelete: (id: string) => void): readonly Column<Crawl>[] {
  const { slug, canCrawl } = useOrg();
  const intl = useIntl();
  const starter = (crawl: Crawl): string => (crawl.manual ? (crawl.userName ?? '') : say('schedule'));
  return [
    {
      id: 'started',
      title: say('startedAt'),
      sortBy: 'started',
      cell: (crawl) => {
        const when = intl.formatDate(crawl.started, { dateStyle: 'medium', timeStyle: 'short' });
        const to = isKept(crawl.state) ? `/o/${slug}/items/${crawl.id}` : `/o/${slug}/workflows/${crawl.cid ?? ''}`;
        return isKept(crawl.state) || isActive(crawl.state) ? (
          <Anchor component={Link} to={to} size="sm">
            {when}
          </Anchor>
        ) : (
          when
        );
      },
      csv: ({ started }) => started,
    },
    {
      id: 'state',
      title: say('state'),
      cell: ({ state }) => <StateBadge state={state} />,
      csv: ({ state }) => state,
    },
    {
      id: 'finished',
      title: say('finishedAt'),
      sortBy: 'finished',
      from: 'md',
      cell: ({ finished }) => (finished ? <When at={finished} /> : '–'),
      csv: ({ finished }) => finished,
    },
    {
      id: 'took',
      title: say('duration'),
      from: 'sm',
      align: 'end',
      cell: (crawl) => duration(secondsOf(crawl)),
      csv: (crawl) => secondsOf(crawl),
    },
    {
      id: 'pages',
      title: say('pages'),
      sortBy: 'pageCount',
      align: 'end',
      cell: (crawl) => <Count value={isActive(crawl.state) ? crawl.stats?.done : crawl.pageCount} />,
      csv: ({ pageCount }) => pageCount,
    },
    {
      id: 'errors',
      title: say('errorPages'),
      from: 'lg',
      align: 'end',
      cell: ({ errorPageCount }) => <Count value={errorPageCount ?? 0} />,
      csv: ({ errorPageCount }) => errorPageCount,
    },
    {
      id: 'size',
      title: say('size'),
      sortBy: 'fileSize',
      from: 'sm',
      align: 'end',
      cell: (crawl) => <Bytes value={isActive(crawl.state) ? crawl.stats?.size : crawl.fileSize} />,
      csv: ({ fileSize }) => fileSize,
    },
    {
      id: 'by',
      title: say('by'),
      from: 'lg',
      cell: (crawl) => (
        <Text size="sm" dir="auto">
          {starter(crawl)}
        </Text>
      ),
      csv: starter,
    },
    {
      id: 'actions',
      title: say('actions'),
      align: 'end',
      cell: (crawl) => <RowActions crawl={crawl} slug={slug} onDelete={canCrawl ? () => onDelete(crawl.id) : null} />,
    },
  ];
}

const secondsOf = ({ started, finished }: Crawl): number | null =>
  finished ? Math.round((new Date(finished).getTime() - new Date(started).getTime()) / 1000) : null;

interface RowActionsProps {
  readonly crawl: Crawl;
  readonly slug: string;
  readonly onDelete: (() => void) | null;
}
function RowActions({ crawl, slug, onDelete }: RowActionsProps) {
  const say = useTexts(crawlsTexts);
  const intl = useIntl();
  const when = intl.formatDate(crawl.started, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      <Tooltip label={say('logsOf', { when })}>
        <ActionIcon
          component={Link}
          to={`/o/${slug}/workflows/${crawl.cid ?? ''}?tab=logs&crawl=${crawl.id}`}
          variant="subtle"
          color="gray"
          aria-label={say('logsOf', { when })}
        >
          <IconListDetails size={18} aria-hidden />
        </ActionIcon>
      </Tooltip>
      {onDelete && (
        <Tooltip label={say('deleteOne')}>
          <ActionIcon variant="subtle" color="red" aria-label={`${say('deleteOne')}: ${when}`} onClick={onDelete}>
            <IconTrash size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
    </Group>
  );
}
