import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { DomainError } from '../common/errors/domain-error.js';
import { checkSort, pageOf, type ListPage } from '../common/pagination/page.js';
import { newPlan, type Job } from './data/job.schema.js';
import { JobsQueries } from './data/jobs.queries.js';
import { JobsRepository, type JobScope } from './data/jobs.repository.js';
import type { JobsQuery } from './dto/jobs.dto.js';
import { JobHandlers } from './job-handlers.js';
import { kindOf } from './job-kind.js';
import { JobWorker } from './job-worker.js';
import { CronJobRetryNotSupported, JobAlreadySucceeded, JobNotFinished, JobNotFound } from './jobs.errors.js';

const SORT_FIELDS = ['success', 'type', 'started', 'finished'];
const RETRY_BATCH = 200;

/** Lists, reads and retries of jobs. Contract: archive §10; seed §3 for retries. */
@Injectable()
export class JobsService {
  private readonly logger = new Logger('jobs');

  constructor(
    private readonly jobs: JobsRepository,
    private readonly queries: JobsQueries,
    private readonly handlers: JobHandlers,
    private readonly worker: JobWorker,
    private readonly clock: Clock,
  ) {}

  /** @throws InvalidSortBy, InvalidSortDirection */
  async list(scope: JobScope, query: JobsQuery): Promise<ListPage<Job>> {
    const sort = checkSort(SORT_FIELDS, query.sortBy, query.sortDirection);
    const { rows, total } = await this.queries.list(
      scope,
      { success: query.success, type: query.jobType },
      sort,
      query,
    );
    return pageOf(query, total, rows);
  }

  /** @throws JobNotFound */
  async get(scope: JobScope, jobId: string): Promise<Job> {
    const job = await this.jobs.get(scope, jobId);
    if (!job) throw new JobNotFound();
    return job;
  }

  /**
   * Starts a failed job's next attempt.
   * @returns false when no process could run it
   * @throws JobNotFound, JobNotFinished, JobAlreadySucceeded, CronJobRetryNotSupported, and the refusal of the job's
   *   handler
   */
  async retry(scope: JobScope, jobId: string): Promise<boolean> {
    const job = await this.get(scope, jobId);
    if (job.finished === null) throw new JobNotFinished();
    if (job.success) throw new JobAlreadySucceeded();
    const { retry } = kindOf(job.type) ?? {};
    if (retry === 'nobody, it comes again') throw new CronJobRetryNotSupported();
    const handler = this.handlers.get(job.type);
    if (!handler || (job.oid === null && retry !== 'superusers')) return false;
    await handler.checkRetry?.(job);
    const plan = newPlan(this.clock.now());
    if (!(await this.jobs.startNextAttempt(job._id, this.clock.creationTime(), plan))) throw new JobNotFinished();
    this.worker.wake();
    return true;
  }

  /** Retries every failed job of the scope in the background. Jobs that cannot be retried are skipped. */
  retryFailed(scope: JobScope): void {
    this.retryAll(scope).catch((error: unknown) => this.logger.error({ event: 'retry_failed_stopped', err: error }));
  }

  private async retryAll(scope: JobScope): Promise<void> {
    let last: Job | null = null;
    for (;;) {
      const failed: Job[] = await this.jobs.findFailed(scope, last, RETRY_BATCH);
      for (const job of failed) await this.retryQuietly(scope, job._id);
      last = failed.at(-1) ?? null;
      if (failed.length < RETRY_BATCH) return;
    }
  }

  private async retryQuietly(scope: JobScope, jobId: string): Promise<void> {
    try {
      await this.retry(scope, jobId);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      this.logger.debug({ event: 'job_not_retried', jobId, reason: error.detail });
    }
  }
}
