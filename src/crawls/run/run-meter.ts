import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock/clock.js';
import type { JobObservation } from '../../drivers/crawl-driver.types.js';
import { DomainEvents } from '../../events/domain-events.js';
import { OrgUsage } from '../../orgs/org-usage.js';
import type { HeldRun } from '../data/held-run.js';
import { RunsRepository } from '../data/runs.repository.js';
import { execTime, hasNewExit, isAccountingDue, wholeSeconds, type ExecTime } from '../rules/exec-time.js';
import { RunKinds, type RunContext } from './run-kind.js';

/** Meters the running time of instances. Contract: crawling §10.7. */
@Injectable()
export class RunMeter {
  constructor(
    private readonly events: DomainEvents,
    private readonly runs: RunsRepository,
    private readonly usage: OrgUsage,
    private readonly kinds: RunKinds,
    private readonly clock: Clock,
  ) {}

  /**
   * Starts metering when the first instance runs, and records that fact.
   * @returns the moment up to which time is counted, or null
   */
  async start(context: RunContext, observed: JobObservation): Promise<Date | null> {
    const { run, job } = context;
    if (run.meteredUntil) return run.meteredUntil;
    const starts = observed.instances.flatMap(({ startedAt }) => (startedAt ? [startedAt.getTime()] : []));
    if (starts.length === 0) return null;
    const first = new Date(Math.min(...starts));
    await this.events.transact(async (tx, record) => {
      if (await this.runs.startMeter(job, first, tx)) this.kinds.of(job.kind).recordStarted(context, record);
    });
    return first;
  }

  /**
   * Adds the running time since `since` once it is due, and always when the run ends. Seconds are exact over the run.
   * They are counted once however many processes or crashes there are, because the write's condition has the moment
   * counted from.
   */
  async account(held: HeldRun, observed: JobObservation, since: Date, isEnd: boolean): Promise<void> {
    const now = this.clock.now();
    const due = isEnd || isAccountingDue(since, now, hasNewExit(held.job.instances, observed.instances));
    if (!due || now <= since) return;
    const time = execTime(held.job, observed.instances, since, now);
    await this.write(held, time, since, now);
  }

  /** Running time of the longest running instance up to now, milliseconds. */
  elapsedMs({ job }: HeldRun, observed: JobObservation, since: Date | null): number {
    if (!since) return 0;
    return job.elapsedMs + execTime(job, observed.instances, since, this.clock.now()).longestMs;
  }

  private async write(held: HeldRun, time: ExecTime, since: Date, until: Date): Promise<void> {
    const { job } = held;
    const ran = { execMs: job.execMs + time.totalMs, elapsedMs: job.elapsedMs + time.longestMs };
    const byMonth = Object.entries(wholeSeconds(job.execMs, time.byMonth));
    const seconds = byMonth.reduce((sum, [, n]) => sum + n, 0);
    await this.events.transact(async (tx) => {
      if (!(await this.runs.addExecSeconds(job, { since, until, seconds }, tx))) return;
      await held.change(ran, tx);
      for (const [month, n] of byMonth)
        await this.usage.addSeconds(job.oid, { seconds: n, isExecTime: true, isQa: job.kind === 'qa', month }, tx);
    });
  }
}
