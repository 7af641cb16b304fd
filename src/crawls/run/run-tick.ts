import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock/clock.js';
import { minutes } from '../../common/units/durations.js';
import { AppConfig } from '../../config/app-config.js';
import { isPaused, isRunning, type CrawlState, type FinalState } from '../../items/data/item-state.facts.js';
import type { CrawlJob } from '../data/crawl-job.schema.js';
import type { HeldRun } from '../data/held-run.js';
import { judge, type JudgedRun } from '../rules/run-verdict.js';
import { RunCommander } from './run-commander.js';
import { RunFinisher } from './run-finisher.js';
import { RunGates } from './run-gates.js';
import type { RunContext, RunView } from './run-kind.js';
import { RunMeter } from './run-meter.js';
import { RunObserver, type Seen } from './run-observer.js';

/** `ended`: the run has its final state, and its teardown is next. `soon`: something is about to change. */
export type TickOutcome = 'ended' | 'soon' | 'later';

const WAITS_AT_GATES: readonly string[] = ['starting', 'waiting_org_limit', 'waiting_dedupe_index'];

/** One evaluation of an active run: observe, drain, decide, persist, command. Contract: crawling §11.2. */
@Injectable()
export class RunTick {
  constructor(
    private readonly gates: RunGates,
    private readonly observer: RunObserver,
    private readonly meter: RunMeter,
    private readonly finisher: RunFinisher,
    private readonly commander: RunCommander,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /** @throws LeaseLost when another process took the job over */
  async run(held: HeldRun, context: RunContext): Promise<TickOutcome> {
    if (held.job.cancelRequested) return this.cancel(held, context);
    if (WAITS_AT_GATES.includes(context.run.state) && !context.run.meteredUntil) {
      const waiting = await this.passGates(held, context);
      if (waiting) return waiting;
    }
    const seen = await this.observer.observe(held, context);
    const now = this.clock.now();
    const verdict = judge(judgedRun(held.job, context.run, seen), seen, now);
    if (verdict.do === 'finish') return this.finish(held, context, seen, verdict.to);
    const afterPause = this.afterPause(held, context, now);
    if (afterPause) return this.finish(held, context, seen, afterPause);
    const state = verdict.do === 'move' ? verdict.to : context.run.state;
    const enters = verdict.do === 'move' && state !== context.run.state;
    await this.account(held, context, seen, { state, isEnd: enters && isPaused(state) });
    const moved = verdict.do === 'move' && (await this.finisher.move(context, verdict.to, seen.capacityWait));
    await this.commander.command(held, context, { seen, state });
    return moved || !isRunning(state) ? 'soon' : 'later';
  }

  /** @returns null when the run may go on */
  private async passGates(held: HeldRun, context: RunContext): Promise<TickOutcome | null> {
    const gate = await this.gates.check(context);
    if (gate.open) {
      if (context.run.state !== 'starting') await this.finisher.move(context, 'starting');
      return null;
    }
    if ('skip' in gate) return this.finish(held, context, null, gate.skip);
    // No instance has run, so there is nothing that a stop could keep.
    if (held.job.stopping) return this.finish(held, context, null, 'canceled');
    // A run changes from one waiting state to another by way of `starting`.
    const { state } = context.run;
    if (state !== 'starting' && state !== gate.wait) {
      await this.finisher.move(context, 'starting');
      return 'soon';
    }
    await this.finisher.move(context, gate.wait);
    return 'later';
  }

  /**
   * The final state after a pause that has lasted too long, or a stop asked for during it. Contract: crawling §11.2
   * step 10.
   */
  private afterPause({ job }: HeldRun, { run }: RunContext, now: Date): FinalState | null {
    if (!job.pausedAt) return null;
    const limitMs = minutes(this.config.crawls.pausedLimitMinutes);
    if (now.getTime() >= job.pausedAt.getTime() + limitMs) return 'stopped_pause_expired';
    return isPaused(run.state) && job.stopping ? 'stopped_by_user' : null;
  }

  private async cancel(held: HeldRun, context: RunContext): Promise<TickOutcome> {
    await this.commander.cancel(held.job);
    const seen = await this.observer.observe(held, context);
    return this.finish(held, context, seen, 'canceled');
  }

  private async finish(held: HeldRun, context: RunContext, seen: Seen | null, to: FinalState): Promise<TickOutcome> {
    if (seen) await this.account(held, context, seen, { state: to, isEnd: true });
    await this.finisher.finish(context, to, { held, observed: seen });
    return 'ended';
  }

  private async account(
    held: HeldRun,
    context: RunContext,
    seen: Seen,
    { state, isEnd }: { state: string; isEnd: boolean },
  ): Promise<void> {
    if (!context.run.meteredUntil && !isRunning(state) && !isEnd) {
      // An instance that ended before it was seen running is reported once, too.
      if (seen.instances.some(({ exitedAt }) => exitedAt)) await this.observer.remember(held, seen);
      return;
    }
    const since = await this.meter.start(context, seen);
    if (since) await this.meter.account(held, seen, since, isEnd);
    await this.observer.remember(held, seen);
  }
}

function judgedRun(job: CrawlJob, run: RunView, { instances, proxyFailures }: Seen): JudgedRun {
  const { stopReason, filesAdded } = job;
  return {
    state: run.state as CrawlState,
    started: run.started,
    stopReason,
    stopRequested: job.stopping || (stopReason !== null && !isPaused(stopReason)),
    pauseRequested: job.pausedAt !== null,
    hasRun: run.meteredUntil !== null || instances.some(({ startedAt }) => startedAt !== undefined),
    pagesDone: job.done,
    proxyFailures,
    filesAdded,
  };
}
