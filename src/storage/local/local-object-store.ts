import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, stat, statfs, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';

import { syncFolder } from '../../common/disk/sync-folder.js';
import { resolveRange } from '../byte-range.js';
import { contentTypeOf } from '../content-type.js';
import {
  type GetOptions,
  type ListOptions,
  type ObjectBody,
  type ObjectHead,
  type ObjectList,
  ObjectStore,
  type PresignOptions,
} from '../object-store.js';
import type { PutOptions } from '../put-options.js';
import type { SigningScope } from '../signed-url.js';
import { encodePath, type UrlSigner } from '../sigv4.js';
import { InvalidObjectKey, ObjectNotFound, RangeNotSatisfiable, StorageFull } from '../storage.errors.js';
import { fsCall, isAbsent, toStorageError } from './fs-errors.js';
import { listKeys } from './list-keys.js';

/** Directory of unfinished objects. It is on the same file system, so that a rename publishes them. */
const TEMP_DIR = '.tmp';
/** Bytes written at once. One transfer holds two batches: one is written while the next one is collected. */
const BATCH_BYTES = 1024 * 1024;
/** Bytes after which a running write looks at the free space again. */
const SPACE_CHECK_BYTES = 64 * 1024 * 1024;
/**
 * The host that signatures of this store cover. It is a fixed name, because the real host differs behind every proxy.
 */
const SIGNING_HOST = 'local';
/** How long temporary files of another living process are left alone. */
const FOREIGN_TEMP_MS = 24 * 60 * 60 * 1000;

export interface LocalStoreOptions {
  /** Directory of the store; `prepare` creates it. */
  readonly root: string;
  readonly signer: UrlSigner;
  /** Path under which the API serves the store, with both slashes: `/data/`. */
  readonly publicPath: string;
  /** Free bytes that writes never use up: the database shares the disk and aborts when it is full. */
  readonly reserveBytes: number;
}

/** Keeps objects as plain files `<root>/<key>`, so that an operator finds, copies and backs them up with any tool. */
export class LocalObjectStore extends ObjectStore {
  private readonly root: string;
  private readonly temp: string;

  constructor(private readonly options: LocalStoreOptions) {
    super();
    this.root = options.root;
    this.temp = join(options.root, TEMP_DIR);
  }

  /** Creates the directories and removes what writes of dead processes left. It has to be called once before use. */
  async prepare(now: Date): Promise<void> {
    await fsCall(mkdir(this.temp, { recursive: true, mode: 0o700 }));
    for (const name of await fsCall(readdir(this.temp))) {
      const path = join(this.temp, name);
      const age = now.getTime() - (await stat(path).catch(() => ({ mtimeMs: 0 }))).mtimeMs;
      if (age > FOREIGN_TEMP_MS || !isOtherLivingProcess(Number.parseInt(name, 10))) {
        await fsCall(unlink(path).catch(ignoreAbsent));
      }
    }
  }

  /** What the store's URLs are signed for. The server at `publicPath` verifies them with it. */
  get scope(): SigningScope {
    return { signer: this.options.signer, host: SIGNING_HOST, pathPrefix: '/' };
  }

  presignGet(key: string, { signedAt, expiresInSeconds }: PresignOptions): string {
    const query = this.options.signer.query({ host: SIGNING_HOST, path: `/${key}`, signedAt, expiresInSeconds });
    return `${this.options.publicPath}${encodePath(key)}?${query}`;
  }

  async ping(): Promise<void> {
    await fsCall(stat(this.temp));
  }

  protected async write(key: string, chunks: AsyncIterable<Buffer>, options: PutOptions): Promise<void> {
    const target = this.pathOf(key);
    await this.assertSpace(options.exactSize ?? options.sizeHint ?? 0);
    const temp = join(this.temp, `${process.pid}-${randomUUID()}`);
    const file = await fsCall(open(temp, 'wx', 0o600));
    try {
      try {
        await this.fill(file, chunks);
        await fsCall(file.sync());
      } finally {
        await file.close();
      }
      options.signal?.throwIfAborted();
      await publish(temp, target);
    } catch (error) {
      await unlink(temp).catch(ignoreAbsent);
      throw error;
    }
  }

  /** Writes batches while the next one is being collected; one write is in flight at any time. */
  private async fill(file: FileHandle, chunks: AsyncIterable<Buffer>): Promise<void> {
    let pending: Promise<void> = Promise.resolve();
    let batch: Buffer[] = [];
    let bytes = 0;
    let sinceCheck = 0;
    try {
      for await (const chunk of chunks) {
        batch.push(chunk);
        bytes += chunk.length;
        if (bytes < BATCH_BYTES) continue;
        await pending;
        if ((sinceCheck += bytes) >= SPACE_CHECK_BYTES) {
          sinceCheck = 0;
          await this.assertSpace(0);
        }
        pending = writeAll(file, batch);
        // The rejection is observed at the next await. Without this line a failure in between would count as unhandled.
        pending.catch(() => undefined);
        batch = [];
        bytes = 0;
      }
    } finally {
      await pending.catch(() => undefined);
    }
    await pending;
    if (bytes > 0) await writeAll(file, batch);
  }

  protected async stat(key: string): Promise<ObjectHead | null> {
    try {
      const info = await stat(this.pathOf(key), { bigint: true });
      return info.isFile() ? describe(key, info) : null;
    } catch (error) {
      if (isAbsent(error)) return null;
      throw toStorageError(error);
    }
  }

  protected async open(key: string, options: GetOptions): Promise<ObjectBody> {
    const file = await this.openForReading(key);
    try {
      const info = await fsCall(file.stat({ bigint: true }));
      if (!info.isFile()) throw new ObjectNotFound(key);
      const head = describe(key, info);
      const part = options.range ? resolveRange(options.range, head.size) : { start: 0, length: head.size };
      if (!part) throw new RangeNotSatisfiable(key, head.size);
      return { ...head, ...part, body: await bodyOf(file, part, options.signal) };
    } catch (error) {
      await file.close().catch(() => undefined);
      throw error;
    }
  }

  protected async remove(key: string): Promise<void> {
    await fsCall(unlink(this.pathOf(key)).catch(ignoreAbsent));
  }

  protected page(prefix: string, options: ListOptions & { limit: number }): Promise<ObjectList> {
    return fsCall(listKeys(this.root, TEMP_DIR, { prefix, after: options.after ?? '', limit: options.limit }));
  }

  private async openForReading(key: string): Promise<FileHandle> {
    try {
      return await open(this.pathOf(key), constants.O_RDONLY | constants.O_NOFOLLOW);
    } catch (error) {
      throw isAbsent(error) ? new ObjectNotFound(key) : toStorageError(error);
    }
  }

  /** The port checks keys for dot segments and empty ones. Only the store's own directory is left to refuse. */
  private pathOf(key: string): string {
    if (key === TEMP_DIR || key.startsWith(`${TEMP_DIR}/`)) throw new InvalidObjectKey('reserved');
    return join(this.root, key);
  }

  private async assertSpace(needed: number): Promise<void> {
    const { bavail, bsize } = await fsCall(statfs(this.root));
    if (bavail * bsize - needed < this.options.reserveBytes) {
      throw new StorageFull(
        `the disk that holds the storage has less than ${this.options.reserveBytes} bytes to spare`,
      );
    }
  }
}

/** Writes the whole batch. `writev` may write less than it was given, for instance on a nearly full disk. */
async function writeAll(file: FileHandle, batch: Buffer[]): Promise<void> {
  let rest = batch;
  while (rest.length > 0) {
    const { bytesWritten } = await fsCall(file.writev(rest));
    rest = skipBytes(rest, bytesWritten);
  }
}

function skipBytes(buffers: Buffer[], count: number): Buffer[] {
  let left = count;
  const rest: Buffer[] = [];
  for (const buffer of buffers) {
    if (left >= buffer.length) left -= buffer.length;
    else {
      rest.push(buffer.subarray(left));
      left = 0;
    }
  }
  return rest;
}

/**
 * Renames the file and makes the new directory entries durable: the file's own, and those of directories just created.
 */
async function publish(temp: string, target: string): Promise<void> {
  const parent = dirname(target);
  const created = await fsCall(mkdir(parent, { recursive: true, mode: 0o700 }));
  await fsCall(rename(temp, target));
  const last = created === undefined ? parent : dirname(created);
  for (let dir = parent; ; dir = dirname(dir)) {
    await fsCall(syncFolder(dir));
    if (dir === last || dir === dirname(dir)) return;
  }
}

async function bodyOf(
  file: FileHandle,
  { start, length }: { start: number; length: number },
  signal?: AbortSignal,
): Promise<Readable> {
  if (length === 0) {
    await file.close();
    return Readable.from([]);
  }
  return file.createReadStream({ start, end: start + length - 1, highWaterMark: BATCH_BYTES, signal });
}

/** Inode, size and nanosecond time serve as a version number, because a file is only ever replaced by a rename. */
function describe(key: string, info: { size: bigint; mtimeNs: bigint; ino: bigint; mtime: Date }): ObjectHead {
  const etag = [info.ino, info.size, info.mtimeNs].map((n) => n.toString(16)).join('-');
  return { size: Number(info.size), etag: `"${etag}"`, contentType: contentTypeOf(key), lastModified: info.mtime };
}

function isOtherLivingProcess(pid: number): boolean {
  if (!Number.isInteger(pid) || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function ignoreAbsent(error: unknown): void {
  if (!isAbsent(error)) throw error;
}
