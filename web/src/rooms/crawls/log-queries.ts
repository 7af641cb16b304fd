import { api, type Schemas } from '../../api/client';
import { EVERY } from '../../api/query-client';
import { useOrg } from '../../session/me';

export type LogKind = 'errors' | 'behaviors';
export type LogLine = Schemas['CrawlLogLine'];

const PATHS = {
  errors: '/api/orgs/{oid}/crawls/{crawl_id}/errors',
  behaviors: '/api/orgs/{oid}/crawls/{crawl_id}/behaviorLogs',
} as const;

/** The API gives no more lines at once. */
export const MOST_LINES = 1000;

/** The newest lines of a log, the oldest of them first. */
export function useLog(crawlId: string, kind: LogKind, isOn: boolean) {
  const { oid } = useOrg();
  return api.useQuery(
    'get',
    PATHS[kind],
    {
      params: {
        path: { oid, crawl_id: crawlId },
        query: { pageSize: MOST_LINES, sortBy: 'timestamp', sortDirection: -1 },
      },
    },
    {
      enabled: crawlId !== '',
      refetchInterval: isOn ? EVERY.live : false,
      select: ({ items, total }) => ({ items: items.toReversed(), total }),
    },
  );
}

/** How many lines a log has. */
export function useLogCount(crawlId: string, kind: LogKind, isOn: boolean): number {
  const { oid } = useOrg();
  const { data } = api.useQuery(
    'get',
    PATHS[kind],
    { params: { path: { oid, crawl_id: crawlId }, query: { pageSize: 1 } } },
    { enabled: crawlId !== '', refetchInterval: isOn ? EVERY.often : false },
  );
  return data?.total ?? 0;
}
