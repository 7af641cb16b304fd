import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  ObjectStore,
  type GetOptions,
  type ListOptions,
  type ObjectBody,
  type ObjectHead,
  type ObjectList,
  type PresignOptions,
} from '../../src/storage/object-store.js';
import { ObjectNotFound, StorageUnavailable } from '../../src/storage/storage.errors.js';

/** A store in memory whose faults a test chooses. */
export class MemoryObjectStore extends ObjectStore {
  readonly objects = new Map<string, Buffer>();
  /** Every call fails while this is set. */
  failing: Error | undefined;
  /** Writes wait for this. */
  gate: Promise<void> = Promise.resolve();
  writes = 0;

  override presignGet(key: string, options: PresignOptions): string {
    return `memory://${key}?expires=${String(options.expiresInSeconds)}`;
  }

  override async ping(): Promise<void> {
    await this.answer();
  }

  protected override async write(key: string, chunks: AsyncIterable<Buffer>): Promise<void> {
    this.writes += 1;
    const parts: Buffer[] = [];
    for await (const chunk of chunks) parts.push(Buffer.from(chunk));
    await this.gate;
    await this.answer();
    this.objects.set(key, Buffer.concat(parts));
  }

  protected override async stat(key: string): Promise<ObjectHead | null> {
    await this.answer();
    const bytes = this.objects.get(key);
    return bytes ? head(bytes) : null;
  }

  protected override async open(key: string, options: GetOptions): Promise<ObjectBody> {
    await this.answer();
    const bytes = this.objects.get(key);
    if (!bytes) throw new ObjectNotFound(key);
    const range = options.range ?? { start: 0 };
    const start = 'suffix' in range ? Math.max(0, bytes.length - range.suffix) : range.start;
    const end = 'suffix' in range || range.end === undefined ? bytes.length : range.end + 1;
    const body = bytes.subarray(start, end);
    return { ...head(bytes), start, length: body.length, body: Readable.from([body]) };
  }

  protected override async remove(key: string): Promise<void> {
    await this.answer();
    this.objects.delete(key);
  }

  protected override async page(prefix: string, options: ListOptions & { limit: number }): Promise<ObjectList> {
    await this.answer();
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix) && key > (options.after ?? '')).sort();
    const shown = keys.slice(0, options.limit);
    return {
      objects: shown.map((key) => ({ key, size: this.objects.get(key)?.length ?? 0, lastModified: new Date(0) })),
      next: keys.length > shown.length ? (shown.at(-1) ?? null) : null,
    };
  }

  private answer(): Promise<void> {
    return this.failing ? Promise.reject(this.failing) : Promise.resolve();
  }

  /** Makes every call fail until the returned function is called. */
  goDown(): () => void {
    this.failing = new StorageUnavailable('the store is down');
    return () => {
      this.failing = undefined;
    };
  }
}

function head(bytes: Buffer): ObjectHead {
  const etag = `"${createHash('md5').update(bytes).digest('hex')}"`;
  return { size: bytes.length, etag, contentType: 'application/octet-stream', lastModified: new Date(0) };
}
