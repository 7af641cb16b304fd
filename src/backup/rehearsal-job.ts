import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { AppConfig } from '../config/app-config.js';
import type { Job } from '../jobs/data/job.schema.js';
import { HandlesJob, type JobContext, type JobHandler } from '../jobs/job-handlers.js';
import { BackupStateRepository } from './data/backup-state.repository.js';
import { rehearseBackup } from './rehearsal-process.js';

/** A backup could not be restored, or what was restored does not agree. */
export class RehearsalFailed extends Error {
  constructor() {
    super('the newest backup could not be restored whole; the job’s log says why');
  }
}

declare module '../jobs/job-kind.js' {
  interface JobTypes {
    readonly 'rehearse-backup': true;
  }
}

/**
 * Restores the newest backup by schedule where it disturbs nobody, recounts it and deletes it again. It fails when
 * anything is wrong, which tells the superuser.
 */
@HandlesJob({ type: 'rehearse-backup', after: 'backup', retry: 'superusers' })
@Injectable()
export class RehearsalJob implements JobHandler {
  readonly concurrency = 1;
  readonly maxTries = 1;

  constructor(
    private readonly states: BackupStateRepository,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  get cron(): string | undefined {
    return this.config.backup.rehearsal.cron || undefined;
  }

  /** @throws RehearsalFailed */
  async run(_job: Job, { signal, log }: JobContext): Promise<void> {
    const { target, keyFile, rehearsal } = this.config.backup;
    // A job of a database that was restored where no backups are made.
    if (target === '') return;
    const { isSound, lines } = await rehearseBackup({ source: target, keyFile, scratch: rehearsal.folder, signal });
    for (const line of lines) await log(line);
    if (!isSound) throw new RehearsalFailed();
    await this.states.rehearsed(this.clock.now());
  }
}
