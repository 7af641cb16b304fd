import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { api, client } from '../../api/client';
import { EVERY } from '../../api/query-client';
import { JobList } from '../../ui/jobs/job-list';
import type { Job } from '../../ui/jobs/job-state';
import { useAddress, useOrgNames } from './queries';

const PAGE_SIZE = 50;

/** Background jobs of all orgs. */
export function JobsTab() {
  const { search, change } = useAddress();
  const orgOf = useOrgNames();
  const { page = 1, sortBy = 'started', dir = -1, success } = search;
  const query = api.useQuery(
    'get',
    '/api/orgs/all/jobs',
    { params: { query: { page, pageSize: PAGE_SIZE, sortBy, sortDirection: dir, success } } },
    {
      refetchInterval: ({ state }) =>
        state.data?.items.some((job) => job.success == null) ? EVERY.often : EVERY.seldom,
    },
  );
  const pathOf = (job: Job) => ({ params: { path: { job_id: job.id } } });
  return (
    <JobList
      query={{ ...query, data: query.data as { items: readonly Job[]; total: number } | undefined }}
      pageSize={PAGE_SIZE}
      search={search}
      onSearch={change}
      read={async (job) => (await client.GET('/api/orgs/all/jobs/{job_id}', pathOf(job))).data as Job}
      retry={(job) => client.POST('/api/orgs/all/jobs/{job_id}/retry', pathOf(job))}
      retryFailed={() => client.POST('/api/orgs/all/jobs/retryFailed', {})}
      orgOf={({ oid }) => {
        const org = orgOf(oid);
        if (!org) return oid ?? '–';
        return (
          <Anchor component={Link} to={`/o/${org.slug}/settings?tab=jobs`} size="sm" dir="auto">
            {org.name}
          </Anchor>
        );
      }}
    />
  );
}
