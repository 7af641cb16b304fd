import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { client } from '../api/client';
import { useOrg } from './me';
import { replayOrigin } from './session';

/** The archives that a frame reads: of an archived item, and of one of its QA runs. */
export interface ArchivesOf {
  readonly itemId: string;
  readonly runId?: string;
}

/** Where a record lies: in what a crawl saw, or in what its QA run saw at replay. */
export type Source = 'item' | 'qa';

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

/** A token that opens these archives for replay, and nothing else. */
function useRecordsToken(of: ArchivesOf | undefined): string | undefined {
  const { oid } = useOrg();
  const { data } = useQuery({
    queryKey: ['records-token', oid, of?.itemId],
    staleTime: TOKEN_MS,
    gcTime: 0,
    refetchOnWindowFocus: false,
    enabled: replayOrigin !== '' && of !== undefined,
    queryFn: async () => {
      const body = { oid, kind: 'item', id: of?.itemId ?? '' } as const;
      const { data: answer } = await client.POST('/api/auth/jwt/replay', { body });
      return answer?.token ?? '';
    },
  });
  return data;
}
const TOKEN_MS = 30 * 60_000;

/**
 * Reads records out of archives by a frame of the replay origin, which shows nothing (`records.js`). The frame has a
 * token for these archives alone. @returns no `read` while the frame is not ready
 */
export function useRecords(of: ArchivesOf | undefined): { frame: ReactNode; read?: ReadRecord } {
  const { oid } = useOrg();
  const frame = useRef<HTMLIFrameElement>(null);
  const asked = useRef(new Map<number, Asked>());
  const [ready, setReady] = useState('');
  const token = useRecordsToken(of);
  const { itemId = '', runId } = of ?? {};
  const address = useMemo(() => {
    if (!token || !itemId) return '';
    const query = new URLSearchParams({ oid, item: itemId, ...(runId ? { run: runId } : {}) });
    return `${replayOrigin}/replay-page/records.html?${query.toString()}#replay_token=${encodeURIComponent(token)}`;
  }, [token, oid, itemId, runId]);
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
