import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { newId } from '../common/ids/uuid.js';
import { minutes, seconds } from '../common/units/durations.js';
import { AppConfig } from '../config/app-config.js';
import { isActive } from '../items/data/item-state.schema.js';
import { OrgsRepository } from '../orgs/data/orgs.repository.js';
import { CrawlJobsRepository, type HeldJob } from './data/crawl-jobs.repository.js';
import { RunsRepository } from './data/runs.repository.js';
import { LeaseLost } from './lease-lost.js';
import { viewOf } from './run-kind.js';
import { RunTeardown } from './run-teardown.js';
import { RunTick } from './run-tick.js';

/** A process that dies holds its jobs up for this long at most. */
const LEASE_MS = minutes(1);
/** Evaluations that one process runs at once: they mostly wait for the driver. */
const MAX_AT_ONCE = 16;
/** A job that changes soon is looked at again after this (crawling §11.10). */
const FAST_RETRY_MS = seconds(3);

/**
 * Reconciles what should run with what does: each job is evaluated when due, by whichever process claims it first.
 * Nothing is kept in memory between two evaluations. Contract: crawling §11.
 */
@Injectable()
export class CrawlSupervisor implements OnModuleDestroy {
  private readonly logger = new Logger('crawls');
  private readonly running = new Set<Promise<void>>();
  private stopping = false;

  constructor(
    private readonly jobs: CrawlJobsRepository,
    private readonly runs: RunsRepository,
    private readonly orgs: OrgsRepository,
    private readonly tick: RunTick,
    private readonly teardown: RunTeardown,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /** Evaluates the jobs that are due, several at once. @returns how many were claimed, when all of them are done */
  async runDue(): Promise<number> {
    let claimed = 0;
    while (!this.stopping && this.running.size < MAX_AT_ONCE) {
      const now = this.clock.now();
      const held = await this.jobs.claimDue(now, this.leaseEnd(now), newId());
      if (!held) break;
      claimed += 1;
      const evaluation = this.evaluate(held).finally(() => this.running.delete(evaluation));
      this.running.add(evaluation);
    }
    await Promise.all(this.running);
    return claimed;
  }

  /** Lets the evaluations under way end: the drivers are closed after this. */
  async onModuleDestroy(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.running);
  }

  /** Evaluates one job now, due or not. @returns false when another process is at it, or it is gone */
  async evaluateNow(jobId: string): Promise<boolean> {
    const now = this.clock.now();
    const held = await this.jobs.claimOne(jobId, now, { leaseUntil: this.leaseEnd(now), leaseId: newId() });
    if (!held) return false;
    await this.evaluate(held);
    return true;
  }

  private async evaluate(held: HeldJob): Promise<void> {
    const { job } = held;
    let waitMs: number | null = seconds(this.config.crawls.tickSeconds);
    try {
      waitMs = await this.step(held);
    } catch (error) {
      if (error instanceof LeaseLost) return;
      this.logger.error({ event: 'evaluation_failed', oid: job.oid, jobId: job._id, err: error });
    }
    const now = this.clock.now();
    if (waitMs !== null) await this.jobs.release(held, new Date(now.getTime() + waitMs), now);
  }

  /** @returns when to look again, milliseconds; null: the job is gone */
  private async step(held: HeldJob): Promise<number | null> {
    const { job } = held;
    const org = await this.orgs.findById(job.oid);
    const item = org && (await this.runs.findItem(job.oid, job.crawlId));
    const run = item && viewOf(job, item);
    if (!org || !item || !run || item.deleted || !isActive(run.state)) {
      if (await this.teardown.run(held, item)) return null;
      return FAST_RETRY_MS;
    }
    const outcome = await this.tick.run(held, { job, item, run, org }, () => this.renew(held));
    if (outcome === 'ended') return 0;
    return outcome === 'soon' ? FAST_RETRY_MS : seconds(this.config.crawls.tickSeconds);
  }

  private async renew(held: HeldJob): Promise<void> {
    if (!(await this.jobs.renew(held, this.leaseEnd(this.clock.now())))) throw new LeaseLost(held.job._id);
  }

  private leaseEnd(now: Date): Date {
    return new Date(now.getTime() + LEASE_MS);
  }
}
