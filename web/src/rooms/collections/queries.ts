import { useQueryClient } from '@tanstack/react-query';
import { api, client, type Schemas } from '../../api/client';
import { paced } from '../../api/live';
import { EVERY } from '../../api/query-client';
import { useOrg } from '../../session/me';

export type Collection = Schemas['CollOut'];
export type Change = Schemas['UpdateColl'];

export type IndexState = NonNullable<Collection['indexState']>;
/** States in which the figures of an index move while nothing else of the collection changes. */
const WORKING: readonly IndexState[] = ['initing', 'importing', 'purging'];
export const isWorking = (state: IndexState | null | undefined): boolean => state != null && WORKING.includes(state);

function paceOf(collection: Collection | undefined): number {
  if (collection?.runningUpdatesCount || isWorking(collection?.indexState)) return EVERY.live;
  return collection?.indexState === 'crawling' ? EVERY.list : paced.list();
}

/** One collection, without its files. It is asked for more often while crawls run into it. */
export function useCollection(id: string) {
  const { oid } = useOrg();
  return api.useQuery(
    'get',
    '/api/orgs/{oid}/collections/{coll_id}',
    { params: { path: { oid, coll_id: id } } },
    { refetchInterval: ({ state: { data } }) => paceOf(data) },
  );
}

/** Reads all that is shown of collections and their items anew, except of one that has been deleted. */
export function useReread(): (deletedId?: string) => Promise<void> {
  const queries = useQueryClient();
  return (deletedId) =>
    queries.invalidateQueries({
      predicate: ({ queryKey }) =>
        (deletedId === undefined || !JSON.stringify(queryKey).includes(deletedId)) &&
        queryKey.some((part) => typeof part === 'string' && /collections|all-crawls|crawlconfigs/.test(part)),
    });
}

/** Changes some of a collection's fields. @throws ApiProblem */
export function useChange(id: string): (change: Change) => Promise<void> {
  const { oid } = useOrg();
  const reread = useReread();
  return async (change) => {
    await client.PATCH('/api/orgs/{oid}/collections/{coll_id}', {
      params: { path: { oid, coll_id: id } },
      body: change,
    });
    await reread();
  };
}
