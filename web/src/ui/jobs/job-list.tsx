import { ActionIcon, Button, Group, SegmentedControl, Tooltip, UnstyledButton } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { useTexts } from '../../i18n/texts';
import { useConfirm } from '../confirm';
import { DataList, type Column } from '../data-list';
import { duration, When } from '../format';
import type { ListSearch } from '../list-search';
import { Empty, notifyDone, notifyProblem } from '../problems';
import { JobDetail } from './job-detail';
import { JobState, type Job } from './job-state';
import { jobsTexts } from './jobs.texts';

export interface JobSearch extends ListSearch {
  readonly success?: boolean | undefined;
}

interface JobListProps {
  readonly query: {
    readonly data?: { readonly items: readonly Job[]; readonly total: number } | undefined;
    readonly error: unknown;
    readonly isPending: boolean;
    readonly refetch: () => unknown;
  };
  readonly pageSize: number;
  readonly search: JobSearch;
  readonly onSearch: (change: JobSearch) => void;
  readonly read: (job: Job) => Promise<Job>;
  readonly retry: (job: Job) => Promise<unknown>;
  readonly retryFailed: () => Promise<unknown>;
  /** The org of a job, where jobs of several are listed. */
  readonly orgOf?: (job: Job) => ReactNode;
}

/** The words for what a job does; a kind without them is named as the API does. */
export function useJobName(): (job: Job) => string {
  const say = useTexts(jobsTexts);
  return ({ type }) => {
    const key = `type_${type}`;
    return key in jobsTexts.english ? say(key as 'type_delete-org') : String(type).replace(/-/g, ' ');
  };
}

const tookSeconds = (job: Job): number | null =>
  job.finished ? (new Date(job.finished).getTime() - new Date(job.started).getTime()) / 1000 : null;

/** Background jobs with their state, log and another try of what failed. */
export function JobList(props: JobListProps) {
  const { query, pageSize, search, onSearch, read, retry, retryFailed, orgOf } = props;
  const say = useTexts(jobsTexts);
  const nameOf = useJobName();
  const ask = useConfirm();
  const [opened, setOpened] = useState<Job | null>(null);
  const act = (action: () => Promise<unknown>, done: string): Promise<void> =>
    action().then(() => {
      notifyDone(done);
      void query.refetch();
    }, notifyProblem);
  const askRetryFailed = async (): Promise<void> => {
    const question = { title: say('retryFailed'), text: say('retryFailedText'), action: say('retryFailed') };
    if (await ask(question)) await act(retryFailed, say('retriedAll'));
  };
  const columns: readonly Column<Job>[] = [
    {
      id: 'type',
      title: say('type'),
      sortBy: 'type',
      cell: (job) => (
        <UnstyledButton
          fz="sm"
          fw={500}
          onClick={() => setOpened(job)}
          aria-label={say('details', { name: nameOf(job) })}
        >
          {nameOf(job)}
        </UnstyledButton>
      ),
      csv: (job) => job.type,
    },
    ...(orgOf ? [{ id: 'org', title: say('org'), cell: orgOf, csv: (job: Job) => job.oid } satisfies Column<Job>] : []),
    {
      id: 'state',
      title: say('state'),
      sortBy: 'success',
      cell: (job) => <JobState job={job} />,
      csv: (job) => (job.success == null ? 'running' : job.success ? 'done' : 'failed'),
    },
    {
      id: 'started',
      title: say('started'),
      sortBy: 'started',
      from: 'sm',
      cell: (job) => <When at={job.started} />,
      csv: (job) => job.started,
    },
    {
      id: 'took',
      title: say('took'),
      from: 'md',
      align: 'end',
      cell: (job) => duration(tookSeconds(job)),
      csv: tookSeconds,
    },
    {
      id: 'retry',
      title: say('retry'),
      align: 'end',
      cell: (job) =>
        job.success === false && (
          <Tooltip label={say('retry')}>
            <ActionIcon
              variant="subtle"
              aria-label={`${say('retry')}: ${nameOf(job)}`}
              onClick={() => void act(() => retry(job), say('retried'))}
            >
              <IconRefresh size={18} aria-hidden />
            </ActionIcon>
          </Tooltip>
        ),
    },
  ];
  return (
    <>
      <DataList<Job>
        label={say('jobs')}
        columns={columns}
        query={query}
        idOf={(job) => job.id}
        nameOf={nameOf}
        pageSize={pageSize}
        search={search}
        onSearch={onSearch}
        order={{ sortBy: 'started', dir: -1 }}
        isFiltered={search.success !== undefined}
        onClearFilters={() => onSearch({ success: undefined, page: 1 })}
        filters={
          <Group justify="space-between">
            <SegmentedControl
              size="xs"
              aria-label={say('state')}
              value={search.success === undefined ? 'all' : search.success ? 'done' : 'failed'}
              data={(['all', 'failed', 'done'] as const).map((value) => ({ value, label: say(value) }))}
              onChange={(value) => onSearch({ success: value === 'all' ? undefined : value === 'done', page: 1 })}
            />
            <Button
              size="xs"
              variant="default"
              leftSection={<IconRefresh size={16} aria-hidden />}
              onClick={() => void askRetryFailed()}
            >
              {say('retryFailed')}
            </Button>
          </Group>
        }
        empty={<Empty title={say('empty')}>{say('emptyText')}</Empty>}
      />
      {opened && <JobDetail job={opened} name={nameOf(opened)} read={read} onClose={() => setOpened(null)} />}
    </>
  );
}
