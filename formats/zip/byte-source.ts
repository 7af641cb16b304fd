import type { Readable } from 'node:stream';

/** Random access to the bytes of one file, on disk or elsewhere. */
export interface ByteSource {
  /** Bytes. */
  readonly size: number;
  /** `length` bytes from `start` on, or fewer when the file ends before. The caller consumes or destroys the stream. */
  stream(start: number, length: number, signal?: AbortSignal): Promise<Readable>;
}

/** Reads a small range into one buffer. */
export async function readRange(source: ByteSource, start: number, length: number): Promise<Buffer> {
  return length === 0 ? Buffer.alloc(0) : readAll(await source.stream(start, length));
}

export async function readAll(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
