import { api, client, type Schemas } from '../../api/client';
import { paced } from '../../api/live';
import { isActive } from '../../ui/state-badge';
import { BAD_STATES, GOOD_STATES } from '../../ui/states';
import type { ItemsSearch } from './searches';

export type Item = Schemas['CrawlOut'];
export type ItemRecord = Schemas['CrawlOutWithResources'];
export type ArchivedPage = Schemas['PageOut'];

export const PAGE_SIZE = 20;
/** What the lists of the API give at most in one answer. */
const WHOLE = 1000;

export const OTHER_STATES = ['processing-upload', ...BAD_STATES] as const;

/** What a list shows that names no state. */
const DEFAULT_STATES = [...GOOD_STATES, 'processing-upload'];
export const DEFAULT_ORDER = { sortBy: 'finished', dir: -1 } as const;

function itemsQuery(search: ItemsSearch, userId: string | undefined) {
  return {
    sortBy: search.sortBy ?? DEFAULT_ORDER.sortBy,
    sortDirection: search.dir ?? DEFAULT_ORDER.dir,
    state: [...(search.state ?? DEFAULT_STATES)],
    ...(search.type ? { crawlType: search.type } : {}),
    ...(search.name ? { name: search.name } : {}),
    ...(search.firstSeed ? { firstSeed: search.firstSeed } : {}),
    ...(search.id ? { ids: [search.id] } : {}),
    ...(search.tags ? { tags: [...search.tags], tagMatch: search.tagMatch ?? ('and' as const) } : {}),
    ...(search.collection ? { collectionId: search.collection } : {}),
    ...(search.review ? { reviewStatus: search.review.split('-').map(Number) } : {}),
    ...(search.mine && userId ? { userid: userId } : {}),
    ...(search.workflow ? { cid: search.workflow } : {}),
  };
}

export const useItems = (oid: string, search: ItemsSearch, userId: string | undefined) =>
  api.useQuery(
    'get',
    '/api/orgs/{oid}/all-crawls',
    {
      params: {
        path: { oid },
        query: { ...itemsQuery(search, userId), page: search.page ?? 1, pageSize: PAGE_SIZE },
      },
    },
    { refetchInterval: paced.list, placeholderData: (before) => before },
  );

/** The item with its files; asked again while it is not ready. */
export const useItem = (oid: string, id: string) =>
  api.useQuery(
    'get',
    '/api/orgs/{oid}/all-crawls/{crawl_id}/replay.json',
    { params: { path: { oid, crawl_id: id }, query: { withDependencies: true } } },
    {
      enabled: id !== '',
      refetchInterval: ({ state }) => (isActive(state.data?.state) ? paced.often() : false),
    },
  );

/** All collections of the org, by name. */
export const useCollections = (oid: string) =>
  api.useQuery(
    'get',
    '/api/orgs/{oid}/collections',
    { params: { path: { oid }, query: { page: 1, pageSize: WHOLE, sortBy: 'name', sortDirection: 1 } } },
    { staleTime: 30_000 },
  );

export const useTagCounts = (oid: string) =>
  api.useQuery('get', '/api/orgs/{oid}/all-crawls/tagCounts', { params: { path: { oid } } }, { staleTime: 30_000 });

/** Pages of a crawl that are compared at most. */
export const COMPARED_PAGES = 10_000;

/** The pages of an item, by address; of several captures of one address the last. */
export async function allPages(oid: string, id: string): Promise<Map<string, ArchivedPage>> {
  const pages = new Map<string, ArchivedPage>();
  for (let page = 1, read = 0; read < COMPARED_PAGES; page += 1) {
    const params = { path: { oid, crawl_id: id }, query: { page, pageSize: WHOLE, sortBy: 'ts', sortDirection: 1 } };
    const { data } = await client.GET('/api/orgs/{oid}/all-crawls/{crawl_id}/pages', { params });
    for (const one of data?.items ?? []) pages.set(one.url, one);
    read += data?.items.length ?? 0;
    if (!data || data.items.length === 0 || read >= data.total) break;
  }
  return pages;
}

/** How an item is called: by its name, else by what it began with. */
export const nameOf = ({ name, firstSeed, id }: Pick<Item, 'name' | 'firstSeed' | 'id'>): string =>
  name || firstSeed || id;
