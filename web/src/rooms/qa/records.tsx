import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { client } from '../../api/client';
import { useOrg } from '../../session/me';
import { replayOrigin } from '../../session/session';
import type { QaPageRow } from './queries';

/** Where a record lies: in what the crawl saw, or in what the QA run saw at replay. */
export type Source = 'crawl' | 'qa';

/** A record that is not there is null. */
export type ReadRecord = (source: Source, urn: string, ts: string | null | undefined) => Promise<ArrayBuffer | null>;

interface Answer {
  readonly type: string;
  readonly id: number;
  readonly status: number;
  readonly body: ArrayBuffer;
}
interface Asked {
  readonly done: (bytes: ArrayBuffer | null) => void;
  readonly failed: (error: Error) => void;
}
const isAnswer = (data: unknown): data is Answer => typeof data === 'object' && data !== null && 'type' in data;
const OPEN_MS = 75_000;

/** A token that opens the crawl's archive and those of its QA runs for replay, and nothing else. */
function useRecordsToken(crawlId: string): string | undefined {
  const { oid } = useOrg();
  const { data } = useQuery({
    queryKey: ['records-token', oid, crawlId],
    staleTime: TOKEN_MS,
    gcTime: 0,
    refetchOnWindowFocus: false,
    enabled: replayOrigin !== '',
    queryFn: async () => {
      const { data: answer } = await client.POST('/api/auth/jwt/replay', { body: { oid, kind: 'item', id: crawlId } });
      return answer?.token ?? '';
    },
  });
  return data;
}
const TOKEN_MS = 30 * 60_000;

/**
 * Reads records out of the archives of a crawl and its QA run by a frame of the replay origin, which shows nothing
 * (`records.js`). The frame has a token for this crawl alone. @returns undefined while the frame is not ready
 */
export function useRecords(crawlId: string, runId: string | undefined): { frame: ReactNode; read?: ReadRecord } {
  const { oid } = useOrg();
  const frame = useRef<HTMLIFrameElement>(null);
  const asked = useRef(new Map<number, Asked>());
  const [ready, setReady] = useState('');
  const token = useRecordsToken(crawlId);
  const address = useMemo(() => {
    if (!token || !runId) return '';
    const query = new URLSearchParams({ oid, item: crawlId, run: runId });
    return `${replayOrigin}/replay-page/records.html?${query.toString()}#replay_token=${encodeURIComponent(token)}`;
  }, [token, runId, oid, crawlId]);
  useEffect(() => {
    const hear = ({ source, origin, data }: MessageEvent<unknown>): void => {
      if (origin !== replayOrigin || source !== frame.current?.contentWindow || !isAnswer(data)) return;
      if (data.type === 'ready') setReady(address);
      if (data.type !== 'record') return;
      const waiting = asked.current.get(data.id);
      asked.current.delete(data.id);
      if (data.status === 0) waiting?.failed(new Error('the archive could not be opened'));
      else waiting?.done(data.status === 200 ? data.body : null);
    };
    addEventListener('message', hear);
    return () => removeEventListener('message', hear);
  }, [address]);
  const read = useCallback<ReadRecord>(
    (source, urn, ts) =>
      new Promise((done, failed) => {
        const id = nextId++;
        asked.current.set(id, { done, failed });
        setTimeout(() => failed(new Error('the archive did not answer')), OPEN_MS);
        frame.current?.contentWindow?.postMessage({ type: 'record', id, source, urn, ts }, replayOrigin);
      }),
    [],
  );
  const element = address && (
    <iframe
      key={address}
      ref={frame}
      src={address}
      title="records"
      hidden
      tabIndex={-1}
      sandbox="allow-scripts allow-same-origin"
    />
  );
  return { frame: element || null, ...(ready !== '' && ready === address ? { read } : {}) };
}
let nextId = 1;

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
      const [crawl, qa] = await Promise.all([read('crawl', urn, ts), read('qa', urn, ts)]);
      return { crawl, qa };
    },
  });
}
