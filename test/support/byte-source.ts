import { Readable } from 'node:stream';
import type { ByteSource } from '../../formats/zip/byte-source.js';

/** A file in memory that counts what is read of it. */
export class BufferSource implements ByteSource {
  bytesRead = 0;

  constructor(private readonly bytes: Buffer) {}

  get size(): number {
    return this.bytes.length;
  }

  stream(start: number, length: number): Promise<Readable> {
    this.bytesRead += length;
    return Promise.resolve(Readable.from([this.bytes.subarray(start, start + length)], { objectMode: false }));
  }
}
