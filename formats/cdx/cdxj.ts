import { getSurt, postToGetUrl } from 'warcio/utils';

/** A request as the index records it. */
export interface IndexedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array | null;
}

export interface CdxKey {
  readonly key: string;
  readonly method?: string;
  readonly requestBody?: string;
}

/** The index key of a URL. The key never holds a space, because a space ends the key in an index line. */
export const urlKey = (url: string): string => getSurt(url).replace(/\s/g, '%20');

/**
 * The index key of a request. For anything but GET the request body becomes part of the URL, by the very function that
 * replay uses to look it up.
 */
export function cdxKey({ method, url, headers, body }: IndexedRequest): CdxKey {
  if (method === 'GET' || method === 'HEAD') return { key: urlKey(url) };
  const postData = body ?? new Uint8Array();
  const converted = { method, url, headers: new Map(headers), postData, requestBody: '' as string | undefined };
  if (!postToGetUrl(converted)) return { key: urlKey(url), method };
  return { key: urlKey(converted.url), method, requestBody: converted.requestBody ?? '' };
}

/** `2026-11-21T06:44:56.283Z` -> `20261121064456283` */
export function compactTimestamp(iso: string): string {
  return iso.replace(/\D/g, '');
}

/** A line of an index, without its end. Offset, length and status in `fields` are strings, as replay reads them. */
export function cdxjLine({ key, ts, fields }: { key: string; ts: string; fields: object }): string {
  return `${key} ${ts} ${JSON.stringify(fields)}`;
}

/** Parses a line that `cdxjLine` or another writer wrote. Returns null for text that is no index line. */
export function parseCdxjLine(line: string): { key: string; ts: string; fields: Record<string, unknown> } | null {
  const [, key = '', ts = '', json = ''] = /^(.*?) (\d+) (\{.*)$/.exec(line) ?? [];
  try {
    return { key, ts, fields: JSON.parse(json) as Record<string, unknown> };
  } catch {
    return null;
  }
}
