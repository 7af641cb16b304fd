import { Injectable } from '@nestjs/common';
import { OneOf } from '../common/validation/fields.js';
import { JobFields } from '../jobs/dto/job-fields.dto.js';
import { Clock } from '../common/clock/clock.js';
import { minutes } from '../common/units/durations.js';
import { AppConfig } from '../config/app-config.js';
import { ItemsRepository } from '../items/data/items.repository.js';
import { HandlesJob, type JobContext, type JobHandler } from '../jobs/job-handlers.js';
import { JobStarter } from '../jobs/job-starter.js';
import { JobsRepository } from '../jobs/data/jobs.repository.js';
import type { Job } from '../jobs/data/job.schema.js';

/** Most uploads of one run; the next run takes the rest. */
const MAX_PER_RUN = 1000;

declare module '../jobs/job-kind.js' {
  interface JobTypes {
    readonly 'retry-stuck-uploads': true;
  }
}

export class RetryStuckUploadsJob extends JobFields {
  @OneOf(['retry-stuck-uploads']) type = 'retry-stuck-uploads' as const;
}

/** The job that restarts uploads whose processing was lost. Contract: archive.md §10, §12. */
@HandlesJob({
  type: 'retry-stuck-uploads',
  after: 'postprocess-upload',
  body: RetryStuckUploadsJob,
  idOf: () => 'stuck-uploads',
  retry: 'nobody, it comes again',
})
@Injectable()
export class StuckUploads implements JobHandler {
  readonly concurrency = 1;
  /** A failed run is not retried, because the next run is scheduled anyway. */
  readonly maxTries = 1;

  constructor(
    private readonly items: ItemsRepository,
    private readonly jobs: JobsRepository,
    private readonly starter: JobStarter,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  get cron(): string {
    return this.config.uploads.stuckCron;
  }

  /** @throws AggregateError with all failures, after every upload was tried */
  async run(_job: Job, { signal, log }: JobContext): Promise<void> {
    const before = new Date(this.clock.nowMs() - minutes(this.config.uploads.stuckAfterMinutes));
    const failures: unknown[] = [];
    let started = 0;
    for (const { oid, _id: itemId } of await this.items.findStuckUploadsAcrossOrgs(before, MAX_PER_RUN)) {
      signal.throwIfAborted();
      try {
        const job = await this.jobs.get({ oid }, `postprocess-upload-${itemId}`);
        if (job && job.finished === null) continue;
        await this.starter.start('postprocess-upload', { oid, fields: { crawl_id: itemId } });
        started += 1;
      } catch (error) {
        failures.push(error);
      }
    }
    await log(`${String(started)} stuck uploads taken up`);
    if (failures.length > 0) throw new AggregateError(failures, `${String(failures.length)} uploads not taken up`);
  }
}
