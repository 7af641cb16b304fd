import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Download } from '../../wacz/combined-download.js';
import { readMember, type MemberReader } from '../../wacz/member-reader.js';

/** Bytes of a WARC that are copied as they are. */
export interface CopiedBytes {
  readonly kind: 'copied';
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Reads the bytes from `start` to their end. */
  readonly open: MemberReader;
}

/** Records that are packed while they are sent. */
export interface MadeBytes {
  readonly kind: 'made';
  readonly name: string;
  readonly make: (signal?: AbortSignal) => AsyncIterable<Buffer>;
}

export type WarcPart = CopiedBytes | MadeBytes;

/**
 * The records of an item's WACZs as one `.warc.gz`: gzip files one after the other are one. Where all of them are
 * copied, the length is known before and any part can be sent.
 */
export class WarcDownload implements Download {
  readonly size: number | null;
  readonly isResumable: boolean;
  readonly etag: string;

  /** @param identity what changes when a file does */
  constructor(
    private readonly parts: readonly WarcPart[],
    identity: readonly string[],
  ) {
    const sizes = parts.map((part) => (part.kind === 'copied' ? part.size : null));
    this.isResumable = sizes.every((size) => size !== null);
    this.size = this.isResumable ? sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0) : null;
    const places = parts.map(({ name }, n) => `${name} ${String(sizes[n])}`);
    this.etag = `"${createHash('sha256')
      .update(JSON.stringify([identity, places]))
      .digest('hex')
      .slice(0, 32)}"`;
  }

  /** @throws MemberUnavailable */
  async check(signal?: AbortSignal): Promise<void> {
    const first = this.parts.find((part) => part.kind === 'copied' && part.size > 0);
    if (first?.kind === 'copied') for await (const _ of readMember(first, { from: 0, to: 1 }, signal)) return;
  }

  stream(signal?: AbortSignal, start = 0, end = Infinity): Readable {
    const bytes = this.isResumable ? this.copied(start, end, signal) : this.all(signal);
    return Readable.from(bytes, { objectMode: false, highWaterMark: 1024 * 1024 });
  }

  private async *copied(start: number, end: number, signal?: AbortSignal): AsyncGenerator<Buffer> {
    let position = 0;
    for (const part of this.parts) {
      if (part.kind === 'made') continue;
      const from = Math.max(start - position, 0);
      const to = Math.min(end + 1 - position, part.size);
      if (from < to) yield* readMember(part, { from, to }, signal);
      position += part.size;
    }
  }

  private async *all(signal?: AbortSignal): AsyncGenerator<Buffer> {
    for (const part of this.parts)
      if (part.kind === 'made') yield* part.make(signal);
      else yield* readMember(part, { from: 0, to: part.size }, signal);
  }
}
