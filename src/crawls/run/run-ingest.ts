import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { CrawlDriver } from '../../drivers/crawl-driver.js';
import type { DriverEvent, FileEvent } from '../../drivers/crawl-driver.types.js';
import type { StoredFile } from '../../objects/data/stored-file.schema.js';
import { FileRemover } from '../../objects/file-remover.js';
import { OrgUsage } from '../../orgs/org-usage.js';
import type { HeldRun } from '../data/held-run.js';
import { RunsRepository } from '../data/runs.repository.js';
import { LogIngest } from '../logs/log-ingest.js';
import type { RunKind } from './run-kind.js';

/** Number of events in one batch: enough to write in bulk, few enough to be written well within a lease. */
const BATCH = 500;

export interface IngestTerms {
  /** The kind of run that stores the pages. Null: the run has ended, and pages that still come are dropped. */
  readonly pagesTo: RunKind | null;
  /** False: the item and its lines are gone. */
  readonly keepLogs: boolean;
}

/**
 * Stores what crawlers hand over; no other code does. It is idempotent by file name, page id and log sequence.
 * Contract: crawling §11.5.
 */
@Injectable()
export class RunIngest {
  constructor(
    private readonly driver: CrawlDriver,
    private readonly runs: RunsRepository,
    private readonly usage: OrgUsage,
    private readonly unitOfWork: UnitOfWork,
    private readonly files: FileRemover,
    private readonly logs: LogIngest,
  ) {}

  /** Writes and acknowledges events until none is left. A file that no run takes any more is deleted from the store. */
  async drain(held: HeldRun, draining: IngestTerms): Promise<void> {
    for (;;) {
      const batch = await this.driver.drain(held.job._id, BATCH);
      if (batch.events.length === 0) return;
      const orphans: StoredFile[] = [];
      for (const event of batch.events) {
        if (event.type !== 'file' || !event.filename) continue;
        const orphan = await this.ingestFile(held, event);
        if (orphan) orphans.push(orphan);
      }
      await this.files.carryOut(await this.files.plan(held.job.oid, orphans));
      await this.ingestRest(held, draining, batch.events);
      await batch.ack();
      // Another process may have the job by now.
      if (batch.events.length >= BATCH) await held.renew();
    }
  }

  private async ingestRest({ job }: HeldRun, draining: IngestTerms, events: readonly DriverEvent[]): Promise<void> {
    const pages = events.flatMap((event) => (event.type === 'page' ? [event.page] : []));
    if (pages.length > 0) await draining.pagesTo?.ingestPages(job, pages);
    if (!draining.keepLogs) return;
    const lines = events.flatMap((event) => (event.type === 'error' || event.type === 'behavior' ? [event] : []));
    await this.logs.ingest(job, lines);
  }

  /**
   * Registers a file and adds it to the org's usage, both or neither. Contract: crawling §10.8.
   * @returns the file, when no run takes it
   */
  private async ingestFile(held: HeldRun, event: FileEvent): Promise<StoredFile | null> {
    const { job } = held;
    const filename = keyOf(event.filename, job.oid);
    const file: StoredFile = { filename, size: event.size, hash: event.hash, storage: job.storage, replicas: [] };
    const counted = { filesAdded: job.filesAdded + 1, filesAddedSize: job.filesAddedSize + file.size };
    const added = await this.unitOfWork.run(async (tx) => {
      if (!(await this.runs.addFile(job, file, tx))) return false;
      await this.usage.addBytes(job.oid, 'crawl', file.size, tx);
      await held.change(counted, tx);
      return true;
    });
    return added || (await this.runs.hasFile(job, filename)) ? null : file;
  }
}

/**
 * The key of a file. Containers name a file by its full URL; its key begins with the org's folder. Contract: crawling
 * §14.6.
 */
export function keyOf(filename: string, oid: string): string {
  if (!/^https?:\/\//.test(filename)) return filename;
  const at = filename.indexOf(`/${oid}/`);
  return at >= 0 ? filename.slice(at + 1) : (filename.split('/').at(-1) ?? filename);
}
