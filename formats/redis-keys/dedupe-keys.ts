import { isoOfTimestamp } from '../cdx/timestamp.js';

/** Names of a collection's dedupe index in Redis. Source: crawling §13. */

/** Hash: digest without its algorithm -> crawl that holds the original. Covers the crawls that were committed. */
export const ORIGINALS_KEY = 'alldupes';

/** Hash of one crawl: digest without its algorithm -> `<number of the WACZ> <date> <url> <size>`. */
export const digestsKey = (crawlId: string): string => `h:${crawlId}`;

/** List of one crawl's WACZs, `{filename, hash, size}` each. */
export const waczsKey = (crawlId: string): string => `c:${crawlId}:wacz`;

/** The run whose copy of an index this database of Redis holds. Upstream does not know the names with `muniment`. */
export const INDEX_OWNER_KEY = 'muniment:run';

/** Hash: source that the copy has whole -> item that it belongs to. */
export const COPIED_SOURCES_KEY = 'muniment:sources';

/** The value of a digest, as `parseDigestValue` reads it. Dates have 17 digits, as in an index of ours. */
export const digestValue = (wacz: number, { date, url, size }: { date: Date; url: string; size: number }): string =>
  `${String(wacz)} ${date.toISOString().replace(/\D/g, '')} ${url} ${String(size)}`;

/** The value of a digest; null for one that nobody understands. Dates are ISO or of 14 or 17 digits. */
export function parseDigestValue(value: string): { wacz: number; date: string; url: string; size: number } | null {
  const [, wacz, date = '', url = '', size] = /^(\d+) (\S+) (\S.*?)(?: (\d+))?$/.exec(value) ?? [];
  const iso = isoDate(date);
  if (wacz === undefined || !iso) return null;
  return { wacz: Number(wacz), date: iso, url, size: Number(size ?? 0) };
}

/** A date of 14 or 17 digits as ISO; one in ISO as it is. */
const isoDate = (date: string): string | null => isoOfTimestamp(date) ?? (Number.isNaN(Date.parse(date)) ? null : date);
