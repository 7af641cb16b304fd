import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../common/clock/clock.js';
import { seconds } from '../../common/units/durations.js';
import { AppConfig } from '../../config/app-config.js';
import { LeasedWorker, type ClaimedWork } from '../../database/leased-worker.js';
import type { Lease } from '../../database/leases.js';
import type { Item } from '../../items/data/item.schema.js';
import { CrawlJobsRepository } from '../data/crawl-jobs.repository.js';
import { LeaseLost, type HeldRun } from '../data/held-run.js';
import { RunFailures, type AfterFailure } from './run-failures.js';
import type { RunContext } from './run-kind.js';
import { RunSubjects, type Subjects } from './run-subjects.js';
import { RunTeardown } from './run-teardown.js';
import { RunTick } from './run-tick.js';

/** Number of evaluations that one process runs at once. They mostly wait for the driver and the database. */
const MAX_AT_ONCE = 32;
/**
 * When fewer evaluations than this are left, more jobs are claimed. A claim costs the same for one job as for many, so
 * several are claimed at a time.
 */
const REFILL_BELOW = 24;

/** A claimed run, and the subjects of all runs that were claimed with it. */
interface Evaluation {
  readonly held: HeldRun;
  readonly lease: Lease;
  readonly subjects: Promise<Subjects>;
}

/**
 * Reconciles the desired with the actual runs. Each job is evaluated when it is due, by whichever process claims it
 * first. Nothing is kept in memory between two evaluations. Contract: crawling §11.
 */
@Injectable()
export class CrawlSupervisor extends LeasedWorker<Evaluation> implements OnModuleDestroy {
  private isMoreDue = false;

  constructor(
    private readonly jobs: CrawlJobsRepository,
    private readonly subjects: RunSubjects,
    private readonly tick: RunTick,
    private readonly teardown: RunTeardown,
    private readonly failures: RunFailures,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {
    super(jobs.leases, new Logger('crawls'));
  }

  /** The look comes often, so that a user's wish is acted on at once. While no job is due it costs one indexed read. */
  @Interval(seconds(0.5))
  override look(): Promise<number> {
    return super.look();
  }

  /** Lets the evaluations under way end, because the drivers are closed after this. */
  onModuleDestroy(): Promise<void> {
    return this.beforeApplicationShutdown();
  }

  /** Evaluates one job now, due or not. @returns false when another process holds it, or it is gone */
  async evaluateNow(jobId: string): Promise<boolean> {
    const held = await this.jobs.claimOne(jobId);
    if (!held) return false;
    for (const one of this.toEvaluate([held])) await this.start(one);
    return true;
  }

  protected async claim(): Promise<ClaimedWork<Evaluation>> {
    const room = MAX_AT_ONCE - this.underWay.length;
    if (room <= 0) return { held: [], more: false };
    const { held, more } = await this.jobs.claimDue(room);
    this.isMoreDue = more;
    return { held: this.toEvaluate(held), more };
  }

  protected override wantsMore(): boolean {
    return this.isMoreDue && this.underWay.length <= REFILL_BELOW;
  }

  /**
   * Evaluates a run. It never fails: an error is logged, and the job is looked at again when its lease or its time is
   * over.
   */
  protected async work({ held, subjects }: Evaluation): Promise<void> {
    const { oid, _id: jobId } = held.job;
    const next = await this.step(held, subjects);
    if (!next) return;
    try {
      const now = this.clock.now();
      await this.jobs.release(
        held.lease,
        { dueAt: new Date(now.getTime() + next.waitMs), failures: next.failures },
        now,
      );
    } catch (error) {
      this.logger.error({ event: 'job_not_released', oid, jobId, err: error });
    }
  }

  private toEvaluate(held: readonly HeldRun[]): Evaluation[] {
    if (held.length === 0) return [];
    const subjects = this.subjects.of(held);
    return held.map((one) => ({ held: one, lease: one.lease, subjects }));
  }

  /** Takes one step. @returns when to look again; null: the job is gone, or another process has it */
  private async step(held: HeldRun, subjects: Promise<Subjects>): Promise<AfterFailure | null> {
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

  private async run(held: HeldRun, context: RunContext): Promise<number> {
    const outcome = await this.tick.run(held, context);
    if (outcome === 'ended') return 0;
    const { fastRetrySeconds, tickSeconds } = this.config.crawls;
    return outcome === 'soon' ? fastRetrySeconds : tickSeconds;
  }

  private async tearDown(held: HeldRun, item: Item | null): Promise<number | null> {
    return (await this.teardown.run(held, item)) ? null : this.config.crawls.fastRetrySeconds;
  }
}
