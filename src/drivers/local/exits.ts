import { EXIT_CODES, EXIT_STATUS, type ExitReason, type InstanceStatus } from '../../../crawler/protocol.js';
import type { ChildExit } from './crawler-child.js';
import type { RunRecord } from './run/run-record.js';

/** Exit codes after which a run is not started again by itself (crawling §14.8). */
const FINAL_CODES: readonly number[] = [EXIT_CODES.finished, EXIT_CODES.config_refused, EXIT_CODES.failed];

const MIN_BACKOFF_MS = 10_000;
const MAX_BACKOFF_MS = 300_000;

/** A run this long was no part of a series of crashes. */
const HEALTHY_RUN_MS = 600_000;

/** Ends that wait for something outside: room on the disk, a site that says not so fast. */
const WAITING_CODES: readonly number[] = [EXIT_CODES.out_of_space, EXIT_CODES.disk_use, EXIT_CODES.rate_limited];

/**
 * So many starts in a row that die without one page more are the last: half an hour of backoff. More than the deaths
 * that one page may cause (`MAX_INTERRUPTIONS` of the crawler), which is a page more in the end.
 */
export const MAX_FRUITLESS = 10;

/** The child closed its files, or had no time to; it goes on from them. */
const SIGNAL_INTERRUPTED = EXIT_CODES.quit;
const OUT_OF_MEMORY = 137;

export type Run = NonNullable<RunRecord['run']>;

/** Why the driver itself ended the child, if it did. */
export type Intent = 'quit' | undefined;

/** What an ended child means for its record: code and status as the supervisor sees them, and when to start again. */
export function recordExit(record: RunRecord, exit: ChildExit, at: Date, intent: Intent): void {
  const startedAt = record.run?.startedAt ?? at.toISOString();
  // Cancelled, however the child ended: the next step throws its work away.
  if (record.request === 'cancel') {
    record.run = { startedAt, ...record.run, exitedAt: at.toISOString() };
    return;
  }
  const code = seenCode(exit, intent);
  record.run = {
    startedAt,
    exitedAt: at.toISOString(),
    exitCode: code,
    status: seenStatus(exit.reason, code, record),
    ...(code === OUT_OF_MEMORY ? { oom: true } : {}),
  };
  if (exit.failReason) record.failReason = exit.failReason;
  delete record.child;
  if (isFinalCode(code) || code === SIGNAL_INTERRUPTED) {
    record.crashes = 0;
    record.retryAtMs = 0;
    return;
  }
  const ranMs = at.getTime() - new Date(startedAt).getTime();
  record.crashes = ranMs >= HEALTHY_RUN_MS ? 1 : record.crashes + 1;
  record.retryAtMs = at.getTime() + backoffMs(record.crashes);
}

/** Counts a child's end, after `recordExit`, with the starts in a row that came to nothing. */
export function countFruitless(record: RunRecord): void {
  const code = record.run?.exitCode;
  if (code === undefined || isFinalCode(code) || code === SIGNAL_INTERRUPTED || WAITING_CODES.includes(code)) return;
  const { reached = 0, fruitless = 0 } = record;
  record.fruitless = record.done > reached ? 0 : fruitless + 1;
  record.reached = Math.max(reached, record.done);
}

/** Whether another start would come to no more than the last ones. */
export function isHopeless({ fruitless = 0 }: RunRecord): boolean {
  return fruitless >= MAX_FRUITLESS;
}

/** What earlier starts crawled is packed, once and if that can be done; without a page the run has failed. */
export function endHopeless(record: RunRecord, at: Date): { starts: number; kept: boolean } {
  const kept = record.done > 0 && record.request === undefined;
  const starts = record.fruitless ?? 0;
  delete record.fruitless;
  if (kept) record.request = 'stop';
  else recordEnd(record, 'failed', at);
  return { starts, kept };
}

/** 10 s, then twice as long each time, 300 s at most. */
export function backoffMs(crashes: number): number {
  return Math.min(MAX_BACKOFF_MS, MIN_BACKOFF_MS * 2 ** Math.min(crashes - 1, 10));
}

function isFinalCode(code: number | undefined): boolean {
  return code !== undefined && FINAL_CODES.includes(code);
}

/** True: nothing is left to run unless someone asks for it anew. */
export function isFinished(record: RunRecord): boolean {
  return isFinalCode(record.run?.exitCode) && !record.resumed;
}

/** The run is over without a child having said so: nothing ran, all of it is thrown away, or none gets to the end. */
export function recordEnd(record: RunRecord, status: 'done' | 'interrupted' | 'canceled' | 'failed', at: Date): void {
  const { startedAt, exitedAt } = record.run ?? {};
  const now = at.toISOString();
  const exitCode = status === 'failed' ? EXIT_CODES.failed : 0;
  record.run = { startedAt: startedAt ?? now, exitedAt: exitedAt ?? now, exitCode, status };
  delete record.resumed;
}

/** A child found dead when the service started: it was interrupted, whatever it was doing. */
export function recordInterruption(record: RunRecord, at: Date): void {
  if (!record.run || record.run.exitCode !== undefined) return;
  record.run = { ...record.run, exitedAt: at.toISOString(), exitCode: SIGNAL_INTERRUPTED, status: 'interrupted' };
  delete record.child;
}

function seenCode({ code, reason }: ChildExit, intent: Intent): number {
  if (intent === 'quit' && !isFinalCode(code)) return SIGNAL_INTERRUPTED;
  // A crawler never ends well without a word.
  if (code === 0 && reason === undefined) return EXIT_CODES.error;
  return code;
}

function seenStatus(reason: ExitReason | undefined, code: number, record: RunRecord): InstanceStatus {
  // A stop that came while a pause was under way: everything is packed, so it is done.
  if (reason === 'paused' && record.request === 'stop') return 'done';
  if (reason) return EXIT_STATUS[reason];
  return isFinalCode(code) ? 'failed' : 'interrupted';
}
