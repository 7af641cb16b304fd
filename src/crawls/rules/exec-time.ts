import type { InstanceObservation } from '../../drivers/crawl-driver.types.js';
import { minutes } from '../../common/units/durations.js';
import type { SeenInstance } from '../data/crawl-job.schema.js';

/** Running time since the last accounting point, in milliseconds. */
export interface ExecTime {
  /** Time of all instances together, by UTC month `YYYY-MM`. */
  readonly byMonth: Readonly<Record<string, number>>;
  readonly totalMs: number;
  /** Time of the instance that ran longest. */
  readonly longestMs: number;
}

interface Span {
  readonly index: number;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Running time is accounted at least this often while a run is running (crawling §11.10). */
const INTERVAL_MS = minutes(1);

export const monthOf = (date: Date): string => date.toISOString().slice(0, 7);

const nextMonthMs = (ms: number): number => {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
};

/** The times when instances ran: the present run of each, and an earlier run whose end was not seen. */
function spans(
  seen: readonly SeenInstance[],
  observed: readonly InstanceObservation[],
  lastActive: Date | null,
  now: Date,
): Span[] {
  const found: Span[] = [];
  const lastActiveMs = lastActive?.getTime() ?? 0;
  for (const { index, startedAt, exitedAt } of seen) {
    if (!startedAt || exitedAt) continue;
    const same = observed.find((instance) => instance.index === index);
    if (same?.startedAt?.getTime() === startedAt.getTime()) continue;
    // The instance was seen running at `lastActive`. It was replaced, or lost, after that.
    const endedBy = Math.min(lastActiveMs, same?.startedAt?.getTime() ?? lastActiveMs);
    found.push({ index, fromMs: startedAt.getTime(), toMs: endedBy });
  }
  for (const { index, startedAt, exitedAt, phase } of observed) {
    if (!startedAt) continue;
    const endedMs = exitedAt && exitedAt >= startedAt ? exitedAt.getTime() : null;
    if (endedMs === null && phase !== 'running') continue;
    found.push({ index, fromMs: startedAt.getTime(), toMs: endedMs ?? now.getTime() });
  }
  return found;
}

/** Running time of a run's instances from `since` (the last accounting point) to `now`. Contract: crawling §10.7. */
export function execTime(
  job: { readonly instances: readonly SeenInstance[]; readonly lastActiveTime: Date | null },
  observed: readonly InstanceObservation[],
  since: Date,
  now: Date,
): ExecTime {
  const byMonth: Record<string, number> = {};
  const byInstance = new Map<number, number>();
  for (const span of spans(job.instances, observed, job.lastActiveTime, now)) {
    let fromMs = Math.max(span.fromMs, since.getTime());
    const toMs = Math.min(span.toMs, now.getTime());
    if (toMs > fromMs) byInstance.set(span.index, (byInstance.get(span.index) ?? 0) + toMs - fromMs);
    while (fromMs < toMs) {
      const partEndMs = Math.min(toMs, nextMonthMs(fromMs));
      const month = monthOf(new Date(fromMs));
      byMonth[month] = (byMonth[month] ?? 0) + partEndMs - fromMs;
      fromMs = partEndMs;
    }
  }
  const all = [...byInstance.values()];
  return { byMonth, totalMs: all.reduce((sum, ms) => sum + ms, 0), longestMs: Math.max(0, ...all) };
}

/** Whether a run of an instance has ended since the last look: by its exit, or because it was replaced or lost. */
export function hasNewExit(seen: readonly SeenInstance[], observed: readonly InstanceObservation[]): boolean {
  const exited = observed.some(({ index, exitedAt }) => {
    const before = seen.find((instance) => instance.index === index)?.exitedAt?.getTime();
    return exitedAt !== undefined && exitedAt.getTime() !== before;
  });
  const replaced = seen.some(({ index, startedAt, exitedAt }) => {
    if (!startedAt || exitedAt) return false;
    const same = observed.find((instance) => instance.index === index);
    return same?.startedAt?.getTime() !== startedAt.getTime();
  });
  return exited || replaced;
}

/** Whether running time has to be written now. */
export function isAccountingDue(since: Date, now: Date, newExit: boolean): boolean {
  return newExit || now.getTime() - since.getTime() >= INTERVAL_MS || monthOf(since) !== monthOf(now);
}

/**
 * Whole seconds to write, for milliseconds that add up over the run. What is cut off now is written later, so that the
 * sum is right to the second.
 * @param beforeMs milliseconds already accounted
 */
export function wholeSeconds(beforeMs: number, byMonth: Readonly<Record<string, number>>): Record<string, number> {
  let totalMs = beforeMs;
  const secondsByMonth: Record<string, number> = {};
  for (const [month, ms] of Object.entries(byMonth)) {
    const before = Math.floor(totalMs / 1000);
    totalMs += ms;
    const whole = Math.floor(totalMs / 1000) - before;
    if (whole > 0) secondsByMonth[month] = whole;
  }
  return secondsByMonth;
}
