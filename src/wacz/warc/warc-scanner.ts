import { UnreadableWacz } from '../../../formats/unreadable-wacz.js';
import { GzipMembers } from './gzip-members.js';
import { parseRecordHead, type RecordHead } from '../../../formats/warc/record-head.js';

/** Longest header block of a record; the longest real URLs stay far below. */
const MAX_HEAD = 256 * 1024;
const CR = 0x0d;
const LF = 0x0a;
/** Unpacked bytes that a file may hold beyond `MAX_RATIO` times its size. More is a bomb, not an archive. */
const FREE_BYTES = 1024 ** 3;
const MAX_RATIO = 200;

/** Place of a record in its file, packed as it is. */
export interface RecordPlace {
  readonly offset: number;
  readonly length: number;
}

/** Receives a scan in file order: for each record `begin`, its block in pieces, `end`. */
export interface RecordSink {
  begin(head: RecordHead): void | Promise<void>;
  block(bytes: Buffer): void | Promise<void>;
  /** `place` is null when records share gzip members. */
  end(place: RecordPlace | null): void | Promise<void>;
}

/** Several records share one gzip member, so none of them can be read by range. */
export class NotPackedPerRecord extends Error {}

export interface ScanOptions {
  readonly isGzip: boolean;
  /** Size of the file. */
  readonly packedBytes: number;
  /** True: accepts records that share gzip members; they have no place. */
  readonly anyMembers?: boolean;
  /** Unpacked bytes that are allowed in any file. */
  readonly freeBytes?: number;
}

/**
 * Reads a WARC file (ISO 28500) as it arrives: plain, or packed with one gzip member per record. Holds one header block
 * and one chunk for records of any size.
 */
export class WarcScanner {
  private stage: 'between' | 'head' | 'block' = 'between';
  private head: Buffer = Buffer.alloc(0);
  private blockLeft = 0;
  /** Start of the open record; in a packed file, of its gzip member. */
  private start: number | null = null;
  /** Unpacked bytes seen; in a plain file this is the position. */
  private position = 0;
  private memberStart = 0;
  private records = 0;
  private readonly gzip: GzipMembers | null;

  constructor(
    private readonly sink: RecordSink,
    private readonly options: ScanOptions,
  ) {
    const members = { data: (bytes: Buffer) => this.take(bytes), memberEnd: (at: number) => this.memberEnd(at) };
    this.gzip = options.isGzip ? new GzipMembers(members) : null;
  }

  /** @throws UnreadableWacz, NotPackedPerRecord, what the sink throws */
  async push(chunk: Buffer): Promise<void> {
    await (this.gzip ? this.gzip.push(chunk) : this.take(chunk));
  }

  /** @throws UnreadableWacz when the file ends within a record, or has none */
  async end(): Promise<void> {
    this.gzip?.end();
    if (this.stage !== 'between') throw new UnreadableWacz('truncated', 'the file ends within a record');
    await this.endRecord(this.position);
    if (this.records === 0) throw new UnreadableWacz('corrupt', 'the file has no records');
  }

  /** Frees the resources of a file that is given up. */
  close(): void {
    this.gzip?.close();
  }

  private async take(chunk: Buffer): Promise<void> {
    let rest = chunk;
    while (rest.length > 0) {
      const before = rest.length;
      if (this.stage === 'between') rest = await this.takeBetween(rest);
      else if (this.stage === 'head') rest = await this.takeHead(rest);
      else rest = await this.takeBlock(rest);
      this.position += before - rest.length;
    }
    const { freeBytes = FREE_BYTES, packedBytes } = this.options;
    if (this.position > freeBytes + MAX_RATIO * packedBytes) {
      throw new UnreadableWacz('too-large', 'the file unpacks to far more than it holds');
    }
  }

  /** Takes the line ends after a block. The first other byte begins the next record. */
  private async takeBetween(bytes: Buffer): Promise<Buffer> {
    const first = bytes.findIndex((byte) => byte !== CR && byte !== LF);
    if (first < 0) return bytes.subarray(bytes.length);
    const position = this.position + first;
    if (this.start !== null && this.gzip && !this.options.anyMembers) throw new NotPackedPerRecord();
    await this.endRecord(position);
    this.start = this.gzip ? this.memberStart : position;
    this.stage = 'head';
    return bytes.subarray(first);
  }

  private async takeHead(bytes: Buffer): Promise<Buffer> {
    const known = this.head.length;
    this.head = known > 0 ? Buffer.concat([this.head, bytes]) : bytes;
    const length = headLength(this.head, known);
    if (length === null) {
      if (this.head.length > MAX_HEAD) throw new UnreadableWacz('corrupt', 'a record header does not end');
      if (known === 0) this.head = Buffer.from(bytes);
      return bytes.subarray(bytes.length);
    }
    const head = parseRecordHead(Buffer.from(this.head.subarray(0, length)));
    this.head = Buffer.alloc(0);
    this.records += 1;
    this.blockLeft = head.contentLength;
    this.stage = this.blockLeft > 0 ? 'block' : 'between';
    await this.sink.begin(head);
    return bytes.subarray(length - known);
  }

  private async takeBlock(bytes: Buffer): Promise<Buffer> {
    const part = bytes.subarray(0, this.blockLeft);
    this.blockLeft -= part.length;
    if (this.blockLeft === 0) this.stage = 'between';
    await this.sink.block(part);
    return bytes.subarray(part.length);
  }

  private async memberEnd(offset: number): Promise<void> {
    if (!this.options.anyMembers) {
      if (this.stage !== 'between') throw new NotPackedPerRecord();
      await this.endRecord(offset);
    }
    this.memberStart = offset;
  }

  private async endRecord(end: number): Promise<void> {
    if (this.start === null) return;
    const place = this.gzip && this.options.anyMembers ? null : { offset: this.start, length: end - this.start };
    this.start = null;
    await this.sink.end(place);
  }
}

/** Length of the header block with its blank line; null while that is missing. The first `known` bytes had none. */
function headLength(bytes: Buffer, known: number): number | null {
  const from = Math.max(0, known - 3);
  const strict = bytes.indexOf('\r\n\r\n', from, 'latin1');
  const bare = bytes.indexOf('\n\n', from, 'latin1');
  if (bare >= 0 && (strict < 0 || bare < strict)) return bare + 2;
  return strict >= 0 ? strict + 4 : null;
}
