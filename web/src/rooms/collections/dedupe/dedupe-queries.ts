import { api } from '../../../api/client';
import { paced } from '../../../api/live';
import { useOrg } from '../../../session/me';

/** Rows shown of each list; the rest is counted. */
const SHOWN = 10;

export function useIndexUsers(id: string) {
  const { oid } = useOrg();
  const path = { oid };
  const options = { refetchInterval: paced.list };
  const workflows = api.useQuery(
    'get',
    '/api/orgs/{oid}/crawlconfigs',
    { params: { path, query: { dedupeCollId: id, sortBy: 'name', sortDirection: 1, pageSize: SHOWN } } },
    options,
  );
  const referring = api.useQuery(
    'get',
    '/api/orgs/{oid}/crawls',
    { params: { path, query: { dedupeCollId: id, hasRequiresCrawls: true, sortBy: 'finished', pageSize: SHOWN } } },
    options,
  );
  const needed = api.useQuery(
    'get',
    '/api/orgs/{oid}/all-crawls',
    { params: { path, query: { collectionId: id, hasRequiredByCrawls: true, sortBy: 'finished', pageSize: SHOWN } } },
    options,
  );
  return { workflows, referring, needed };
}
