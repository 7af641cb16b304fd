import { useEffect, useState } from 'react';
import { withToken } from '../../api/client';

/** What a window of the crawler's browser shows. */
export interface Frame {
  readonly url: string;
  /** Address of the picture. */
  readonly src: string;
}
/** Frames by the number of their window. */
export type Frames = ReadonlyMap<number, Frame>;

type Message =
  | { readonly msg: 'screencast'; readonly id: number; readonly url: string; readonly data: string }
  | { readonly msg: 'close'; readonly id: number }
  | { readonly msg: 'init' };

const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 30_000;
const ENDED = 1000;
const NONE: Frames = new Map();

interface Watched {
  readonly oid: string;
  readonly crawlId: string;
  /** Number of crawler instances; each has a socket of its own. */
  readonly instances: number;
  /** Whether there may be something to see. */
  readonly isLive: boolean;
}

/** The live windows of a crawl (crawling §5.11). Sockets are open only while the page is looked at. */
export function useFrames({ oid, crawlId, instances, isLive }: Watched): Frames {
  const [frames, setFrames] = useState<Frames>(NONE);
  const isSeen = useIsSeen();
  useEffect(() => {
    if (!isLive || !isSeen) return undefined;
    const show = (message: Message): void => setFrames((before) => withMessage(before, message));
    const stops = Array.from({ length: instances }, (_, n) => watch(`/watch/${oid}/${crawlId}/${String(n)}/ws`, show));
    return () => stops.forEach((stop) => stop());
  }, [oid, crawlId, instances, isLive, isSeen]);
  useEffect(() => (isLive ? undefined : () => setFrames(NONE)), [isLive, crawlId]);
  return frames;
}

function withMessage(before: Frames, message: Message): Frames {
  if (message.msg === 'screencast' && message.url !== 'about:blank')
    return new Map(before).set(message.id, { url: message.url, src: `data:image/png;base64,${message.data}` });
  if (message.msg === 'close' && before.has(message.id)) {
    const after = new Map(before);
    after.delete(message.id);
    return after;
  }
  return before;
}

/** Keeps a socket open until the service ends it or `stop` is called. @returns stop */
function watch(path: string, show: (message: Message) => void): () => void {
  let waitMs = FIRST_WAIT_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let socket: WebSocket | null = null;
  let isStopped = false;
  const open = (): void => {
    socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}${withToken(path)}`);
    socket.onmessage = ({ data }: MessageEvent<unknown>) => {
      waitMs = FIRST_WAIT_MS;
      if (typeof data === 'string') show(JSON.parse(data) as Message);
    };
    socket.onclose = ({ code }) => {
      if (isStopped || code === ENDED) return;
      timer = setTimeout(open, waitMs);
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
    };
  };
  // A page that is left at once, as React does when it tries effects, opens no socket.
  timer = setTimeout(open, 0);
  return () => {
    isStopped = true;
    clearTimeout(timer);
    socket?.close();
  };
}

function useIsSeen(): boolean {
  const [isSeen, setSeen] = useState(() => !document.hidden);
  useEffect(() => {
    const look = (): void => setSeen(!document.hidden);
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return isSeen;
}
