import { api, type Schemas } from '../../api/client';
import { paced } from '../../api/live';
import { queryClient } from '../../api/query-client';
import type { CurrentOrg } from '../../session/me';
import type { WorkflowSearch } from './workflow-search';

export type Workflow = Schemas['CrawlConfigOut'];

export const PAGE_SIZE = 20;
export const ORDER = { sortBy: 'lastRun', dir: -1 } as const;

const LIST = '/api/orgs/{oid}/crawlconfigs';

function queryOf(search: WorkflowSearch, me: string | undefined) {
  return {
    sortBy: search.sortBy ?? ORDER.sortBy,
    sortDirection: search.dir ?? ORDER.dir,
    ...(search.name ? { name: search.name } : {}),
    ...(search.firstSeed ? { firstSeed: search.firstSeed } : {}),
    ...(search.states ? { lastCrawlState: search.states as never } : {}),
    ...(search.tags ? { tags: [...search.tags], tagMatch: search.anyTag ? ('or' as const) : ('and' as const) } : {}),
    ...(search.schedule ? { schedule: search.schedule === 'yes' } : {}),
    ...(search.running ? { isCrawlRunning: true } : {}),
    ...(search.mine && me ? { userid: me } : {}),
    ...(search.profile ? { profileIds: [search.profile] } : {}),
  };
}

/** A page of the list; asked for anew while the page is looked at, since crawls start by schedule. */
export const useWorkflows = ({ oid }: CurrentOrg, search: WorkflowSearch, me: string | undefined) =>
  api.useQuery(
    'get',
    LIST,
    { params: { path: { oid }, query: { ...queryOf(search, me), page: search.page ?? 1, pageSize: PAGE_SIZE } } },
    { refetchInterval: paced.list, placeholderData: (before) => before },
  );

/** After a change, lists and counts are read anew. */
export const forgetWorkflows = (): Promise<void> =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey }) => typeof queryKey[1] === 'string' && queryKey[1].includes('/crawlconfigs'),
  });
