import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock/clock.js';
import type { JobObservation } from '../../drivers/crawl-driver.types.js';
import { DomainEvents } from '../../events/domain-events.js';
import {
  isAutoPaused,
  isPaused,
  isSuccessful,
  isWaiting,
  type ActiveState,
  type FinalState,
} from '../../items/data/item-state.facts.js';
import type { Item } from '../../items/data/item.schema.js';
import { OrgUsage } from '../../orgs/org-usage.js';
import type { HeldRun } from '../data/held-run.js';
import { RunsRepository } from '../data/runs.repository.js';
import { sourcesOf } from '../rules/crawl-state.js';
import { RunKinds, type RunContext, type RunEnd } from './run-kind.js';

/** Moves runs between states and ends them. Contract: crawling §2, §11.8. */
@Injectable()
export class RunFinisher {
  private readonly logger = new Logger('crawls');

  constructor(
    private readonly events: DomainEvents,
    private readonly runs: RunsRepository,
    private readonly usage: OrgUsage,
    private readonly kinds: RunKinds,
    private readonly clock: Clock,
  ) {}

  /**
   * Moves a run to another state.
   * @param reason why the run waits, where the state alone does not say it
   * @returns false when the run is in that state already, or another writer moved it to a state from which `to` cannot
   *   be reached
   */
  async move({ job, run, item }: RunContext, to: ActiveState, reason?: string): Promise<boolean> {
    if (run.state === to) return false;
    const { oid, crawlId, cid } = job;
    const moved = await this.events.transact(async (tx, record) => {
      const stateReason = isWaiting(to) ? (reason ?? null) : null;
      const change = { stateReason, ...(job.kind === 'crawl' ? crawlChange(item, to) : {}) };
      if (!(await this.runs.move(job, to, sourcesOf(to), change, tx))) return false;
      if (job.kind !== 'crawl') return true;
      record('crawl.stateChanged', { oid, crawlId, cid, state: to });
      if (isAutoPaused(to) && !item.autoPausedEmailsSent) record('crawl.autoPaused', { oid, crawlId, cid, state: to });
      return true;
    });
    if (moved) this.logger.log({ event: 'crawl_state_changed', oid, jobId: job._id, from: run.state, to });
    return moved;
  }

  /**
   * Gives a run its final state and all that follows from it, in one transaction.
   * @returns false when it had a final state already
   */
  async finish(
    context: RunContext,
    to: FinalState,
    seen: { held: HeldRun | null; observed: JobObservation | null },
  ): Promise<boolean> {
    const { job, run } = context;
    const kind = this.kinds.of(job.kind);
    const finished = this.clock.timestamp();
    const { observed } = seen;
    const end: RunEnd = {
      ...context,
      state: to,
      finished,
      requiredCrawls: observed?.exists ? observed.requiredCrawls : null,
      profileUpload: observed?.profileUpload ?? null,
    };
    const extra = await kind.beforeEnd(end);
    const done = await this.events.transact(async (tx, record) => {
      if (!(await this.runs.move(job, to, sourcesOf(to), { finished, stats: finalStats(end, observed) }, tx)))
        return false;
      await seen.held?.change({ active: false, finished, sizePending: 0 }, tx);
      if (isSuccessful(to)) {
        const seconds = Math.max(0, Math.floor((finished.getTime() - job.created.getTime()) / 1000));
        await this.usage.addSeconds(job.oid, { seconds, isExecTime: false, isQa: job.kind === 'qa' }, tx);
      }
      await kind.end(end, extra, tx, record);
      return true;
    });
    if (done) this.logger.log({ event: 'crawl_state_changed', oid: job.oid, jobId: job._id, from: run.state, to });
    return done;
  }
}

/**
 * The crawl's fields that change with its state. Owners are told once of an automatic pause, until the crawl is
 * resumed.
 */
function crawlChange(item: Item, to: ActiveState): Partial<Item> {
  return {
    ...(isAutoPaused(to) && !item.autoPausedEmailsSent ? { autoPausedEmailsSent: true } : {}),
    ...(item.rateLimitedAt && (to === 'running' || isPaused(to)) ? { rateLimitedAt: null } : {}),
  };
}

/** The last counters. A run whose state the driver has lost keeps those that it has. */
function finalStats({ run, job }: RunContext, observed: JobObservation | null): RunContext['run']['stats'] {
  if (!observed?.exists) return run.stats;
  return {
    found: observed.found,
    done: observed.done,
    size: job.filesAddedSize,
    req_crawls: [...observed.requiredCrawls],
  };
}
