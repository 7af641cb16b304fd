import type { Readable } from 'node:stream';

import { digesting } from './digest.js';
import { assertObjectKey, assertObjectPrefix } from './object-key.js';
import type { PutOptions, StoredObject } from './put-options.js';

export interface ObjectHead {
  /** Bytes. */
  readonly size: number;
  /** Strong validator with its quotes: differs when the bytes under the key were replaced. */
  readonly etag: string;
  readonly contentType: string;
  readonly lastModified: Date;
}

/**
 * Both ends are inclusive, as in HTTP. Without `end` the range goes up to the last byte. `suffix` asks for the last n
 * bytes.
 */
export type ByteRange = { start: number; end?: number } | { suffix: number };

export interface GetOptions {
  readonly range?: ByteRange;
  /** Aborting destroys the body. */
  readonly signal?: AbortSignal;
}

export interface ObjectBody extends ObjectHead {
  /** Offset of the first byte of `body` in the object. */
  readonly start: number;
  /** Bytes that `body` delivers. */
  readonly length: number;
  /** Must be consumed or destroyed: it holds a file or a connection. */
  readonly body: Readable;
}

export interface ListOptions {
  /** Keys strictly behind this one in UTF-8 byte order. */
  readonly after?: string;
  /** Most entries to return, 1 to 1000 (S3's page size). Default 1000. */
  readonly limit?: number;
}

export interface ListedObject {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  readonly lastModified: Date;
}

export interface ObjectList {
  readonly objects: ListedObject[];
  /** Pass as `after` to go on; null when nothing is left. */
  readonly next: string | null;
}

export interface PresignOptions {
  /** The moment the signature counts from; the URL is a pure function of key, moment and lifetime. */
  readonly signedAt: Date;
  /** Lifetime in seconds, 1 to 604,800 (the limit of SigV4). */
  readonly expiresInSeconds: number;
  /** `internal`: on the endpoint the service itself uses, without the rewriting for clients. Default `public`. */
  readonly audience?: 'public' | 'internal';
}

/**
 * Where archived bytes live. Keys are the `filename` strings of file records (archive.md §2.3). They are the same in
 * every storage, so that a replica has the key of its original.
 *
 * Promises every adapter keeps (test/conformance/object-store.spec.ts):
 * - an object appears under its key complete or not at all; a failed or aborted put leaves nothing and does not disturb
 *   the object that was there;
 * - bodies are streamed both ways with back-pressure, in memory bounded by a few parts;
 * - deleting an object that is not there succeeds;
 * - failures are the classes of `storage.errors.ts`, or the error of the body that was being read.
 */
export abstract class ObjectStore {
  /** Whether an object may appear after its put was broken off, and even after a deletion that followed the put. */
  readonly mayStoreLate: boolean = false;

  /**
   * Streams `body` to `key` and replaces what was there. Resolves when the bytes are durable. A put that fails destroys
   * `body` only if the signal aborted: the caller may still have to answer on the connection the body comes from.
   * @throws ObjectTooLarge, ObjectSizeDiffers, StorageFull, StorageDenied, StorageUnavailable, InvalidObjectKey, or the
   *   body's own error
   */
  async put(key: string, body: Readable | Buffer, options: PutOptions = {}): Promise<StoredObject> {
    assertObjectKey(key);
    options.signal?.throwIfAborted();
    const { chunks, result } = digesting(key, body, options);
    await this.write(key, chunks, options);
    return result();
  }

  /** Null when there is no such object. @throws StorageDenied, StorageUnavailable */
  async head(key: string): Promise<ObjectHead | null> {
    assertObjectKey(key);
    return this.stat(key);
  }

  async exists(key: string): Promise<boolean> {
    return (await this.head(key)) !== null;
  }

  /** @throws ObjectNotFound, RangeNotSatisfiable, StorageDenied, StorageUnavailable */
  async get(key: string, options: GetOptions = {}): Promise<ObjectBody> {
    assertObjectKey(key);
    options.signal?.throwIfAborted();
    return this.open(key, options);
  }

  /** Idempotent: an absent object counts as deleted. @throws StorageDenied, StorageUnavailable */
  async delete(key: string): Promise<void> {
    assertObjectKey(key);
    await this.remove(key);
  }

  /** Deletes the object, and what an unfinished put of it has left in the store. @throws as `delete` */
  async abandon(key: string): Promise<void> {
    assertObjectKey(key);
    await this.removeUnfinished(key);
    await this.remove(key);
  }

  /**
   * Ends puts that began before a moment and are unfinished, where `isAbandoned` says that nobody writes the key any
   * more.
   * @returns their keys
   * @throws StorageDenied, StorageUnavailable
   */
  sweep(_before: Date, _isAbandoned: (key: string) => Promise<boolean>): Promise<string[]> {
    return Promise.resolve([]);
  }

  /** One page of the keys that start with `prefix` (a plain string, not a folder), in UTF-8 byte order. */
  async list(prefix: string, options: ListOptions = {}): Promise<ObjectList> {
    assertObjectPrefix(prefix);
    const limit = Math.min(Math.max(options.limit ?? 1000, 1), 1000);
    return this.page(prefix, { ...options, limit });
  }

  /**
   * Makes a URL that lets its bearer GET the object until `signedAt + expiresInSeconds`. This uses no network and no
   * disk, and does not check that the object exists. The URL is relative (`/data/…`) when the access endpoint is
   * relative.
   */
  abstract presignGet(key: string, options: PresignOptions): string;

  /** Resolves when the store answers; for readiness probes. @throws StorageDenied, StorageUnavailable */
  abstract ping(): Promise<void>;

  /** Writes the object. It consumes `chunks` once, and must leave nothing behind when it rejects. */
  protected abstract write(key: string, chunks: AsyncIterable<Buffer>, options: PutOptions): Promise<void>;
  protected abstract stat(key: string): Promise<ObjectHead | null>;
  protected abstract open(key: string, options: GetOptions): Promise<ObjectBody>;
  protected abstract remove(key: string): Promise<void>;
  /** Removes the parts of puts that no process continues. Stores that clean up by themselves have nothing to do. */
  protected removeUnfinished(_key: string): Promise<void> {
    return Promise.resolve();
  }
  protected abstract page(prefix: string, options: ListOptions & { limit: number }): Promise<ObjectList>;
}
