import { minutes } from '../common/units/durations.js';
import { documentOf, MOMENT, NUMBER, TEXT } from './described.js';

const MAX_TRIES = 12;
const FIRST_WAIT_MS = minutes(1);
const LONGEST_WAIT_MS = minutes(360);
const KEPT_REASON = 500;

/** When a record that was set aside is due. */
export const NEVER = new Date('9999-12-31T00:00:00Z');

/** Kept with a record that a worker could not deal with, so that it stops neither the worker nor the records behind it. */
export interface Failing {
  readonly tries: number;
  /** Null: set aside. Nobody tries again by himself, and `check` reports it. */
  readonly dueAt: Date | null;
  readonly reason: string;
}
export const FAILING = documentOf({ tries: NUMBER, dueAt: MOMENT, reason: TEXT });

/** After one try more: two days of ever longer waits, then it is set aside. */
export function failedAgain(before: Failing | null | undefined, error: unknown, now: Date): Failing {
  const tries = (before?.tries ?? 0) + 1;
  const wait = Math.min(FIRST_WAIT_MS * 2 ** tries, LONGEST_WAIT_MS);
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, KEPT_REASON);
  return { tries, dueAt: tries < MAX_TRIES ? new Date(now.getTime() + wait) : null, reason };
}

/** Records that are to be tried now, as far as their earlier failures go. */
export const triedAgain = (now: Date) => ({ $or: [{ failing: null }, { 'failing.dueAt': { $lte: now } }] });
export const SET_ASIDE = { 'failing.tries': { $gte: MAX_TRIES }, 'failing.dueAt': null };
