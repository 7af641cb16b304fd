import { readRange, type ByteSource } from '../zip/byte-source.js';
import { readLines } from '../wacz/lines.js';

/** Bytes of one look into a text. Lines of an index are some hundred bytes long. */
const LOOK_BYTES = 16 * 1024;
/** Bytes that are read at once in order. No connection stays open between two reads. */
const PART_BYTES = 128 * 1024;
/** Longest line of an index; longer ones are left out. */
const MAX_LINE_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

/** A part of a file. */
export interface Extent {
  readonly start: number;
  /** Bytes. */
  readonly size: number;
}

/**
 * Lines from `from` (inclusive) to `until` (exclusive), compared by their bytes. Lines are texts with one character for
 * each of their bytes, so that comparing them compares bytes.
 */
export interface LineRange {
  readonly from: string;
  /** Null: to the end. */
  readonly until: string | null;
}

export const EVERYTHING: LineRange = { from: '', until: null };

/** The bytes of a place, in parts that are each read to their end before they are handed on. */
export async function* partsOf(source: ByteSource, { start, size }: Extent): AsyncGenerator<Buffer> {
  for (let at = 0; at < size;) {
    const part = await readRange(source, start + at, Math.min(PART_BYTES, size - at));
    if (part.length === 0) return;
    at += part.length;
    yield part;
  }
}

/** Lines of unpacked bytes, one character for each byte. */
export const linesOf = (chunks: AsyncIterable<Buffer>): AsyncGenerator<string> =>
  readLines(chunks, MAX_LINE_BYTES, 'latin1');

/**
 * The lines of a sorted text from about `from` on: the first one is less than `from`, or the text's first. Everything
 * before is found by bisection and not read.
 */
export async function* linesNear(source: ByteSource, place: Extent, from: string): AsyncGenerator<string> {
  const start = from === '' ? 0 : await lastBefore(source, place, from);
  yield* linesOf(partsOf(source, { start: place.start + start, size: place.size - start }));
}

/** The lines of a sorted text that lie in a range. */
export async function* linesWithin(source: ByteSource, place: Extent, range: LineRange): AsyncGenerator<string> {
  yield* within(linesNear(source, place, range.from), range);
}

/** Cuts a range out of sorted lines. */
export async function* within(lines: AsyncIterable<string>, { from, until }: LineRange): AsyncGenerator<string> {
  for await (const line of lines) {
    if (until !== null && line >= until) return;
    if (line >= from) yield line;
  }
}

/** Offset of a line that is less than `from` and lies close before it; 0 when there is none. */
async function lastBefore(source: ByteSource, place: Extent, from: string): Promise<number> {
  let low = 0;
  let high = place.size;
  while (high - low > LOOK_BYTES) {
    const middle = low + Math.floor((high - low) / 2);
    const line = await lineAfter(source, place, { at: middle, high, length: from.length });
    if (line && line.text < from) low = line.offset;
    else high = middle;
  }
  return low;
}

/** The start of the first line that begins after `at`, with as many bytes as the comparison needs; null behind `high`. */
async function lineAfter(
  source: ByteSource,
  place: Extent,
  { at, high, length }: { at: number; high: number; length: number },
): Promise<{ offset: number; text: string } | null> {
  let bytes = Buffer.alloc(0);
  for (;;) {
    const more = Math.min(LOOK_BYTES, place.size - at - bytes.length);
    if (more > 0) bytes = Buffer.concat([bytes, await readRange(source, place.start + at + bytes.length, more)]);
    const end = bytes.indexOf(NEWLINE);
    const offset = at + end + 1;
    if (end >= 0 && offset >= high) return null;
    if (end >= 0 && (more <= 0 || bytes.length - end - 1 >= length))
      return { offset, text: bytes.toString('latin1', end + 1, end + 1 + length).split('\n', 1)[0] ?? '' };
    if (more <= 0 || (end < 0 && at + bytes.length >= high)) return null;
  }
}
