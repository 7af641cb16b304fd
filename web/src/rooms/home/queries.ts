import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import { paced } from '../../api/live';
import { queryClient } from '../../api/query-client';
import { askForOrg, useOrg } from '../../session/me';
import { BAD_STATES, GOOD_STATES } from '../../ui/states';

/** Entries of each list of the dashboard. */
export const SHOWN = 5;

const ACTIVE = [
  'running',
  'rate-limited',
  'pending-wait',
  'generate-wacz',
  'uploading-wacz',
  'starting',
  'waiting_capacity',
  'waiting_org_limit',
  'waiting_dedupe_index',
  'paused',
  'paused_storage_quota_reached',
  'paused_time_quota_reached',
  'paused_org_readonly',
  'paused_rate_limit_time_reached',
];
const FAILED = BAD_STATES.filter((state) => state !== 'canceled');
export const FAILED_STATES: readonly string[] = FAILED;

const ofOrg = (oid: string) => ({ path: { oid } });

const metricsOf = (oid: string) => api.queryOptions('get', '/api/orgs/{oid}/metrics', { params: ofOrg(oid) });

const crawlsOf = (oid: string, state: readonly string[]) => {
  const query = { state: [...state], sortBy: 'started', sortDirection: -1, pageSize: SHOWN };
  return api.queryOptions('get', '/api/orgs/{oid}/crawls', { params: { ...ofOrg(oid), query } });
};

/** How many workflows there are; of each, little is read. */
const workflowCountOf = (oid: string) =>
  api.queryOptions('get', '/api/orgs/{oid}/crawlconfigs', { params: { ...ofOrg(oid), query: { pageSize: 1 } } });

/** Lists cannot be ordered by the next run, so the dashboard looks through this many workflows with a schedule. */
const LOOKED_THROUGH = 200;

const scheduledOf = (oid: string) => {
  const query = { schedule: true, pageSize: LOOKED_THROUGH };
  return api.queryOptions('get', '/api/orgs/{oid}/crawlconfigs', { params: { ...ofOrg(oid), query } });
};

const newestItemsOf = (oid: string) => {
  const query = { state: [...GOOD_STATES], sortBy: 'finished', sortDirection: -1, pageSize: SHOWN };
  return api.queryOptions('get', '/api/orgs/{oid}/all-crawls', { params: { ...ofOrg(oid), query } });
};

const newestCollectionsOf = (oid: string) => {
  const query = { sortBy: 'modified', sortDirection: -1, pageSize: SHOWN };
  return api.queryOptions('get', '/api/orgs/{oid}/collections', { params: { ...ofOrg(oid), query } });
};

/** Asks for all that the dashboard shows, while its code is still on its way and its frame is drawn. */
export async function askForDashboard(slug: string): Promise<void> {
  const oid = await askForOrg(slug);
  if (oid === undefined) return;
  await Promise.all([
    queryClient.prefetchQuery(metricsOf(oid)),
    queryClient.prefetchQuery(workflowCountOf(oid)),
    queryClient.prefetchQuery(crawlsOf(oid, ACTIVE)),
    queryClient.prefetchQuery(crawlsOf(oid, FAILED)),
    queryClient.prefetchQuery(scheduledOf(oid)),
    queryClient.prefetchQuery(newestCollectionsOf(oid)),
    queryClient.prefetchQuery(newestItemsOf(oid)),
  ]);
}

/** The org's figures; asked often while something runs. */
export const useMetrics = (isActive = false) =>
  useQuery({ ...metricsOf(useOrg().oid), refetchInterval: isActive ? paced.often : paced.seldom });

/** Crawls that have not ended, longest running first. */
export const useActiveCrawls = () =>
  useQuery({
    ...crawlsOf(useOrg().oid, ACTIVE),
    refetchInterval: ({ state }) => ((state.data?.items.length ?? 0) > 0 ? paced.often() : paced.list()),
  });

export const useFailedCrawls = () => useQuery({ ...crawlsOf(useOrg().oid, FAILED), refetchInterval: paced.seldom });

export const useWorkflowCount = () => useQuery({ ...workflowCountOf(useOrg().oid), refetchInterval: paced.seldom });

/** Workflows with a schedule, the next to run first. */
export const useNextRuns = () =>
  useQuery({
    ...scheduledOf(useOrg().oid),
    refetchInterval: paced.seldom,
    select: ({ items, total }) => ({
      total,
      items: items
        .filter(({ nextRun }) => nextRun != null)
        .sort((a, b) => String(a.nextRun).localeCompare(String(b.nextRun)))
        .slice(0, SHOWN),
    }),
  });

export const useNewestItems = () => useQuery({ ...newestItemsOf(useOrg().oid), refetchInterval: paced.list });

export const useNewestCollections = () =>
  useQuery({ ...newestCollectionsOf(useOrg().oid), refetchInterval: paced.seldom });
