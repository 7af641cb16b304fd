import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { minutes } from '../common/units/durations.js';
import { AppConfig } from '../config/app-config.js';
import { HandlesJob, type JobContext, type JobHandler } from '../jobs/job-handlers.js';
import type { Job } from '../jobs/data/job.schema.js';
import { SeedFiles } from './seed-files.js';

/** The job that deletes unused seed files. Contract: archive §9, §12. */
@HandlesJob('cleanup-seed-files')
@Injectable()
export class SeedFileCleanup implements JobHandler {
  readonly concurrency = 1;
  /** The next one comes by itself. */
  readonly maxTries = 1;

  constructor(
    private readonly files: SeedFiles,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  get cron(): string {
    return this.config.files.cleanupCron;
  }

  async run(_job: Job, { signal, log }: JobContext): Promise<void> {
    const before = new Date(this.clock.nowMs() - minutes(this.config.files.cleanupAfterMinutes));
    const deleted = await this.files.deleteUnusedBefore(before, signal);
    await log(`${String(deleted)} unused seed files deleted`);
  }
}
