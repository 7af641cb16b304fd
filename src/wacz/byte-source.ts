import type { Readable } from 'node:stream';

import type { ObjectStore } from '../storage/object-store.js';
import { ObjectNotFound } from '../storage/storage.errors.js';

/** Random access to the bytes of one archive. */
export interface ByteSource {
  /** Bytes. */
  readonly size: number;
  /** Exactly `length` bytes from `start`. */
  read(start: number, length: number): Promise<Buffer>;
  /** The same as a stream, for what may be large; the caller consumes or destroys it. */
  stream(start: number, length: number, signal?: AbortSignal): Promise<Readable>;
}

/** An archive in an object store, read by range: never downloaded whole. */
export class ObjectByteSource implements ByteSource {
  private constructor(
    private readonly store: ObjectStore,
    private readonly key: string,
    readonly size: number,
  ) {}

  /** @throws ObjectNotFound, StorageUnavailable */
  static async open(store: ObjectStore, key: string): Promise<ObjectByteSource> {
    const head = await store.head(key);
    if (!head) throw new ObjectNotFound(key);
    return new ObjectByteSource(store, key, head.size);
  }

  async read(start: number, length: number): Promise<Buffer> {
    if (length === 0) return Buffer.alloc(0);
    const chunks: Buffer[] = [];
    for await (const chunk of await this.stream(start, length)) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  }

  async stream(start: number, length: number, signal?: AbortSignal): Promise<Readable> {
    const { body } = await this.store.get(this.key, { range: { start, end: start + length - 1 }, signal });
    return body;
  }
}
