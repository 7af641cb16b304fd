import { crc32, createInflateRaw } from 'node:zlib';

import { UnreadableWacz } from '../../../formats/unreadable-wacz.js';

const FIXED_HEADER = 10;
const TRAILER = 8;
/** Packed bytes taken at a time. They unpack to at most about a thousand times as much. */
const SLICE = 16 * 1024;
/** Longest member header. Real ones are short, because names and comments are. */
const MAX_HEADER = 64 * 1024;
const FLAG = { headerCrc: 2, extra: 4, name: 8, comment: 16 } as const;

export interface MemberSink {
  /** Receives unpacked bytes of the open member. */
  data(bytes: Buffer): Promise<void>;
  /** The member ended; `offset` is the first byte after it in the packed file. */
  memberEnd(offset: number): Promise<void>;
}

/**
 * Unpacks a gzip file as it arrives and tells where its members end, which `createGunzip` does not. Holds one chunk.
 */
export class GzipMembers {
  private pending: Buffer = Buffer.alloc(0);
  /** Offset of `pending` in the packed file. */
  private offset = 0;
  private body: MemberBody | null = null;

  constructor(private readonly sink: MemberSink) {}

  /** @throws UnreadableWacz */
  async push(chunk: Buffer): Promise<void> {
    this.pending = this.pending.length > 0 ? Buffer.concat([this.pending, chunk]) : chunk;
    while (await this.step());
  }

  /** @throws UnreadableWacz when the file ends within a member */
  end(): void {
    // Padding with zeros is allowed: RFC 1952 leaves it open and gzip ignores it.
    if (this.body || this.pending.some((byte) => byte !== 0)) {
      throw new UnreadableWacz('truncated', 'the file ends within a gzip member');
    }
  }

  /** Frees the resources of a file that is given up. */
  close(): void {
    this.body?.close();
  }

  /** @returns whether the pending bytes may allow another step */
  private async step(): Promise<boolean> {
    if (!this.body) {
      const length = headerLength(this.pending);
      if (length === null) return false;
      this.take(length);
      this.body = new MemberBody();
    }
    if (!this.body.isOver) {
      if (this.pending.length === 0) return false;
      this.take(await this.body.inflate(this.pending.subarray(0, SLICE), (bytes) => this.sink.data(bytes)));
      if (!this.body.isOver) return this.pending.length > 0;
    }
    if (this.pending.length < TRAILER) return false;
    this.body.verify(this.take(TRAILER));
    this.body = null;
    await this.sink.memberEnd(this.offset);
    return this.pending.length > 0;
  }

  private take(length: number): Buffer {
    const taken = this.pending.subarray(0, length);
    this.pending = this.pending.subarray(length);
    this.offset += length;
    return taken;
  }
}

/** The deflated part of one member. */
class MemberBody {
  isOver = false;
  private readonly inflater = createInflateRaw({ chunkSize: 64 * 1024 });
  private readonly unpacked: Buffer[] = [];
  private settle: { resolve: () => void; reject: (error: Error) => void } | null = null;
  private crc = 0;
  private size = 0;

  constructor() {
    this.inflater.on('data', (bytes: Buffer) => this.unpacked.push(bytes));
    this.inflater.once('end', () => {
      this.isOver = true;
      this.settle?.resolve();
    });
    this.inflater.on('error', (error) => this.settle?.reject(error));
  }

  /** @returns how many bytes of `input` belong to the body */
  async inflate(input: Buffer, take: (bytes: Buffer) => Promise<void>): Promise<number> {
    const before = this.inflater.bytesWritten;
    try {
      await new Promise<void>((resolve, reject) => {
        this.settle = { resolve, reject };
        // This callback does not run when the body ends before the input; then 'end' comes.
        this.inflater.write(input, (error) => (error ? reject(error) : resolve()));
      });
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? '';
      if (!code.startsWith('Z_')) throw error;
      throw new UnreadableWacz('corrupt', `a gzip member cannot be unpacked (${code})`, { cause: error });
    }
    for (const bytes of this.unpacked.splice(0)) {
      this.crc = crc32(bytes, this.crc);
      this.size += bytes.length;
      await take(bytes);
    }
    return this.inflater.bytesWritten - before;
  }

  verify(trailer: Buffer): void {
    this.inflater.destroy();
    if (trailer.readUInt32LE(0) !== this.crc || trailer.readUInt32LE(4) !== this.size % 2 ** 32) {
      throw new UnreadableWacz('corrupt', 'a gzip member does not match its checksum');
    }
  }

  close(): void {
    this.inflater.destroy();
  }
}

/** Length of the member header at the start of `bytes` (RFC 1952, 2.3); null while it is not complete. */
function headerLength(bytes: Buffer): number | null {
  if (bytes.length < FIXED_HEADER) return null;
  if (bytes.readUInt16BE(0) !== 0x1f8b || bytes[2] !== 8) {
    throw new UnreadableWacz('corrupt', 'what follows a gzip member is none');
  }
  const flags = bytes[3] ?? 0;
  let at = FIXED_HEADER;
  if (flags & FLAG.extra) {
    if (bytes.length < at + 2) return null;
    at += 2 + bytes.readUInt16LE(at);
  }
  for (const flag of [FLAG.name, FLAG.comment]) {
    if (!(flags & flag)) continue;
    const end = bytes.indexOf(0, at);
    if (end < 0) {
      if (bytes.length > MAX_HEADER) throw new UnreadableWacz('corrupt', 'endless gzip header');
      return null;
    }
    at = end + 1;
  }
  if (flags & FLAG.headerCrc) at += 2;
  return bytes.length < at ? null : at;
}
