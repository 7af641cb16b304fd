import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock/clock.js';
import { CrawlJobsRepository } from '../../crawls/data/crawl-jobs.repository.js';
import { IndexCopier } from '../../dedupe/index-copier.js';
import { DedupeSourcesRepository } from '../../dedupe/data/dedupe-sources.repository.js';
import type { Tx } from '../../database/unit-of-work.js';
import type { Job } from '../../jobs/data/job.schema.js';
import { HandlesJob, type JobContext, type JobHandler } from '../../jobs/job-handlers.js';
import { JobStarter } from '../../jobs/job-starter.js';
import { IndexStatesRepository } from '../data/index-states.repository.js';
import { IndexMembers } from './index-members.js';

declare module '../../jobs/job-kind.js' {
  interface JobTypes {
    readonly 'update-dedupe-index': true;
  }
}

/**
 * Brings a collection's dedupe index up to date with its items, one job per collection at a time. It compares and does
 * what is missing, so it may be started for any reason and at any point again. Contract: archive §7.3.
 */
@HandlesJob({
  type: 'update-dedupe-index',
  after: 'update-coll-stats',
  idOf: ({ collection_id }) => `update-dedupe-index-${collection_id}`,
  onePerObject: 'runs again',
})
@Injectable()
export class IndexUpdateJob implements JobHandler {
  /** Indexes that one process updates at a time. */
  readonly concurrency = 2;
  /** Two minutes, which a storage or a network may be away. */
  readonly maxTries = 8;
  private readonly logger = new Logger('dedupe');

  constructor(
    private readonly states: IndexStatesRepository,
    private readonly sources: DedupeSourcesRepository,
    private readonly members: IndexMembers,
    private readonly crawls: CrawlJobsRepository,
    private readonly starter: JobStarter,
    private readonly copies: IndexCopier,
    private readonly clock: Clock,
  ) {}

  async run({ oid, collection_id: collectionId }: Job, { signal }: JobContext): Promise<void> {
    if (!oid || !collectionId) return;
    const key = { oid, collectionId };
    const exists = await this.states.beginUpdate(oid, collectionId, this.clock.now());
    if (exists) await this.members.removeLost(key);
    // An update that was under way when the index was deleted may have added to it since.
    else await this.sources.purge(key);
    await this.copies.indexChanged(key);
    await this.members.sweep(key, signal);
    if (!exists) return;
    await this.members.addMissing(key, signal, (done) => this.states.setProgress(oid, collectionId, done));
    await this.end(oid, collectionId);
  }

  /** An index that could not be completed is used as far as it is. */
  async failed({ oid, collection_id: collectionId }: Job): Promise<void> {
    if (!oid || !collectionId) return;
    this.logger.error({ event: 'dedupe_index_incomplete', oid, collectionId });
    await this.end(oid, collectionId);
  }

  /** Puts the job into the queue, or makes the running one repeat. After a transaction, `wake` follows the commit. */
  async start(oid: string, collectionId: string, tx?: Tx): Promise<void> {
    await this.starter.start('update-dedupe-index', { oid, fields: { collection_id: collectionId }, tx });
  }

  wake(): void {
    this.starter.wake();
  }

  private async end(oid: string, collectionId: string): Promise<void> {
    const figures = await this.sources.figures({ oid, collectionId });
    const state = (await this.crawls.usesDedupeIndex(oid, collectionId)) ? 'crawling' : 'ready';
    await this.copies.indexChanged({ oid, collectionId });
    await this.states.endUpdate(oid, collectionId, state, { ...figures, updateProgress: 1 }, this.clock.now());
  }
}
