import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, client, send, type Schemas } from '../../api/client';
import { ApiProblem } from '../../api/problem';
import { paced } from '../../api/live';
import { useOrg } from '../../session/me';
import type { ProfilesSearch } from './search';

export type Profile = Schemas['Profile'];
export const PAGE_SIZE = 20;
export const ORDER = { sortBy: 'modified', dir: -1 } as const;

export function useProfiles({ page, sortBy, dir, name, tags }: ProfilesSearch) {
  const { oid } = useOrg();
  return api.useQuery(
    'get',
    '/api/orgs/{oid}/profiles',
    {
      params: {
        path: { oid },
        query: {
          page: page ?? 1,
          pageSize: PAGE_SIZE,
          sortBy: sortBy ?? ORDER.sortBy,
          sortDirection: dir ?? ORDER.dir,
          name,
          ...(tags ? { tags: [...tags] } : {}),
        },
      },
    },
    { refetchInterval: paced.seldom },
  );
}

/** Names and tags that a list of profiles can be filtered by. */
export function useProfileNames(): readonly string[] {
  const { oid } = useOrg();
  const { data } = api.useQuery('get', '/api/orgs/{oid}/profiles/search-values', { params: { path: { oid } } });
  return data?.names ?? [];
}
export function useProfileTags(): readonly string[] {
  const { oid } = useOrg();
  const { data } = api.useQuery('get', '/api/orgs/{oid}/profiles/tagCounts', { params: { path: { oid } } });
  return data?.tags.map(({ tag }) => tag) ?? [];
}

export function useProfile(id: string) {
  const { oid } = useOrg();
  return api.useQuery('get', '/api/orgs/{oid}/profiles/{profileid}', { params: { path: { oid, profileid: id } } });
}

/** Workflows that crawl with the profile, those that ran last first. */
export function useWorkflowsOf(profileId: string) {
  const { oid } = useOrg();
  return api.useQuery('get', '/api/orgs/{oid}/crawlconfigs', {
    params: {
      path: { oid },
      query: { profileIds: [profileId], sortBy: 'lastRun', sortDirection: -1, page: 1, pageSize: 100 },
    },
  });
}

export interface ProfileDetails {
  readonly name: string;
  readonly description: string;
  readonly tags: string[];
}
const WAITING = 'waiting_for_browser';
const RETRY_MS = 2_000;
const TRIES = 150;
const isWaiting = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'detail' in answer && answer.detail === WAITING;

/** Sends it again until the browser has handed over what it holds. */
async function whenReady(path: string, init: RequestInit): Promise<unknown> {
  for (let round = 0; round < TRIES; round++) {
    const answer = await send(path, init);
    if (!isWaiting(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  throw new Error(WAITING);
}

/** Changes to profiles, and the browsers in which they are made. */
export function useProfileActions() {
  const { oid } = useOrg();
  const cache = useQueryClient();
  return useMemo(() => {
    const base = `/api/orgs/${oid}/profiles`;
    const json = (method: string, body: unknown): RequestInit => ({
      method,
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    });
    const refresh = () =>
      cache.invalidateQueries({
        predicate: ({ queryKey }) => String(queryKey[1]).startsWith('/api/orgs/{oid}/profiles'),
      });
    return {
      async launch(url: string, profileId: string | undefined): Promise<string> {
        const { data } = await client.POST('/api/orgs/{oid}/profiles/browser', {
          params: { path: { oid } },
          body: { url, ...(profileId ? { profileId } : {}), crawlerChannel: 'default' },
        });
        return data?.browserid ?? '';
      },
      /** Ends a browser that nobody looks at any more; one that has ended is fine. */
      async end(browserId: string): Promise<void> {
        await send(`${base}/browser/${browserId}`, { method: 'DELETE', keepalive: true }).catch(() => undefined);
      },
      async create(browserId: string, details: ProfileDetails): Promise<string> {
        const made = await whenReady(base, json('POST', { browserid: browserId, ...details }));
        await refresh();
        return (made as { id: string }).id;
      },
      async saveLogins(browserId: string, { id, name }: Profile): Promise<void> {
        await whenReady(`${base}/${id}`, json('PATCH', { browserid: browserId, name }));
        await refresh();
      },
      async edit(id: string, details: ProfileDetails): Promise<void> {
        await send(`${base}/${id}`, json('PATCH', details));
        await refresh();
      },
      async remove(id: string): Promise<void> {
        await client.DELETE('/api/orgs/{oid}/profiles/{profileid}', { params: { path: { oid, profileid: id } } });
        // All but the profile that is gone.
        await cache.invalidateQueries({ queryKey: ['get', '/api/orgs/{oid}/profiles'] });
      },
    };
  }, [oid, cache]);
}

/** The address of a browser's view; undefined until the browser is there. */
export function useBrowserAddress(browserId: string) {
  const { oid } = useOrg();
  return useQuery({
    queryKey: ['profile-browser', oid, browserId],
    gcTime: 0,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchInterval: ({ state }) => (state.data || state.error ? false : RETRY_MS),
    queryFn: async (): Promise<string> => {
      const answer = await send(`/api/orgs/${oid}/profiles/browser/${browserId}`);
      return isWaiting(answer) ? '' : (answer as { url: string }).url;
    },
  });
}

/** Keeps the browser alive, and tells the sites that it visited. */
export function usePing(browserId: string) {
  const { oid } = useOrg();
  return useQuery({
    queryKey: ['profile-browser-ping', oid, browserId],
    gcTime: 0,
    retry: false,
    refetchInterval: ({ state }) => (hasEnded(state.error) ? false : RETRY_MS),
    // The browser ends by itself when nobody asks for it; a person may look elsewhere to find a password.
    refetchIntervalInBackground: true,
    queryFn: async (): Promise<readonly string[]> => {
      const { data } = await client.POST('/api/orgs/{oid}/profiles/browser/{browserid}/ping', {
        params: { path: { oid, browserid: browserId } },
      });
      return data?.origins ?? [];
    },
  });
}
export const hasEnded = (error: unknown): boolean =>
  error instanceof ApiProblem && (error.status === 404 || error.status === 400);
