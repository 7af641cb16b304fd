import { api } from '../../api/client';
import { paced } from '../../api/live';
import { useOrg } from '../../session/me';
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

const usePath = () => {
  const { oid } = useOrg();
  return { oid };
};

/** The org's figures; asked often while something runs. */
export function useMetrics(isActive = false) {
  const params = { path: usePath() };
  const options = { refetchInterval: isActive ? paced.often : paced.seldom };
  return api.useQuery('get', '/api/orgs/{oid}/metrics', { params }, options);
}

/** Crawls that have not ended, longest running first. */
export function useActiveCrawls() {
  const query = { state: ACTIVE, sortBy: 'started', sortDirection: -1, pageSize: SHOWN };
  return api.useQuery(
    'get',
    '/api/orgs/{oid}/crawls',
    { params: { path: usePath(), query } },
    { refetchInterval: ({ state }) => ((state.data?.items.length ?? 0) > 0 ? paced.often() : paced.list()) },
  );
}

export function useFailedCrawls() {
  const query = { state: FAILED, sortBy: 'started', sortDirection: -1, pageSize: SHOWN };
  const options = { refetchInterval: paced.seldom };
  return api.useQuery('get', '/api/orgs/{oid}/crawls', { params: { path: usePath(), query } }, options);
}

/** How many workflows there are; of each, little is read. */
export function useWorkflowCount() {
  const params = { path: usePath(), query: { pageSize: 1 } };
  return api.useQuery('get', '/api/orgs/{oid}/crawlconfigs', { params }, { refetchInterval: paced.seldom });
}

/** Lists cannot be ordered by the next run, so the dashboard looks through this many workflows with a schedule. */
const LOOKED_THROUGH = 200;

/** Workflows with a schedule, the next to run first. */
export function useNextRuns() {
  const query = { schedule: true, pageSize: LOOKED_THROUGH };
  return api.useQuery(
    'get',
    '/api/orgs/{oid}/crawlconfigs',
    { params: { path: usePath(), query } },
    {
      refetchInterval: paced.seldom,
      select: ({ items, total }) => ({
        total,
        items: items
          .filter(({ nextRun }) => nextRun != null)
          .sort((a, b) => String(a.nextRun).localeCompare(String(b.nextRun)))
          .slice(0, SHOWN),
      }),
    },
  );
}

export function useNewestItems() {
  const query = { state: [...GOOD_STATES], sortBy: 'finished', sortDirection: -1, pageSize: SHOWN };
  const options = { refetchInterval: paced.list };
  return api.useQuery('get', '/api/orgs/{oid}/all-crawls', { params: { path: usePath(), query } }, options);
}

export function useNewestCollections() {
  const query = { sortBy: 'modified', sortDirection: -1, pageSize: SHOWN };
  const options = { refetchInterval: paced.seldom };
  return api.useQuery('get', '/api/orgs/{oid}/collections', { params: { path: usePath(), query } }, options);
}
