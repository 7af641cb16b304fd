import { setTimeout as sleep } from 'node:timers/promises';
import { InProcessDuplex, type DuplexWebSocket } from '../drivers/duplex-websocket.js';

/**
 * Waits between two looks for something to watch. They are short at first, since short crawls are over in seconds. They
 * grow, since other viewers wait too.
 */
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 2_000;

export interface ScreencastSource {
  /** Opens the live view. Null when there is nothing to watch now. */
  open(): Promise<DuplexWebSocket | null>;
  /** Whether there may be something to watch later. */
  goesOn(): Promise<boolean>;
}

/**
 * The live view of a crawl, from before its browser exists to the end of the crawl. The connection stays open while
 * there is nothing to see. It closes when the crawl is over, or pauses.
 * @param first the live view that is there at once
 */
export function lastingScreencast(first: DuplexWebSocket | null, source: ScreencastSource): DuplexWebSocket {
  const left = new AbortController();
  let live = first;
  const viewer = new InProcessDuplex(
    (text) => live?.send(text),
    () => {
      left.abort();
      live?.close();
    },
  );
  const show = (connection: DuplexWebSocket): void => {
    live = connection;
    if (viewer.isClosed) return connection.close();
    connection.onMessage((text) => viewer.emit(text));
    connection.onClose(() => {
      live = null;
      void waitForNext();
    });
  };
  const waitForNext = async (): Promise<void> => {
    for (let waitMs = FIRST_WAIT_MS; !viewer.isClosed; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
      // The wait comes first: the last view may have ended at once, and the next would do so again.
      await sleep(waitMs, undefined, { ref: false, signal: left.signal }).catch(() => undefined);
      // A driver or a database that does not answer is asked again, as elsewhere in the supervision of crawls.
      const next = await source.open().catch(() => null);
      if (next) return show(next);
      if (!(await source.goesOn().catch(() => true))) return viewer.close();
    }
  };
  if (first) show(first);
  else void waitForNext();
  return viewer;
}
