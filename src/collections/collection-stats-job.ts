import { Injectable } from '@nestjs/common';
import { Uuid, OneOf } from '../common/validation/fields.js';
import { JobRun } from '../jobs/dto/job-fields.dto.js';
import { Clock } from '../common/clock/clock.js';
import { JobsRepository } from '../jobs/data/jobs.repository.js';
import type { Job } from '../jobs/data/job.schema.js';
import { HandlesJob, type JobHandler } from '../jobs/job-handlers.js';
import { JobStarter } from '../jobs/job-starter.js';
import { CollectionStatsQueries } from './data/collection-stats.queries.js';
import { CollectionsRepository } from './data/collections.repository.js';

const jobIdFor = (collectionId: string | undefined): string => `update-coll-${collectionId}`;

declare module '../jobs/job-kind.js' {
  interface JobTypes {
    readonly 'update-coll-stats': true;
  }
}

export class UpdateCollStatsJob extends JobRun {
  @OneOf(['update-coll-stats']) type = 'update-coll-stats' as const;
  @Uuid() oid!: string;
  /** Id of the collection whose figures are counted anew. */
  @Uuid() collection_id!: string;
}

/**
 * Computes the figures of collections: one job per collection at a time. A change during the run makes it run once
 * more. Contract: archive §7.2.
 */
@HandlesJob({
  type: 'update-coll-stats',
  after: 'cleanup-seed-files',
  body: UpdateCollStatsJob,
  idOf: ({ collection_id }) => jobIdFor(collection_id),
  onePerObject: 'runs again',
  show: ({ collection_id = '' }) => ({ collection_id }),
})
@Injectable()
export class CollectionStatsJob implements JobHandler {
  /** Collections that one process computes at a time. */
  readonly concurrency = 2;
  readonly maxTries = 5;

  constructor(
    private readonly collections: CollectionsRepository,
    private readonly queries: CollectionStatsQueries,
    private readonly starter: JobStarter,
    private readonly jobs: JobsRepository,
    private readonly clock: Clock,
  ) {}

  async run({ oid, collection_id: collectionId }: Job): Promise<void> {
    if (!oid || !collectionId) return;
    const lastStatsUpdateStarted = this.clock.timestamp();
    const stats = await this.queries.compute(oid, collectionId);
    await this.collections.set(oid, collectionId, { ...stats, lastStatsUpdateStarted });
  }

  /** Starts the job, or makes the running one repeat. */
  async start(oid: string, collectionId: string): Promise<void> {
    await this.starter.start('update-coll-stats', { oid, fields: { collection_id: collectionId } });
  }

  /** Whether the collection's figures are about to change: 0 or 1. */
  async runningCount(oid: string, collectionId: string): Promise<number> {
    const job = await this.jobs.get({ oid }, jobIdFor(collectionId));
    return job && job.finished === null ? 1 : 0;
  }
}
