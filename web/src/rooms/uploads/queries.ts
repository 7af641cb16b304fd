import { useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client';
import { paced } from '../../api/live';
import { EVERY } from '../../api/query-client';
import { isActive } from '../../ui/state-badge';
import { readInterrupted } from './interrupted';
import type { UploadsSearch } from './uploads-search';
import type { TransferState } from './transfer';

export type Upload = Schemas['CrawlOut'];

export const PAGE_SIZE = 20;
export const ORDER = { sortBy: 'finished', dir: -1 } as const;

/** Uploads that have arrived; asked for often while one of them is still read. */
export function useUploads(oid: string, search: UploadsSearch) {
  return api.useQuery(
    'get',
    '/api/orgs/{oid}/uploads',
    {
      params: {
        path: { oid },
        query: {
          page: search.page ?? 1,
          pageSize: PAGE_SIZE,
          sortBy: search.sortBy ?? ORDER.sortBy,
          sortDirection: search.dir ?? ORDER.dir,
          ...(search.name ? { name: search.name } : {}),
        },
      },
    },
    {
      placeholderData: (before) => before,
      refetchInterval: ({ state }) =>
        state.data?.items.some((item) => isActive(item.state)) ? EVERY.live : paced.seldom(),
    },
  );
}

/** One upload, to have its file replaced. */
export const useUpload = (oid: string, crawlid: string) =>
  api.useQuery('get', '/api/orgs/{oid}/uploads/{crawlid}', { params: { path: { oid, crawlid } } }, { staleTime: 0 });

export const useUploadNames = (oid: string) =>
  api.useQuery('get', '/api/orgs/{oid}/all-crawls/search-values', {
    params: { path: { oid }, query: { crawlType: 'upload' } },
  });

export const useTagNames = (oid: string) =>
  api.useQuery('get', '/api/orgs/{oid}/uploads/tagCounts', { params: { path: { oid } } });

export const useCollectionNames = (oid: string) =>
  api.useQuery('get', '/api/orgs/{oid}/collections', {
    params: { path: { oid }, query: { pageSize: 1000, sortBy: 'name', sortDirection: 1 } },
  });

/** @param underWay states of this visit's uploads: what is interrupted is read when all have ended */
export const useInterrupted = (oid: string, underWay: readonly TransferState[]) =>
  useQuery({
    queryKey: ['interrupted', oid, ...underWay],
    queryFn: () => readInterrupted(oid),
    enabled: underWay.every((state) => state === 'done'),
    staleTime: 0,
  });
