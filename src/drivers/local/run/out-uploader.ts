import { setTimeout as delay } from 'node:timers/promises';
import type { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { WORK_FILES, type OutputFile } from '../../../../crawler/protocol.js';
import type { ObjectStore } from '../../../storage/object-store.js';
import { ObjectSizeDiffers } from '../../../storage/storage.errors.js';
import type { DriverClock } from '../local-settings.js';
import { ForeignFile, type WorkDir } from '../work-dir.js';

/** First and longest wait after a failed upload. */
const MIN_RETRY_MS = 1000;
const MAX_RETRY_MS = 60_000;

/** Time that a store has to react to an abort. After it the upload is no longer waited for. */
const ABORT_GRACE_MS = 10_000;

/** Number of WACZs waiting for a slow store from which a crawl takes no further pages. */
export const MAX_BACKLOG_FILES = 4;

/** Pattern of file names, which become object keys. */
const FILE_NAME = /^[A-Za-z0-9][\w.@%+~-]{0,250}$/;

export interface UploaderHooks {
  /** Finds the store and key of a file. */
  readonly target: (file: OutputFile) => Promise<{ store: ObjectStore; key: string }>;
  /** Called when the file is in the store, to record this. */
  readonly stored: (file: OutputFile, key: string) => Promise<void>;
  readonly isStored: (name: string) => boolean;
  /** Called once for each new kind of trouble. */
  readonly trouble: (message: string, file: string, error: unknown) => void;
}

/** Uploads a run's finished files into the object store, one after the other. Each is tried until it is there. */
export class OutUploader {
  private running: Promise<void> | undefined;
  private waiting = 0;
  private retryAtMs = 0;
  private retryMs = 0;
  private lastTrouble = '';
  private readonly stop = new AbortController();

  constructor(
    private readonly dir: WorkDir,
    private readonly clock: DriverClock,
    private readonly hooks: UploaderHooks,
  ) {}

  /** Number of finished files that are not in the store yet. */
  get backlog(): number {
    return this.waiting;
  }

  /** Counts the waiting files again, also while an upload hangs. */
  async recount(): Promise<void> {
    this.waiting = (await this.unstored()).length;
  }

  /**
   * Uploads the finished files. During an upload, or a wait after a failure, it begins nothing. Resolves when the
   * uploader is idle.
   */
  run(): Promise<void> {
    if (this.stop.signal.aborted) return Promise.resolve();
    if (!this.running && this.clock.nowMs() < this.retryAtMs) return Promise.resolve();
    this.running ??= this.uploadAll().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  /** Aborts the upload under way. Resolves when nothing touches the directory any more. */
  async close(): Promise<void> {
    this.stop.abort();
    const running = this.running?.catch(() => undefined) ?? Promise.resolve();
    await Promise.race([running, delay(ABORT_GRACE_MS, undefined, { ref: false })]);
  }

  /** Files in `out/` that the child has finished, oldest first. */
  async finished(): Promise<OutputFile[]> {
    const names = await this.dir.names(WORK_FILES.outDir);
    const files: OutputFile[] = [];
    for (const name of names.filter(
      (each) => each.endsWith('.json') && names.includes(each.slice(0, -'.json'.length)),
    )) {
      const file = await this.describe(name);
      if (file) files.push(file);
    }
    return files.sort((a, b) => a.modified.localeCompare(b.modified) || a.file.localeCompare(b.file));
  }

  private async uploadAll(): Promise<void> {
    for (;;) {
      const files = await this.unstored();
      this.waiting = files.length;
      const [next] = files;
      if (!next || this.stop.signal.aborted) return;
      try {
        await this.upload(next);
        this.retryMs = 0;
        this.lastTrouble = '';
      } catch (error) {
        this.failed(next.file, error);
        return;
      }
    }
  }

  private async unstored(): Promise<OutputFile[]> {
    return (await this.finished()).filter(({ file }) => !this.hooks.isStored(file));
  }

  private async upload(file: OutputFile): Promise<void> {
    const handle = await this.dir.open(join(WORK_FILES.outDir, file.file));
    if (!handle) return;
    const { store, key } = await this.hooks.target(file);
    const contentType = file.kind === 'wacz' ? 'application/wacz+zip' : 'application/gzip';
    const body = readStream(handle);
    try {
      const stored = await store.put(key, body, { contentType, exactSize: file.size, signal: this.stop.signal });
      if (stored.sha256 !== file.hash) {
        await store.delete(key);
        await this.setAside(file.file, 'other bytes than those it was made with');
        return;
      }
    } catch (error) {
      if (!(error instanceof ObjectSizeDiffers)) throw error;
      await this.setAside(file.file, error.message);
      return;
    } finally {
      body.destroy();
    }
    await this.hooks.stored(file, key);
  }

  /** Sets a file aside that changed since it was made. It is not offered again, because it must never be registered. */
  private async setAside(name: string, why: string): Promise<void> {
    this.hooks.trouble(`Archive file damaged on disk, not stored: ${why}`, name, undefined);
    await this.dir.delete(join(WORK_FILES.outDir, `${name}.json`));
    await this.dir.delete(join(WORK_FILES.outDir, name));
  }

  private failed(name: string, error: unknown): void {
    if (this.stop.signal.aborted) return;
    this.retryMs = Math.min(MAX_RETRY_MS, this.retryMs === 0 ? MIN_RETRY_MS : this.retryMs * 2);
    this.retryAtMs = this.clock.nowMs() + this.retryMs;
    const kind = error instanceof Error ? error.name : 'Error';
    if (kind === this.lastTrouble) return;
    this.lastTrouble = kind;
    this.hooks.trouble(troubleText(kind), name, error);
  }

  private async describe(name: string): Promise<OutputFile | null> {
    try {
      const file = JSON.parse((await this.dir.readText(join(WORK_FILES.outDir, name))) ?? 'null') as OutputFile | null;
      const named = file && FILE_NAME.test(file.file) && `${file.file}.json` === name;
      return named && Number.isSafeInteger(file.size) && typeof file.hash === 'string' ? file : null;
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof ForeignFile) return null;
      throw error;
    }
  }
}

function readStream(handle: FileHandle): ReturnType<typeof createReadStream> {
  return handle.createReadStream({ highWaterMark: 1024 * 1024, autoClose: true });
}

function troubleText(kind: string): string {
  switch (kind) {
    case 'StorageFull':
      return 'The object store is full: the archive file waits on disk until there is room';
    case 'StorageDenied':
      return 'The object store refuses the archive file: it waits on disk';
    default:
      return 'The object store cannot be reached: the archive file waits on disk';
  }
}
