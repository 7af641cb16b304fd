import { compactTimestamp } from '../../formats/cdx/cdxj.js';
import { COLLECTION } from './replay-server.js';

/** The address under which replay shows a page: `/replay/w/<collection>/<ts>mp_/<url>`. */
export function replayUrl(origin: string, url: string, ts: string): string {
  return `${origin}/replay/w/${COLLECTION}/${compactTimestamp(ts).slice(0, 14)}mp_/${url}`;
}

/**
 * The recorded URL behind a replayed one; null for the replay's own files, and for its redirect to the address of the
 * collection (`/replay/w/<collection>/:<hash>/<ts>mp_/<url>`).
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

/** Counts good and bad answers of http and https URLs. Status 400 and up, or no answer, is bad. */
export function countResources(urls: Iterable<readonly [url: string, status: number]>): Counts {
  const counts = { good: 0, bad: 0 };
  for (const [url, status] of urls) {
    if (!/^https?:/.test(url)) continue;
    if (status >= 400 || status === 0) counts.bad++;
    else counts.good++;
  }
  return counts;
}
