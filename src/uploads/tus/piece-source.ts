import { Readable } from 'node:stream';

/**
 * Cuts the incoming bytes into pieces of one size. A client that goes away ends the piece without spoiling it: the
 * bytes so far are kept, and `failure` says why no more came.
 */
export class PieceSource {
  failure: unknown = undefined;
  private readonly chunks: AsyncIterator<Buffer>;
  private rest: Buffer | null = null;
  private isOver = false;

  constructor(body: AsyncIterable<Buffer>) {
    this.chunks = body[Symbol.asyncIterator]();
  }

  /** Waits for the first byte of the next piece. */
  async hasMore(): Promise<boolean> {
    if (!this.rest) await this.pull();
    return this.rest !== null;
  }

  next(maxBytes: number): Readable {
    return Readable.from(this.piece(maxBytes), { objectMode: false });
  }

  private async *piece(maxBytes: number): AsyncGenerator<Buffer> {
    let left = maxBytes;
    while (left > 0 && (await this.hasMore())) {
      const chunk = this.rest!;
      const part = chunk.subarray(0, left);
      this.rest = part.length < chunk.length ? chunk.subarray(part.length) : null;
      left -= part.length;
      yield part;
    }
  }

  private async pull(): Promise<void> {
    while (!this.isOver && !this.rest) {
      try {
        const next = await this.chunks.next();
        if (next.done) this.isOver = true;
        else if (next.value.length > 0) this.rest = next.value;
      } catch (error) {
        this.failure = error;
        this.isOver = true;
      }
    }
  }
}
