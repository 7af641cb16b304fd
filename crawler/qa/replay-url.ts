import { compactTimestamp } from '../../formats/cdx/cdxj.js';
import { COLLECTION } from './replay-server.js';

/** Where replay shows a page: `/replay/w/<collection>/<ts>mp_/<url>`. */
export function replayUrl(origin: string, url: string, ts: string): string {
  return `${origin}/replay/w/${COLLECTION}/${compactTimestamp(ts).slice(0, 14)}mp_/${url}`;
}

/**
 * The recorded URL behind a replayed one; null for the replay's own files and for its redirect from the address asked
 * for to the one under which it keeps the collection (`/replay/w/<collection>/:<hash>/<ts>mp_/<url>`).
 */
export function originalUrl(origin: string, replayed: string): string | null {
  const prefix = `${origin}/replay/w/${COLLECTION}/:`;
  if (!replayed.startsWith(prefix)) return null;
  const url = /^[^/]+\/\d*(?:[a-z]{2}_)?\/(.+)$/.exec(replayed.slice(prefix.length))?.[1];
  return url && /^https?:/.test(url) ? url : null;
}

export interface Counts {
  readonly good: number;
  readonly bad: number;
}

/** How many of the URLs were answered well. http and https only; status 400 and up, or no answer, is bad. */
export function countResources(urls: Iterable<readonly [url: string, status: number]>): Counts {
  const counts = { good: 0, bad: 0 };
  for (const [url, status] of urls) {
    if (!/^https?:/.test(url)) continue;
    if (status >= 400 || status === 0) counts.bad++;
    else counts.good++;
  }
  return counts;
}
