import type { ByteRange } from './object-store.js';

/** First byte and number of bytes; null when the range lies outside an object of `sizeBytes` (RFC 9110 §14.1.2). */
export function resolveRange(range: ByteRange, sizeBytes: number): { start: number; length: number } | null {
  if ('suffix' in range) {
    const length = Math.min(range.suffix, sizeBytes);
    return length > 0 ? { start: sizeBytes - length, length } : null;
  }
  const end = Math.min(range.end ?? sizeBytes - 1, sizeBytes - 1);
  if (range.start >= sizeBytes || range.start > end) return null;
  return { start: range.start, length: end - range.start + 1 };
}

/**
 * The single byte range of a `Range` header. It is undefined when the header has to be ignored: when it is absent or
 * malformed, names another unit, or asks for several ranges, which a server may answer in full (RFC 9110 §14.2).
 */
export function parseRangeHeader(header: string | undefined): ByteRange | undefined {
  const match = /^bytes=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i.exec(header ?? '');
  if (!match) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '') return last === '' ? undefined : { suffix: Number(last) };
  if (last === '') return { start: Number(first) };
  return Number(last) < Number(first) ? undefined : { start: Number(first), end: Number(last) };
}

/** The range as `bytes=…`, for a request to a store. */
export function rangeHeader(range: ByteRange): string {
  return 'suffix' in range ? `bytes=-${range.suffix}` : `bytes=${range.start}-${range.end ?? ''}`;
}
