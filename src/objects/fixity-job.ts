import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { days, wholeSecond } from '../common/units/durations.js';
import { AppConfig } from '../config/app-config.js';
import type { Job } from '../jobs/data/job.schema.js';
import { HandlesJob, type JobContext, type JobHandler } from '../jobs/job-handlers.js';
import { JobStarter } from '../jobs/job-starter.js';
import { Fixity, type VerifiedRecord } from './fixity.js';

/** Some files differ from their records, and no copy could replace them. */
export class FilesNotIntact extends Error {
  constructor(records: number) {
    super(`${String(records)} records have files that are damaged, missing or out of reach`);
  }
}

declare module '../jobs/job-kind.js' {
  interface JobTypes {
    readonly 'verify-files': true;
  }
}

/**
 * Reads stored files again, replicas included, and compares them with their records. It covers items, profiles, seed
 * files and thumbnails. By schedule it reads the files of all orgs that were not verified for a while; on demand it
 * reads all files of one org. Each record keeps its result, so that a new try continues after an interruption. The job
 * fails when a file is not intact, which tells the superuser.
 */
@HandlesJob({
  type: 'verify-files',
  after: 'retry-stuck-uploads',
  retry: 'superusers',
})
@Injectable()
export class FixityJob implements JobHandler {
  readonly concurrency = 1;
  readonly maxTries = 1;

  constructor(
    private readonly starter: JobStarter,
    private readonly fixity: Fixity,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  get cron(): string | undefined {
    const { cron, intervalDays } = this.config.fixity;
    return intervalDays > 0 ? cron : undefined;
  }

  /** Starts the verification of all files of an org. @returns the job's id */
  async startForOrg(oid: string): Promise<string> {
    return this.starter.start('verify-files', { oid });
  }

  /** @throws FilesNotIntact */
  async run({ oid, started }: Job, { signal, log }: JobContext): Promise<void> {
    const { intervalDays, maxBytesPerRun } = this.config.fixity;
    const before = oid === null ? new Date(this.clock.nowMs() - days(intervalDays)) : wholeSecond(started);
    let [records, repaired, unwell, bytes] = [0, 0, 0, 0];
    for await (const verified of this.fixity.verifySince(oid, before, signal)) {
      records += 1;
      bytes += verified.size;
      if (verified.result === 'repaired') repaired += 1;
      else if (verified.result !== 'ok') unwell += 1;
      await tell(verified, log);
      if (oid === null && bytes >= maxBytesPerRun) break;
    }
    await log(`${String(records)} records verified, ${String(repaired)} repaired, ${String(unwell)} not intact`);
    if (unwell > 0) throw new FilesNotIntact(unwell);
  }
}

async function tell({ kind, id, copies }: VerifiedRecord, log: JobContext['log']): Promise<void> {
  for (const { filename, storage, result } of copies)
    await log(`${result} in ${storage}: ${filename} of ${kind} ${id}`);
}
