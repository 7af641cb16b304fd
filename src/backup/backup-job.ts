import { Injectable } from '@nestjs/common';
import { AppConfig } from '../config/app-config.js';
import type { Job } from '../jobs/data/job.schema.js';
import { HandlesJob, type JobContext, type JobHandler } from '../jobs/job-handlers.js';
import { BackupMaker } from './backup-maker.js';
import { BackupPruner } from './backup-pruner.js';
import { BackupTarget } from './target/backup-target.js';

/** Some objects could not be backed up, or what was written could not be read again. */
export class BackupIncomplete extends Error {
  constructor(problems: number) {
    super(`${String(problems)} problems; the job's log names them`);
  }
}

declare module '../jobs/job-kind.js' {
  interface JobTypes {
    readonly backup: true;
  }
}

/** Most problems in the log of a job. */
const MOST_LOGGED = 50;

/**
 * Makes a backup by schedule, reads it again, and deletes those that are not kept any longer. It fails when anything is
 * wrong, which tells the superuser.
 */
@HandlesJob({ type: 'backup', after: 'update-dedupe-index', retry: 'superusers' })
@Injectable()
export class BackupJob implements JobHandler {
  readonly concurrency = 1;
  readonly maxTries = 1;

  constructor(
    private readonly maker: BackupMaker,
    private readonly pruner: BackupPruner,
    private readonly config: AppConfig,
  ) {}

  get cron(): string | undefined {
    return this.config.backup.cron || undefined;
  }

  /** @throws BackupRefused, BackupIncomplete */
  async run(_job: Job, { signal, log }: JobContext): Promise<void> {
    const { target, keyFile, keep } = this.config.backup;
    // A job of a database that was restored where no backups are made.
    if (target === '') return;
    const lines: string[] = [];
    const order = { target, keyFile: keyFile || null, verify: true, signal, tell: (line: string) => lines.push(line) };
    const { manifest, copiedObjects, problems } = await this.maker.make(order);
    for (const line of [...lines, ...problems.slice(0, MOST_LOGGED)]) await log(line);
    await log(`${manifest.id}: ${String(manifest.objects.count)} objects, ${String(copiedObjects)} of them copied now`);
    if (problems.length > 0) throw new BackupIncomplete(problems.length);
    const { ids, objects } = await this.pruner.prune(await BackupTarget.open(target, order.keyFile), keep, signal);
    await log(`${String(ids.length)} backups and ${String(objects)} objects are deleted`);
  }
}
