import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../common/clock/clock.js';
import { newId } from '../../common/ids/uuid.js';
import { seconds } from '../../common/units/durations.js';
import { AppConfig } from '../../config/app-config.js';
import type { Item } from '../../items/data/item.schema.js';
import { CrawlJobsRepository, type HeldJob, type Lease } from '../data/crawl-jobs.repository.js';
import { LeaseLost } from './lease-lost.js';
import { RunFailures, type AfterFailure } from './run-failures.js';
import type { RunContext } from './run-kind.js';
import { RunSubjects, type Subjects } from './run-subjects.js';
import { RunTeardown } from './run-teardown.js';
import { RunTick } from './run-tick.js';

/**
 * A process that dies holds its jobs up for this long at most, so that others have them within ten seconds; renewed
 * while a job is looked at, which may take longer.
 */
const LEASE_MS = seconds(8);
const HEARTBEAT_MS = seconds(2);
/** Evaluations that one process runs at once: they mostly wait for the driver and the database. */
const MAX_AT_ONCE = 32;
/** So few left of them ask for more jobs: several at a time, because a claim costs the same for one as for many. */
const REFILL_BELOW = 24;

/**
 * Reconciles what should run with what does: each job is evaluated when due, by whichever process claims it first.
 * Nothing is kept in memory between two evaluations. Contract: crawling §11.
 */
@Injectable()
export class CrawlSupervisor implements OnModuleDestroy {
  private readonly logger = new Logger('crawls');
  private readonly running = new Map<HeldJob, Promise<void>>();
  private heartbeat: NodeJS.Timeout | undefined;
  private claiming = false;
  private stopping = false;

  constructor(
    private readonly jobs: CrawlJobsRepository,
    private readonly subjects: RunSubjects,
    private readonly tick: RunTick,
    private readonly teardown: RunTeardown,
    private readonly failures: RunFailures,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /**
   * Evaluates the jobs that are due, several at once, until none is. A call while another claims does nothing.
   * Often, so that a wish of a user is acted on at once; jobs that are not due cost one indexed read.
   * @returns how many were claimed, when all of them are done
   */
  @Interval(seconds(0.5))
  async runDue(): Promise<number> {
    if (this.claiming) return 0;
    this.claiming = true;
    let claimed = 0;
    try {
      for (let more = true; more && !this.stopping;) {
        const free = MAX_AT_ONCE - this.running.size;
        const found = free > 0 ? await this.jobs.claimDue(this.clock.now(), this.newLease(), free) : null;
        claimed += found?.held.length ?? 0;
        this.startAll(found?.held ?? []);
        more = found?.more ?? true;
        while (more && this.running.size > REFILL_BELOW) await Promise.race(this.running.values());
      }
    } finally {
      this.claiming = false;
    }
    await Promise.all(this.running.values());
    return claimed;
  }

  /** Lets the evaluations under way end: the drivers are closed after this. */
  async onModuleDestroy(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.running.values());
    clearInterval(this.heartbeat);
  }

  /** Evaluates one job now, due or not. @returns false when another process is at it, or it is gone */
  async evaluateNow(jobId: string): Promise<boolean> {
    const held = await this.jobs.claimOne(jobId, this.clock.now(), this.newLease());
    if (!held) return false;
    this.startAll([held]);
    await this.running.get(held);
    return true;
  }

  // ---- details

  private startAll(held: readonly HeldJob[]): void {
    if (held.length === 0) return;
    this.heartbeat ??= setInterval(() => this.renewLeases(), HEARTBEAT_MS).unref();
    const subjects = this.subjects.of(held);
    for (const one of held) {
      const evaluation = this.evaluate(one, subjects).finally(() => this.running.delete(one));
      this.running.set(one, evaluation);
    }
  }

  /** Never fails: what went wrong is logged, and the job is looked at again when its lease or its time is over. */
  private async evaluate(held: HeldJob, subjects: Promise<Subjects>): Promise<void> {
    const { oid, _id: jobId } = held.job;
    const next = await this.step(held, subjects);
    if (!next) return;
    try {
      const now = this.clock.now();
      await this.jobs.release(held, { dueAt: new Date(now.getTime() + next.waitMs), failures: next.failures }, now);
    } catch (error) {
      this.logger.error({ event: 'job_not_released', oid, jobId, err: error });
    }
  }

  /** @returns when to look again; null: the job is gone, or somebody else has it */
  private async step(held: HeldJob, subjects: Promise<Subjects>): Promise<AfterFailure | null> {
    let context: RunContext | null = null;
    try {
      const found = await subjects;
      context = found.contextOf(held);
      const waitSeconds = context ? await this.run(held, context) : await this.tearDown(held, found.itemOf(held));
      return waitSeconds === null ? null : { failures: 0, waitMs: seconds(waitSeconds) };
    } catch (error) {
      if (error instanceof LeaseLost) return null;
      this.logger.error({ event: 'evaluation_failed', oid: held.job.oid, jobId: held.job._id, err: error });
      return this.failures.after(held, context, error);
    }
  }

  private async run(held: HeldJob, context: RunContext): Promise<number> {
    const outcome = await this.tick.run(held, context, () => this.renew(held));
    if (outcome === 'ended') return 0;
    const { fastRetrySeconds, tickSeconds } = this.config.crawls;
    return outcome === 'soon' ? fastRetrySeconds : tickSeconds;
  }

  private async tearDown(held: HeldJob, item: Item | null): Promise<number | null> {
    return (await this.teardown.run(held, item)) ? null : this.config.crawls.fastRetrySeconds;
  }

  private renewLeases(): void {
    const held = [...this.running.keys()];
    if (held.length === 0) return;
    this.jobs
      .renewAll(held, this.newLease().leaseUntil)
      .catch((error: unknown) => this.logger.warn({ event: 'heartbeat_failed', err: error }));
  }

  private async renew(held: HeldJob): Promise<void> {
    if (!(await this.jobs.renew(held, this.newLease().leaseUntil))) throw new LeaseLost(held.job._id);
  }

  private newLease(): Lease {
    return { leaseUntil: new Date(this.clock.nowMs() + LEASE_MS), leaseId: newId() };
  }
}
