import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';

/** Passes bytes through and keeps their count and sha256, so that a file is measured while it is written. */
export class Metered extends Transform {
  private readonly hash = createHash('sha256');
  private bytes = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.hash.update(chunk);
    this.bytes += chunk.length;
    done(null, chunk);
  }

  /** Valid once, after the last byte. `hash` in hex. */
  result(): { size: number; hash: string } {
    return { size: this.bytes, hash: this.hash.digest('hex') };
  }
}
