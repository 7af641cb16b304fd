import { minutes, seconds } from '../../common/units/durations.js';

/** How often an instance was made again after its node lost it, and when that was last. */
export interface Recreation {
  readonly count: number;
  /** Time of the last recreation, in ISO format. */
  readonly at: string;
}

/** Bounds of the backoff of instance restarts. Contract: crawling §11.10. */
const FIRST_MS = seconds(10);
const MOST_MS = seconds(300);
/** A container that was well for this long counts as new. */
const FORGET_MS = minutes(10);

/** Whether an evicted instance may be made again now. The first time that is at once; then the waits grow. */
export function mayRecreate(last: Recreation | undefined, now: Date): boolean {
  if (!last) return true;
  const waitMs = Math.min(FIRST_MS * 2 ** (last.count - 1), MOST_MS);
  return now.getTime() - Date.parse(last.at) >= waitMs;
}

/** The record after another recreation. @param wellSince when the evicted container had started */
export function nextRecreation(last: Recreation | undefined, wellSince: Date | undefined, now: Date): Recreation {
  const wasWell = wellSince !== undefined && now.getTime() - wellSince.getTime() >= FORGET_MS;
  return { count: wasWell ? 1 : (last?.count ?? 0) + 1, at: now.toISOString() };
}
