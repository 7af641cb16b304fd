import { api, client } from '../../api/client';
import { paced } from '../../api/live';
import { JobList } from '../../ui/jobs/job-list';
import type { Job } from '../../ui/jobs/job-state';
import { useAddress, usePath } from './queries';

const PAGE_SIZE = 25;

/** The org's background jobs. */
export function JobsTab() {
  const { path } = usePath();
  const { search, change } = useAddress();
  const { page = 1, sortBy = 'started', dir = -1, success } = search;
  const query = api.useQuery(
    'get',
    '/api/orgs/{oid}/jobs',
    { params: { path, query: { page, pageSize: PAGE_SIZE, sortBy, sortDirection: dir, success } } },
    {
      refetchInterval: ({ state }) =>
        state.data?.items.some((job) => job.success == null) ? paced.often() : paced.seldom(),
    },
  );
  const pathOf = (job: Job) => ({ params: { path: { ...path, job_id: job.id } } });
  return (
    <JobList
      query={{ ...query, data: query.data as { items: readonly Job[]; total: number } | undefined }}
      pageSize={PAGE_SIZE}
      search={search}
      onSearch={change}
      read={async (job) => (await client.GET('/api/orgs/{oid}/jobs/{job_id}', pathOf(job))).data as Job}
      retry={(job) => client.POST('/api/orgs/{oid}/jobs/{job_id}/retry', pathOf(job))}
      retryFailed={() => client.POST('/api/orgs/{oid}/jobs/retryFailed', { params: { path } })}
    />
  );
}
