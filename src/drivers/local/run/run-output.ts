import { join } from 'node:path';
import { withoutFilePaths } from '../../../../formats/text/without-file-paths.js';
import { WORK_FILES, type OutputFile } from '../../../../crawler/protocol.js';
import type { ObjectStore } from '../../../storage/object-store.js';
import type { DriverEvent, EventBatch } from '../../crawl-driver.types.js';
import { noEvents } from '../../no-run.js';
import type { LocalContext } from './run-launcher.js';
import { noteRequired, type RunRecord } from './run-record.js';
import { Journal } from '../journal.js';
import { MAX_BACKLOG_FILES, OutUploader } from './out-uploader.js';
import type { WorkDir } from '../work-dir.js';

export interface OutputHooks {
  readonly target: (file: OutputFile) => Promise<{ store: ObjectStore; key: string }>;
  readonly save: () => Promise<void>;
  /** Called when the file is stored and registered, so the child need not wait for it any more. */
  readonly acknowledged: (file: string) => void;
}

/**
 * The output of a run: files brought to the object store, events from the journal, and log lines of the driver itself.
 */
export class RunOutput {
  private readonly journal: Journal;
  private readonly uploader: OutUploader;
  private ownLines: string[] = [];
  private closed = false;

  constructor(
    private readonly record: RunRecord,
    private readonly dir: WorkDir,
    private readonly context: LocalContext,
    private readonly hooks: OutputHooks,
  ) {
    this.journal = new Journal(dir);
    this.uploader = new OutUploader(dir, context.clock, {
      target: hooks.target,
      isStored: (name) => name in record.stored,
      stored: (file, key) => this.fileStored(file, key),
      trouble: (message, file, error) => this.complain(message, { file, ...(error instanceof Error ? { error } : {}) }),
    });
  }

  /** Learns from the journal what a child said before this process started, or while the former one ended. */
  async recall(): Promise<void> {
    noteRequired(this.record, (await this.journal.read(Infinity)).requiredCrawls);
  }

  /** Whether so many files wait for the store that no further ones should be made. */
  get isBehind(): boolean {
    return this.uploader.backlog >= MAX_BACKLOG_FILES;
  }

  /**
   * The files and bytes that wait in the directory. The files are finished, and not stored or not acknowledged. The
   * bytes are those of the files and of WARCs that are not packed yet. A WARC inside a finished file counts with that
   * file only.
   */
  async pending(): Promise<{ files: number; bytes: number }> {
    const finished = await this.uploader.finished();
    const packed = new Set(finished.flatMap(({ warcs }) => warcs ?? []));
    const out = finished.reduce((sum, { size }) => sum + Math.max(0, size), 0);
    return { files: finished.length, bytes: out + (await this.dir.folderBytes(WORK_FILES.archiveDir, packed)) };
  }

  /** Starts the uploads that are due. Resolves when it is known how many files wait, long before the uploads end. */
  async upload(then: () => void): Promise<void> {
    await this.uploader.recount();
    const failed = (error: unknown): void =>
      this.context.logger.error({ event: 'local_upload_failed', jobId: this.record.jobId, error: String(error) });
    void this.uploader.run().then(then).catch(failed);
  }

  async drain(max: number): Promise<EventBatch> {
    if (this.closed) return noEvents();
    const files = Object.entries(this.record.stored).slice(0, max);
    const lines = this.ownLines.slice(0, max - files.length);
    const journal = await this.journal.read(max - files.length - lines.length);
    noteRequired(this.record, journal.requiredCrawls);
    const events: DriverEvent[] = [
      ...files.map(([, { key, size, hash }]) => ({
        type: 'file' as const,
        filename: key,
        size,
        hash,
        completed: true,
      })),
      ...journal.events.filter(({ type }) => type === 'page'),
      ...lines.map((line) => ({ type: 'error' as const, line })),
      ...journal.events.filter(({ type }) => type !== 'page'),
    ];
    const ack = async (): Promise<void> => {
      if (this.closed) return;
      for (const [name] of files) await this.forget(name);
      // What the journal has said is forgotten below.
      if (files.length > 0 || journal.requiredCrawls.length > 0) await this.hooks.save();
      this.ownLines = this.ownLines.filter((line) => !lines.includes(line));
      await this.journal.ack(journal.end);
    };
    return { events, ack };
  }

  /**
   * Adds a line to the crawl's error log.
   * @param details its `error` is shown to users without the paths of the service's files
   */
  complain(message: string, { error, ...more }: Record<string, unknown> & { error?: Error }): void {
    const said = { event: 'local_job_trouble', jobId: this.record.jobId, message, ...more };
    this.context.logger.warn({ ...said, ...(error ? { error: error.message } : {}) });
    const details = { ...more, ...(error ? { error: withoutFilePaths(error.message) } : {}) };
    this.ownLines.push(
      JSON.stringify({
        timestamp: this.context.clock.now().toISOString(),
        logLevel: 'error',
        context: 'driver',
        message,
        details,
      }),
    );
  }

  /** Ends the upload under way. From then on nothing is acknowledged. */
  async close(): Promise<void> {
    this.closed = true;
    await this.uploader.close();
  }

  /** Deletes stored files of a run that is discarded before they were registered. */
  async discardStored(): Promise<void> {
    const stored = Object.entries(this.record.stored);
    this.record.stored = {};
    for (const [name, { key, size, hash }] of stored) {
      try {
        const { store } = await this.hooks.target({ kind: 'wacz', file: name, size, hash, pages: 0, modified: '' });
        await store.delete(key);
      } catch (error) {
        this.context.logger.warn({
          event: 'stored_file_left_behind',
          jobId: this.record.jobId,
          key,
          error: String(error),
        });
      }
    }
  }

  private async fileStored(file: OutputFile, key: string): Promise<void> {
    if (file.kind === 'wacz') this.record.stored[file.file] = { key, size: file.size, hash: file.hash };
    else this.record.profileUpload = { size: file.size, hash: file.hash, modified: file.modified };
    await this.hooks.save();
    if (file.kind === 'profile') await this.forget(file.file);
    this.context.wake(this.record.jobId);
  }

  /**
   * Deletes an acknowledged file: first the archive, then its description, and last the entry of the record. After a
   * crash in between, the entry still says that the file was stored.
   */
  private async forget(name: string): Promise<void> {
    await this.dir.delete(join(WORK_FILES.outDir, name));
    await this.dir.delete(join(WORK_FILES.outDir, `${name}.json`));
    delete this.record.stored[name];
    this.hooks.acknowledged(name);
  }
}
