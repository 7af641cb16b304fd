import { getSurt, postToGetUrl } from 'warcio/utils';
import { compactTimestamp } from '../base/time.js';

/** The JSON part of a CDXJ line, in the order it is written. Offset, length and status are strings (CDXJ as replay reads it). */
export interface CdxFields {
  url: string;
  mime?: string;
  status?: string;
  digest: string;
  length: string;
  offset: string;
  filename: string;
  method?: string;
  requestBody?: string;
}

/** One line of the working directory's `cdx.jsonl`. */
export interface CdxLine {
  key: string;
  ts: string;
  fields: CdxFields;
  /** Where the WARC file ends once this entry's records (the response's request included) are written. */
  end: number;
  /** The WACZ the record goes into. */
  wacz: string;
  /** For the dedupe map: the record's exact date. */
  date: string;
}

export interface RequestInfo {
  method: string;
  url: string;
  headers: ReadonlyMap<string, string>;
  body: Uint8Array | null;
}

export interface CdxKey {
  key: string;
  method?: string;
  requestBody?: string;
}

/**
 * The index key of a request. For anything but GET the request body becomes part of the URL, by the very function that
 * replay uses to look it up.
 */
export function cdxKey(request: RequestInfo): CdxKey {
  if (request.url.startsWith('urn:')) return { key: request.url };
  if (request.method === 'GET' || request.method === 'HEAD') return { key: getSurt(request.url) };
  const converted = {
    method: request.method,
    url: request.url,
    headers: new Map(request.headers),
    postData: request.body ?? new Uint8Array(),
    requestBody: '' as string | undefined,
  };
  if (!postToGetUrl(converted)) return { key: getSurt(request.url), method: request.method };
  return { key: getSurt(converted.url), method: request.method, requestBody: converted.requestBody ?? '' };
}

export function cdxTimestamp(date: string): string {
  return compactTimestamp(date);
}

/** The line as it stands in the index. */
export function cdxjLine(line: Pick<CdxLine, 'key' | 'ts' | 'fields'>): string {
  return `${line.key} ${line.ts} ${JSON.stringify(line.fields)}`;
}
