import { useQuery } from '@tanstack/react-query';
import type { ReadRecord } from '../../session/records';
import type { QaPageRow } from './queries';

/** A page that a run looked at. */
export interface SeenPage {
  readonly page: QaPageRow;
  readonly runId: string;
  readonly read: ReadRecord | undefined;
}

interface Pair<T> {
  readonly crawl: T | null;
  readonly qa: T | null;
}
/** The records of one kind about a page, of both sides. */
export function usePair(kind: 'view' | 'text' | 'pageinfo', { page, runId, read }: SeenPage) {
  const { url, ts } = page;
  return useQuery({
    queryKey: ['qa-records', kind, runId, url, ts],
    enabled: read !== undefined,
    staleTime: Infinity,
    gcTime: 120_000,
    retry: false,
    queryFn: async (): Promise<Pair<ArrayBuffer>> => {
      if (!read) throw new Error('the frame is not ready');
      const urn = `urn:${kind}:${url}`;
      const [crawl, qa] = await Promise.all([read('item', urn, ts), read('qa', urn, ts)]);
      return { crawl, qa };
    },
  });
}
