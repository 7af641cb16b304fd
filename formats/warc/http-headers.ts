import { STATUS_CODES } from 'node:http';

/** Header fields in the order received; names may repeat. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** Fields that describe the bytes on the wire. The record holds decoded bytes, so these fields are renamed in it. */
const WIRE_ONLY = new Set(['content-encoding', 'transfer-encoding']);

/**
 * Response headers as the record holds them, for a decoded body of `bodyBytes`: `content-encoding`,
 * `transfer-encoding` and a `content-length` that no longer holds are renamed to `x-orig-*`. Design crawler.md §7.
 */
export function recordedHeaders(headers: HeaderList, bodyBytes: number | null): [string, string][] {
  const out: [string, string][] = [];
  let hasLength = false;
  for (const [name, value] of splitMultiValues(headers)) {
    const lower = name.toLowerCase();
    if (name.startsWith(':')) continue;
    if (WIRE_ONLY.has(lower)) {
      out.push([`x-orig-${name}`, value]);
    } else if (lower === 'content-length' && bodyBytes !== null && Number(value) !== bodyBytes) {
      out.push([`x-orig-${name}`, value]);
    } else {
      if (lower === 'content-length') hasLength = true;
      out.push([name, value]);
    }
  }
  if (!hasLength && bodyBytes !== null) out.push(['Content-Length', String(bodyBytes)]);
  return out;
}

/** HTTP/2 has no reason phrase, but WARC needs a status line that parsers of HTTP/1.1 read. */
export function statusLine(status: number, text?: string): string {
  const phrase = (text && text.replace(/[^\x20-\x7e]/g, '')) || STATUS_CODES[status] || 'Unknown';
  return `HTTP/1.1 ${status} ${phrase}`;
}

/** Start line and headers as bytes, ending with the empty line. */
export function httpHead(startLine: string, headers: HeaderList): Buffer {
  const lines = headers
    .filter(([name]) => !name.startsWith(':'))
    .map(([name, value]) => `${name}: ${ascii(value)}\r\n`);
  return Buffer.from(`${startLine}\r\n${lines.join('')}\r\n`, 'latin1');
}

export function headerValue(headers: HeaderList, name: string): string | undefined {
  return headers.find(([key]) => key.toLowerCase() === name)?.[1];
}

/** The media type without parameters, lower-case; empty when there is none. */
export function mimeOf(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1)[0]!.trim().toLowerCase();
}

/** A header value that fits an ASCII header block on one line. */
export function ascii(value: string): string {
  return value
    .replace(/[\r\n]+/g, ' ')
    .replace(/[^\x20-\x7e\t]+/g, (part) => encodeURIComponent(toWellFormed(part)))
    .trim();
}

/** Replaces lone surrogates, which would make `encodeURIComponent` throw. */
function toWellFormed(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}

/** Splits repeated headers, which DevTools joins with newlines. */
function* splitMultiValues(headers: HeaderList): Generator<[string, string]> {
  for (const [name, value] of headers) for (const part of value.split('\n')) yield [name, part];
}
