import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import { OneOf } from '../common/validation/fields.js';
import { JobFields } from '../jobs/dto/job-fields.dto.js';
import { Clock } from '../common/clock/clock.js';
import { minutes } from '../common/units/durations.js';
import { AppConfig } from '../config/app-config.js';
import { HandlesJob, type JobContext, type JobHandler } from '../jobs/job-handlers.js';
import type { Job } from '../jobs/data/job.schema.js';
import { SeedFiles } from './seed-files.js';

declare module '../jobs/job-kind.js' {
  interface JobTypes {
    readonly 'cleanup-seed-files': true;
  }
}

export class CleanupSeedFilesJob extends JobFields {
  @OneOf(['cleanup-seed-files']) type = 'cleanup-seed-files' as const;
}

/** The job that deletes unused seed files. Contract: archive §9, §12. */
@HandlesJob({
  type: 'cleanup-seed-files',
  after: 'optimize-pages',
  body: CleanupSeedFilesJob,
  idOf: () => 'seed-files',
  retry: 'nobody, it comes again',
})
@Injectable()
export class SeedFileCleanup implements JobHandler {
  readonly concurrency = 1;
  /** A failed run is not retried, because the next run is scheduled anyway. */
  readonly maxTries = 1;

  constructor(
    private readonly files: SeedFiles,
    private readonly trail: AuditTrail,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  get cron(): string {
    return this.config.files.cleanupCron;
  }

  async run(_job: Job, { signal, log }: JobContext): Promise<void> {
    const before = new Date(this.clock.nowMs() - minutes(this.config.files.cleanupAfterMinutes));
    const deleted = await this.files.deleteUnusedBefore(before, signal);
    if (deleted > 0) await this.trail.record({ action: 'system.unusedSeedFilesDeleted' });
    await log(`${String(deleted)} unused seed files deleted`);
  }
}
