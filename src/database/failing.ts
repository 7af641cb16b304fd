import { minutes } from '../common/units/durations.js';
import { documentOf, MOMENT, NUMBER, TEXT } from './described.js';

const MAX_TRIES = 12;
const FIRST_WAIT_MS = minutes(1);
const LONGEST_WAIT_MS = minutes(360);
const KEPT_REASON = 500;

/** The moment at which a record that was set aside is due. */
export const NEVER = new Date('9999-12-31T00:00:00Z');

/**
 * What is kept with a record that a worker could not process. With it the record stops neither the worker nor the
 * records behind it.
 */
export interface Failing {
  readonly tries: number;
  /** Null: the record is set aside. No worker tries it again, and `check` reports it. */
  readonly dueAt: Date | null;
  readonly reason: string;
}
export const FAILING = documentOf({ tries: NUMBER, dueAt: MOMENT, reason: TEXT });

/** The state after one more failed try. Waits get longer for two days; then the record is set aside. */
export function failedAgain(before: Failing | null | undefined, error: unknown, now: Date): Failing {
  const tries = (before?.tries ?? 0) + 1;
  const wait = Math.min(FIRST_WAIT_MS * 2 ** tries, LONGEST_WAIT_MS);
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, KEPT_REASON);
  return { tries, dueAt: tries < MAX_TRIES ? new Date(now.getTime() + wait) : null, reason };
}

/** Matches records that never failed or whose next try is due. */
export const triedAgain = (now: Date) => ({ $or: [{ failing: null }, { 'failing.dueAt': { $lte: now } }] });
export const SET_ASIDE = { 'failing.tries': { $gte: MAX_TRIES }, 'failing.dueAt': null };
