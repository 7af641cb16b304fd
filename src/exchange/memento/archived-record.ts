import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { partsOf } from '../../../formats/cdx/sorted-text.js';
import { UnreadableWacz } from '../../../formats/unreadable-wacz.js';
import { parseRecordHead, headerFields } from '../../../formats/warc/record-head.js';
import { unpacked } from '../../../formats/zip/unpacked.js';
import { ZipArchive } from '../../../formats/zip/zip-archive.js';
import type { ByteSource } from '../../../formats/zip/byte-source.js';

/** Longest header block of a record, or of the message in it. */
const MAX_HEAD = 256 * 1024;

/** Where a record lies: a member of an archive, and a part of it. */
export interface RecordPlaceInArchive {
  /** Name of the WARC file in the archive. */
  readonly filename: string;
  readonly offset: number;
  readonly length: number;
}

/** A record as it is read. */
export interface ArchivedRecord {
  /** `response`, `revisit`, `resource` and others. */
  readonly type: string;
  /** Fields of the record by name in lower case. */
  readonly fields: ReadonlyMap<string, string>;
  /** Null for what is no HTTP response. */
  readonly status: number | null;
  /** Fields of the HTTP response; empty without one. */
  readonly headers: ReadonlyMap<string, string>;
  /** Bytes of `body`. */
  readonly bodyBytes: number;
  /** The bytes behind the headers as they were recorded. Must be consumed or returned. */
  readonly body: AsyncGenerator<Buffer>;
}

/** @throws UnreadableWacz, the source's error */
export async function readRecord(source: ByteSource, place: RecordPlaceInArchive): Promise<ArchivedRecord> {
  const archive = await ZipArchive.open(source);
  const [entry] = await archive.find((name) => name === `archive/${place.filename}`);
  if (!entry || entry.method !== 0)
    throw new UnreadableWacz('unsupported', `${place.filename} cannot be read by range`);
  const { start, size } = await archive.packed(entry);
  if (!(place.offset >= 0 && place.length > 0 && place.offset + place.length <= size))
    throw new UnreadableWacz('corrupt', 'the index names a record outside its file');
  const packed = partsOf(source, { start: start + place.offset, size: place.length });
  const bytes = new Unread(
    entry.name.endsWith('.gz')
      ? unpacked(Readable.from(packed, { objectMode: false }), createGunzip(), 'a record')
      : packed,
  );
  try {
    return await parsed(bytes);
  } catch (error) {
    await bytes.close();
    throw error;
  }
}

async function parsed(bytes: Unread): Promise<ArchivedRecord> {
  const raw = await bytes.head();
  const head = parseRecordHead(raw);
  const fields = headerFields(raw.toString('utf8').split(/\r?\n/).slice(1));
  const isHttp = /^application\/http\b/i.test(head.contentType) && head.contentLength > 0;
  const message = isHttp ? await bytes.head(head.contentLength) : Buffer.alloc(0);
  const [first = '', ...lines] = message.toString('latin1').split(/\r?\n/);
  const bodyBytes = head.contentLength - message.length;
  return {
    type: head.type,
    fields,
    status: Number(/^HTTP\/\S+ +(\d{3})\b/.exec(first)?.[1] ?? 0) || null,
    headers: headerFields(lines),
    bodyBytes,
    body: bytes.take(bodyBytes),
  };
}

/** Bytes that are taken from the front. */
class Unread {
  private pending: Buffer = Buffer.alloc(0);

  constructor(private readonly rest: AsyncGenerator<Buffer>) {}

  close(): Promise<unknown> {
    return this.rest.return(undefined);
  }

  /** Takes the lines up to the first blank one, with it. @param most bytes that may belong to them */
  async head(most = MAX_HEAD): Promise<Buffer> {
    for (;;) {
      const end = endOfHead(this.pending);
      if (end !== null && end <= most) return this.cut(end);
      const next = this.pending.length > Math.min(most, MAX_HEAD) ? null : await this.rest.next();
      if (!next || next.done) throw new UnreadableWacz('corrupt', 'the header block of a record does not end');
      this.pending = Buffer.concat([this.pending, next.value]);
    }
  }

  async *take(count: number): AsyncGenerator<Buffer> {
    try {
      let left = count;
      if (this.pending.length > 0 && left > 0) {
        const first = this.cut(Math.min(left, this.pending.length));
        left -= first.length;
        yield first;
      }
      while (left > 0) {
        const next = await this.rest.next();
        if (next.done) throw new UnreadableWacz('truncated', 'a record ends early');
        const part = next.value.subarray(0, left);
        left -= part.length;
        yield part;
      }
    } finally {
      await this.close();
    }
  }

  private cut(length: number): Buffer {
    const taken = this.pending.subarray(0, length);
    this.pending = this.pending.subarray(length);
    return taken;
  }
}

function endOfHead(bytes: Buffer): number | null {
  const strict = bytes.indexOf('\r\n\r\n', 0, 'latin1');
  const bare = bytes.indexOf('\n\n', 0, 'latin1');
  if (bare >= 0 && (strict < 0 || bare < strict)) return bare + 2;
  return strict >= 0 ? strict + 4 : null;
}

/** The bytes of a body that was recorded in chunks, RFC 9112 §7.1. A body recorded without them stays as it is. */
export async function* dechunked(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pending = Buffer.alloc(0);
  let left = 0;
  let isPlain = false;
  let isFirst = true;
  for await (const bytes of body) {
    pending = pending.length > 0 ? Buffer.concat([pending, bytes]) : Buffer.from(bytes);
    while (pending.length > 0) {
      if (isPlain || left > 0) {
        const part = isPlain ? pending : pending.subarray(0, left);
        left = isPlain ? 0 : left - part.length;
        pending = pending.subarray(part.length);
        yield part;
        continue;
      }
      const line = /^(?:\r\n)?([\da-f]{1,8})[ \t]*(?:;[^\r\n]{0,200})?\r\n/i.exec(pending.toString('latin1', 0, 256));
      if (!line && pending.length < 256 && /^(?:\r\n?)?[\da-f]{0,8}[^\r\n]*\r?$/i.test(pending.toString('latin1')))
        break;
      if (!line && !isFirst) return;
      isFirst = false;
      if (!line) isPlain = true;
      else {
        left = parseInt(line[1] ?? '0', 16);
        pending = pending.subarray(line[0].length);
        if (left === 0) return;
      }
    }
  }
  // A short body that looks like the beginning of a chunk.
  if (isFirst && pending.length > 0) yield pending;
}
