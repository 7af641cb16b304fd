import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../common/clock/clock.js';
import { Coalesced } from '../common/concurrency/coalesced.js';
import { isDatabaseAway } from '../common/errors/database-away.js';
import { minutes, seconds } from '../common/units/durations.js';
import { JobsRepository, type ClaimedJob } from './data/jobs.repository.js';
import { FailedJobNotice } from './failed-job-notice.js';
import { JobHandlers, type JobHandler } from './job-handlers.js';

/** A process that dies holds its jobs this long. */
const LEASE_MS = seconds(20);
const HEARTBEAT_MS = seconds(5);
const FIRST_WAIT_MS = seconds(1);
const LONGEST_WAIT_MS = minutes(60);
/** A job whose run died this often waits, so that the service is not kept from its other work by its restarts. */
const DEATHS_SET_ASIDE = 2;
const ASIDE_MS = minutes(1);
/** A death is rarely the job's own fault, so those tried once by themselves get runs for it as well. */
const LEAST_RUNS = 3;

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 2000);

/** A job whose runs all ended with the process that ran them. */
class RunsDied extends Error {
  constructor(deaths: number) {
    super(`the process that ran it ended ${deaths} times, or could not reach the database for long`);
  }
}

/**
 * Claims due jobs by lease and runs them, a bounded number of each type at a time. A job whose run died is suspected of
 * it: such jobs run one at a time, so that one that kills the process takes no other with it twice, after its second
 * death it is set aside for a while, and a claim beyond its tries fails it.
 */
@Injectable()
export class JobWorker implements BeforeApplicationShutdown {
  private readonly running = new Map<Promise<void>, ClaimedJob>();
  private ended = 0;
  private readonly stopping = new AbortController();
  private readonly logger = new Logger('jobs');
  private readonly looks = new Coalesced(() => this.claimAll());

  constructor(
    private readonly jobs: JobsRepository,
    private readonly handlers: JobHandlers,
    private readonly notice: FailedJobNotice,
    private readonly clock: Clock,
  ) {}

  /** Claims and starts what is due now. @returns how many were started */
  @Interval(seconds(2))
  look(): Promise<number> {
    return this.looks.run();
  }

  /** Starts a look without waiting for it: something has just become due. */
  wake(): void {
    if (this.stopping.signal.aborted) return;
    this.look().catch((error: unknown) => this.logger.error({ event: 'look_failed', err: error }));
  }

  /** Looks until nothing is due and everything started has ended; for tests. */
  async drain(): Promise<void> {
    for (;;) {
      const { ended } = this;
      const started = await this.look();
      // While some ran, their types may have been full.
      if (started === 0 && this.running.size === 0 && this.ended === ended) return;
      await Promise.all(this.running.keys());
    }
  }

  /** While the database is still connected, so that what was begun can be put back for another process. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await Promise.allSettled(this.running.keys());
  }

  private freeTypes(): string[] {
    const used = new Map<string, number>();
    for (const { type } of this.running.values()) used.set(type, (used.get(type) ?? 0) + 1);
    return this.handlers
      .all()
      .filter(([type, { concurrency }]) => (used.get(type) ?? 0) < concurrency)
      .map(([type]) => type);
  }

  private async claimAll(): Promise<number> {
    let started = 0;
    while (!this.stopping.signal.aborted) {
      const job = await this.claim();
      const handler = job && this.handlers.get(job.type);
      if (!job || !handler) return started;
      if (await this.isSetAside(job, handler)) continue;
      const work = this.run(job, handler).finally(() => {
        this.running.delete(work);
        this.ended++;
        this.wake();
      });
      this.running.set(work, job);
      started++;
    }
    return started;
  }

  private async claim(): Promise<ClaimedJob | null> {
    const types = this.freeTypes();
    if (types.length === 0) return null;
    const now = this.clock.now();
    const isBesideSuspect = [...this.running.values()].some(({ plan }) => (plan.deaths ?? 0) > 0);
    const leaseUntil = new Date(now.getTime() + LEASE_MS);
    return this.jobs.claim(types, { now, leaseUntil, among: isBesideSuspect ? 'unsuspected' : 'all' });
  }

  /** Of jobs whose last run died: whether it is too early for the next one, or too late for any. */
  private async isSetAside(job: ClaimedJob, handler: JobHandler): Promise<boolean> {
    const { tries, deaths = 0 } = job.plan;
    if (!job.hasJustDied) return false;
    this.logger.warn({ event: 'job_run_died', jobId: job._id, type: job.type, oid: job.oid, tries, deaths });
    const died = new RunsDied(deaths);
    if (tries > Math.max(handler.maxTries, LEAST_RUNS)) {
      await this.fail(died, job, handler);
      return true;
    }
    if (deaths < DEATHS_SET_ASIDE) return false;
    await this.jobs.putBack(job._id, new Date(this.clock.nowMs() + ASIDE_MS));
    await this.jobs.log(job._id, this.clock.now(), `set aside: ${died.message}`);
    return true;
  }

  private async run(job: ClaimedJob, handler: JobHandler): Promise<void> {
    const lost = new AbortController();
    const heartbeat = this.keepLease(job._id, job.plan.leaseUntil, lost);
    try {
      const log = (message: string) => this.jobs.log(job._id, this.clock.now(), message);
      await handler.run(job, { signal: AbortSignal.any([lost.signal, this.stopping.signal]), log });
      await this.succeeded(job);
    } catch (error) {
      await this.ranInto(error, job, handler, lost.signal.aborted).catch((failure: unknown) =>
        this.logger.error({ event: 'job_bookkeeping_failed', jobId: job._id, err: failure }),
      );
    } finally {
      clearInterval(heartbeat);
    }
  }

  private keepLease(jobId: string, first: Date, lost: AbortController): NodeJS.Timeout {
    let lease = first;
    const beat = async (): Promise<void> => {
      const next = new Date(this.clock.nowMs() + LEASE_MS);
      if (await this.jobs.renew(jobId, lease, next)) lease = next;
      else lost.abort(new Error('the job was taken over'));
    };
    return setInterval(() => {
      beat().catch((error: unknown) => this.logger.warn({ event: 'heartbeat_failed', jobId, err: error }));
    }, HEARTBEAT_MS);
  }

  private async succeeded(job: ClaimedJob): Promise<void> {
    if (await this.jobs.finish(job._id, { success: true }, this.clock.timestamp())) {
      this.logger.log({ event: 'job_succeeded', jobId: job._id, type: job.type, oid: job.oid });
      return;
    }
    // It was asked for again while it ran.
    await this.jobs.runAgain(job._id, this.clock.now());
  }

  /** What a failed job leaves to do must not keep it from ending. */
  private async orLogged(job: ClaimedJob, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (failure) {
      if (isDatabaseAway(failure)) throw failure;
      this.logger.error({ event: 'job_clean_up_failed', jobId: job._id, type: job.type, err: failure });
    }
  }

  private async ranInto(error: unknown, job: ClaimedJob, handler: JobHandler, lost: boolean): Promise<void> {
    if (lost) return;
    if (this.stopping.signal.aborted) return this.jobs.putBack(job._id, this.clock.now());
    const { tries } = job.plan;
    this.logger.warn({ event: 'job_run_failed', jobId: job._id, type: job.type, oid: job.oid, tries, err: error });
    await this.orLogged(job, () => this.jobs.log(job._id, this.clock.now(), `run ${tries} failed: ${reasonOf(error)}`));
    if (tries < handler.maxTries) {
      const wait = Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), LONGEST_WAIT_MS);
      return this.jobs.postpone(job._id, new Date(this.clock.nowMs() + wait), reasonOf(error));
    }
    await this.fail(error, job, handler);
  }

  private async fail(error: unknown, job: ClaimedJob, handler: JobHandler): Promise<void> {
    const finished = this.clock.timestamp();
    // Else the job would be claimed for ever.
    await this.orLogged(job, async () => handler.failed?.(job, error));
    if (await this.jobs.finish(job._id, { success: false, error: reasonOf(error) }, finished))
      await this.notice.send({ ...job, success: false, finished });
  }
}
