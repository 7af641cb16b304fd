import type { Readable } from 'node:stream';
import type { ByteSource } from '../../formats/zip/byte-source.js';
import { ZipArchive } from '../../formats/zip/zip-archive.js';
import type { ObjectStore } from '../storage/object-store.js';
import { ObjectNotFound } from '../storage/storage.errors.js';

/** An archive in an object store, read by range and never downloaded whole. */
export class ObjectByteSource implements ByteSource {
  /** @param size bytes of the object, as its record says */
  constructor(
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

  async stream(start: number, length: number, signal?: AbortSignal): Promise<Readable> {
    const { body } = await this.store.get(this.key, { range: { start, end: start + length - 1 }, signal });
    return body;
  }
}

/** @throws UnreadableWacz, ObjectNotFound, StorageUnavailable */
export const openArchive = async (store: ObjectStore, key: string): Promise<ZipArchive> =>
  ZipArchive.open(await ObjectByteSource.open(store, key));
