import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { api, type Schemas } from '../../api/client';
import { ApiProblem } from '../../api/problem';
import { paced } from '../../api/live';
import { EVERY } from '../../api/query-client';
import { useOrg } from '../../session/me';
import { isActive } from '../../ui/state-badge';

export type Workflow = Schemas['CrawlConfigOut'];
export type Crawl = Schemas['CrawlOut'];

/** The workflow of the page. It is asked for more often while its crawl is active. */
export function useWorkflow(id: string) {
  const { oid } = useOrg();
  return api.useQuery(
    'get',
    '/api/orgs/{oid}/crawlconfigs/{cid}',
    { params: { path: { oid, cid: id } } },
    { refetchInterval: ({ state }) => (isActive(state.data?.lastCrawlState) ? EVERY.live : paced.list()) },
  );
}

/** A crawl, asked for again until it has ended. */
export function useCrawl(crawlId: string | null | undefined) {
  const { oid } = useOrg();
  return api.useQuery(
    'get',
    '/api/orgs/{oid}/crawls/{crawl_id}',
    { params: { path: { oid, crawl_id: crawlId ?? '' } } },
    {
      enabled: Boolean(crawlId),
      refetchInterval: ({ state }) => (isActive(state.data?.state) ? EVERY.live : false),
      retry: (failures, error: unknown) => !(error instanceof ApiProblem && error.status === 404) && failures < 3,
    },
  );
}

export const useLimits = () => api.useQuery('get', '/api/settings', {}, { staleTime: Infinity }).data;

/** Reads anew what is shown of workflows and crawls, after an action that changed them. */
export function useReadAgain(): () => Promise<void> {
  const queries = useQueryClient();
  return useCallback(
    () =>
      queries.invalidateQueries({
        predicate: ({ queryKey: [, path] }) =>
          typeof path === 'string' &&
          (path.startsWith('/api/orgs/{oid}/crawls') || path.startsWith('/api/orgs/{oid}/crawlconfigs')),
      }),
    [queries],
  );
}

/** Name of a workflow or crawl, or where it begins. */
export const nameOf = ({ name, firstSeed, id }: Pick<Crawl, 'name' | 'firstSeed' | 'id'>): string =>
  name || firstSeed || id;
