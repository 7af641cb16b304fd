import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../common/clock/clock.js';
import { Outcomes } from '../common/metrics/outcomes.js';
import { isDatabaseAway } from '../common/errors/database-away.js';
import { minutes, seconds } from '../common/units/durations.js';
import { LeasedWorker, type ClaimedWork } from '../database/leased-worker.js';
import { JobsRepository, type ClaimedJob } from './data/jobs.repository.js';
import { FailedJobNotice } from './failed-job-notice.js';
import { JobHandlers, type JobHandler } from './job-handlers.js';

const FIRST_WAIT_MS = seconds(1);
const LONGEST_WAIT_MS = minutes(60);
/** Deaths after which a job is set aside for a while. Otherwise its restarts keep the service from its other work. */
const DEATHS_SET_ASIDE = 2;
const ASIDE_MS = minutes(1);
/**
 * Number of runs that every job gets before deaths fail it. A death is rarely the job's own fault, so this also holds
 * for jobs with one try.
 */
const LEAST_RUNS = 3;

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 2000);

/** A job whose runs all ended with the process that ran them. */
class RunsDied extends Error {
  constructor(deaths: number) {
    super(`the process that ran it ended ${deaths} times, or could not reach the database for long`);
  }
}

/**
 * Claims due jobs by lease and runs them, a bounded number of each type at a time. A job whose run died may have killed
 * its process. So such jobs run one at a time: one that kills the process takes no other such job with it twice. After
 * its second death a job is set aside for a while. A claim beyond its tries fails it.
 */
@Injectable()
export class JobWorker extends LeasedWorker<ClaimedJob> {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly handlers: JobHandlers,
    private readonly notice: FailedJobNotice,
    private readonly clock: Clock,
    private readonly outcomes: Outcomes,
  ) {
    super(jobs.leases, new Logger('jobs'));
  }

  /** The look finds jobs that became due by time, and those whose process died. */
  @Interval(seconds(2))
  override look(): Promise<number> {
    return super.look();
  }

  protected async claim(): Promise<ClaimedWork<ClaimedJob>> {
    const types = this.freeTypes();
    const isBesideSuspect = this.underWay.some(({ plan }) => (plan.deaths ?? 0) > 0);
    const job = types.length > 0 ? await this.jobs.claim(types, isBesideSuspect ? 'unsuspected' : 'all') : null;
    return { held: job ? [job] : [], more: job !== null };
  }

  protected async work(claimed: ClaimedJob): Promise<void> {
    const { record: job, lease } = claimed;
    const handler = this.handlers.get(job.type);
    if (!handler || (await this.isSetAside(claimed, handler))) return;
    try {
      const log = (message: string) => this.jobs.log(job._id, this.clock.now(), message);
      await handler.run(job, { signal: AbortSignal.any([lease.lost, this.stopping]), log });
      await this.succeeded(claimed);
    } catch (error) {
      await this.ranInto(error, claimed, handler).catch((failure: unknown) =>
        this.logger.error({ event: 'job_bookkeeping_failed', jobId: job._id, err: failure }),
      );
    }
  }

  private freeTypes(): string[] {
    const used = new Map<string, number>();
    for (const { record } of this.underWay) used.set(record.type, (used.get(record.type) ?? 0) + 1);
    return this.handlers
      .all()
      .filter(([type, { concurrency }]) => (used.get(type) ?? 0) < concurrency)
      .map(([type]) => type);
  }

  /** Whether it is too early, or too late, for another run of a job whose last run died. */
  private async isSetAside(claimed: ClaimedJob, handler: JobHandler): Promise<boolean> {
    const { tries, deaths = 0 } = claimed.plan;
    if (!claimed.hasJustDied) return false;
    const { _id: jobId, type, oid } = claimed.record;
    this.logger.warn({ event: 'job_run_died', jobId, type, oid, tries, deaths });
    const died = new RunsDied(deaths);
    if (tries > Math.max(handler.maxTries, LEAST_RUNS)) {
      await this.fail(died, claimed, handler);
      return true;
    }
    if (deaths < DEATHS_SET_ASIDE) return false;
    await this.jobs.putBack(claimed, new Date(this.clock.nowMs() + ASIDE_MS));
    await this.jobs.log(jobId, this.clock.now(), `set aside: ${died.message}`);
    return true;
  }

  private async succeeded(claimed: ClaimedJob): Promise<void> {
    if (await this.jobs.finish(claimed, { success: true }, this.clock.timestamp())) {
      const { _id: jobId, type, oid } = claimed.record;
      this.logger.log({ event: 'job_succeeded', jobId, type, oid });
      this.outcomes.jobEnded(type, 'succeeded');
      return;
    }
    // The job was asked for again while it ran.
    await this.jobs.runAgain(claimed, this.clock.now());
  }

  /**
   * Follow-up work of a failed job must not keep it from ending, so its error is only logged. It is thrown when the
   * database is away.
   */
  private async orLogged({ record: job }: ClaimedJob, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (failure) {
      if (isDatabaseAway(failure)) throw failure;
      this.logger.error({ event: 'job_clean_up_failed', jobId: job._id, type: job.type, err: failure });
    }
  }

  private async ranInto(error: unknown, claimed: ClaimedJob, handler: JobHandler): Promise<void> {
    if (claimed.lease.isLost) return;
    if (this.stopping.aborted) return this.jobs.putBack(claimed, this.clock.now());
    const { _id: jobId, type, oid } = claimed.record;
    const { tries } = claimed.plan;
    this.logger.warn({ event: 'job_run_failed', jobId, type, oid, tries, err: error });
    const line = `run ${tries} failed: ${reasonOf(error)}`;
    await this.orLogged(claimed, () => this.jobs.log(jobId, this.clock.now(), line));
    if (tries < handler.maxTries) {
      const wait = Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), LONGEST_WAIT_MS);
      return this.jobs.postpone(claimed, new Date(this.clock.nowMs() + wait), reasonOf(error));
    }
    await this.fail(error, claimed, handler);
  }

  private async fail(error: unknown, claimed: ClaimedJob, handler: JobHandler): Promise<void> {
    const { record: job } = claimed;
    const finished = this.clock.timestamp();
    // A handler's error must not keep the job from ending, or the job would be claimed for ever.
    await this.orLogged(claimed, async () => handler.failed?.(job, error));
    if (!(await this.jobs.finish(claimed, { success: false, error: reasonOf(error) }, finished))) return;
    this.outcomes.jobEnded(job.type, 'failed');
    await this.notice.send({ ...job, success: false, finished });
  }
}
