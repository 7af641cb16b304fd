import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, client, type Schemas } from '../../api/client';
import { everyPage } from '../../api/every-row';
import { EVERY } from '../../api/query-client';
import { useOrg } from '../../session/me';
import type { PageFilter } from './search';

export type Run = Schemas['QARunOut'];
export type QaPageRow = Schemas['PageOutWithSingleQA'];
export type Item = Schemas['CrawlOut'];

/** Runs that found something: only these have figures and records. */
export const hasFindings = ({ state, finished }: Run): boolean =>
  finished != null && (state === 'complete' || state.startsWith('stopped'));
export const isRunning = (run: Run | undefined): boolean => run !== undefined && !run.finished;

/** The run that is looked at: the one that is named, else the newest that found something, else the active one. */
export const chosenRun = (runs: readonly Run[], named: string | undefined): Run | undefined =>
  runs.find(({ id }) => id === named) ?? runs.find(hasFindings) ?? runs.find(isRunning);

export function useItem(id: string) {
  const { oid } = useOrg();
  return api.useQuery('get', '/api/orgs/{oid}/crawls/{crawl_id}', { params: { path: { oid, crawl_id: id } } });
}

/** The active run first, then the finished ones, newest first. Asked for again while one is active. */
export function useRuns(id: string) {
  const { oid } = useOrg();
  return api.useQuery(
    'get',
    '/api/orgs/{oid}/crawls/{crawl_id}/qa',
    { params: { path: { oid, crawl_id: id } } },
    { refetchInterval: ({ state }) => (isRunning(state.data?.[0]) ? EVERY.live : EVERY.seldom) },
  );
}

/** How the scores are put into groups: lower bounds. */
export const BOUNDS = [0.5, 0.7, 0.9, 0.99] as const;

export function useSpread(id: string, run: Run | undefined) {
  const { oid } = useOrg();
  const bounds = BOUNDS.join(',');
  return api.useQuery(
    'get',
    '/api/orgs/{oid}/crawls/{crawl_id}/qa/{qa_run_id}/stats',
    {
      params: {
        path: { oid, crawl_id: id, qa_run_id: run?.id ?? '' },
        query: { screenshotThresholds: bounds, textThresholds: bounds },
      },
    },
    { enabled: run !== undefined, refetchInterval: isRunning(run) ? EVERY.often : false },
  );
}

export interface PagesAsked extends PageFilter {
  readonly page: number;
  readonly pageSize: number;
  readonly sortBy: string;
  readonly dir: 1 | -1;
}

const REVIEW_QUERY = {
  unreviewed: { reviewed: false },
  reviewed: { reviewed: true },
  approved: { approved: 'true' },
  rejected: { approved: 'false' },
  noted: { hasNotes: true },
} as const;

/** Whether a list of this crawl's pages can be put in this order without a QA run. */
const needsRun = (sortBy: string): boolean => sortBy.endsWith('Match');

/** Pages of a run with what it found; without a run all pages of the crawl. */
export function usePages(id: string, run: Run | undefined, asked: PagesAsked | undefined) {
  const { oid } = useOrg();
  const runId = run?.id;
  return useQuery({
    // The end of a run asks for its last pages.
    queryKey: ['qa-pages', oid, id, runId, asked, run?.finished],
    enabled: asked !== undefined,
    placeholderData: keepPreviousData,
    refetchInterval: isRunning(run) ? EVERY.often : false,
    queryFn: ({ signal }) => {
      if (!asked) throw new Error('nothing is asked for');
      return readPages({ oid, crawl_id: id }, runId, asked, signal);
    },
  });
}

/** Reads every page that the list is of, not those alone that are shown. */
export function useEveryPage(
  id: string,
  run: Run | undefined,
  asked: Omit<PagesAsked, 'page' | 'pageSize'>,
): () => Promise<readonly QaPageRow[]> {
  const { oid } = useOrg();
  return () => everyPage((page, pageSize) => readPages({ oid, crawl_id: id }, run?.id, { ...asked, page, pageSize }));
}

interface PagesRead {
  readonly items: readonly QaPageRow[];
  readonly total: number;
}
async function readPages(
  path: { readonly oid: string; readonly crawl_id: string },
  runId: string | undefined,
  asked: PagesAsked,
  signal?: AbortSignal,
): Promise<PagesRead> {
  const { page, pageSize, sortBy, dir, review, by, from, below } = asked;
  const common = { page, pageSize, sortDirection: dir, ...(review ? REVIEW_QUERY[review] : {}) };
  const init = signal ? { signal } : {};
  if (runId === undefined) {
    const query = { ...common, ...(needsRun(sortBy) ? {} : { sortBy }) };
    const { data } = await client.GET('/api/orgs/{oid}/crawls/{crawl_id}/pages', { params: { path, query }, ...init });
    return { items: (data?.items ?? []) as readonly QaPageRow[], total: data?.total ?? 0 };
  }
  const range = by && (from !== undefined || below !== undefined) ? { qaFilterBy: by, gte: from, lt: below } : {};
  const { data } = await client.GET('/api/orgs/{oid}/crawls/{crawl_id}/qa/{qa_run_id}/pages', {
    params: { path: { ...path, qa_run_id: runId }, query: { ...common, sortBy, ...range } },
    ...init,
  });
  return { items: (data?.items ?? []) as readonly QaPageRow[], total: data?.total ?? 0 };
}

/** One page, which may be outside the part of the list that is shown. */
export function usePage(id: string, run: Run | undefined, pageId: string | undefined) {
  const { oid } = useOrg();
  return useQuery({
    queryKey: ['qa-page', oid, id, run?.id, pageId],
    enabled: pageId !== undefined,
    queryFn: async (): Promise<QaPageRow | undefined> => {
      const path = { oid, crawl_id: id, page_id: pageId ?? '' };
      const { data } = run
        ? await client.GET('/api/orgs/{oid}/crawls/{crawl_id}/qa/{qa_run_id}/pages/{page_id}', {
            params: { path: { ...path, qa_run_id: run.id } },
          })
        : await client.GET('/api/orgs/{oid}/crawls/{crawl_id}/pages/{page_id}', { params: { path } });
      return data;
    },
  });
}

/** What a reviewer does with pages and with the whole item. */
export function useReviewing(id: string) {
  const { oid } = useOrg();
  const cache = useQueryClient();
  return useMemo(() => {
    const refresh = () =>
      Promise.all([
        cache.invalidateQueries({ queryKey: ['qa-page', oid, id] }),
        cache.invalidateQueries({ queryKey: ['qa-pages', oid, id] }),
      ]);
    const path = (pageId: string) => ({ path: { oid, crawl_id: id, page_id: pageId } });
    return {
      refresh,
      async decide(pageId: string, approved: boolean | null): Promise<void> {
        // Shown at once; whoever goes on by keyboard does not wait.
        cache.setQueriesData<QaPageRow>({ queryKey: ['qa-page', oid, id] }, (old) =>
          old?.id === pageId ? { ...old, approved } : old,
        );
        const { response } = await client.PATCH('/api/orgs/{oid}/crawls/{crawl_id}/pages/{page_id}', {
          params: path(pageId),
          body: { approved },
        });
        if (response.ok) await refresh();
      },
      async note(pageId: string, text: string): Promise<void> {
        await client.POST('/api/orgs/{oid}/crawls/{crawl_id}/pages/{page_id}/notes', {
          params: path(pageId),
          body: { text },
        });
        await refresh();
      },
      async removeNote(pageId: string, noteId: string): Promise<void> {
        await client.POST('/api/orgs/{oid}/crawls/{crawl_id}/pages/{page_id}/notes/delete', {
          params: path(pageId),
          body: { delete_list: [noteId] },
        });
        await refresh();
      },
      async rate(reviewStatus: number, description: string): Promise<void> {
        await client.PATCH('/api/orgs/{oid}/crawls/{crawl_id}', {
          params: { path: { oid, crawl_id: id } },
          body: { reviewStatus, description },
        });
        await cache.invalidateQueries({ queryKey: ['get', '/api/orgs/{oid}/crawls/{crawl_id}'] });
      },
    };
  }, [cache, oid, id]);
}

/** Starts, ends and deletes runs. */
export function useRunActions(id: string) {
  const { oid } = useOrg();
  const cache = useQueryClient();
  return useMemo(() => {
    const params = { path: { oid, crawl_id: id } };
    const refresh = () => cache.invalidateQueries({ queryKey: ['get', '/api/orgs/{oid}/crawls/{crawl_id}/qa'] });
    return {
      async start(limit: number | undefined, urlMatch: string): Promise<void> {
        const query = { ...(limit ? { limit } : {}), ...(urlMatch ? { urlMatch } : {}) };
        await client.POST('/api/orgs/{oid}/crawls/{crawl_id}/qa/start', { params: { ...params, query } });
        await refresh();
      },
      async stop(): Promise<void> {
        await client.POST('/api/orgs/{oid}/crawls/{crawl_id}/qa/stop', { params });
        await refresh();
      },
      async cancel(): Promise<void> {
        await client.POST('/api/orgs/{oid}/crawls/{crawl_id}/qa/cancel', { params });
        await refresh();
      },
      async remove(runId: string): Promise<void> {
        await client.POST('/api/orgs/{oid}/crawls/{crawl_id}/qa/delete', { params, body: { qa_run_ids: [runId] } });
        await refresh();
      },
    };
  }, [cache, oid, id]);
}
