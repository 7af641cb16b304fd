import { EXIT_CODES, EXIT_STATUS, type ExitReason, type InstanceStatus } from '../../../crawler/protocol.js';
import type { ChildExit } from './crawler-child.js';
import type { RunRecord } from './run/run-record.js';

/** Exit codes after which a run is not started again by itself (crawling §14.8). */
const FINAL_CODES: readonly number[] = [EXIT_CODES.finished, EXIT_CODES.config_refused, EXIT_CODES.failed];

const MIN_BACKOFF_MS = 10_000;
const MAX_BACKOFF_MS = 300_000;

/** A run that lasted this long was not part of a series of crashes. */
const HEALTHY_RUN_MS = 600_000;

/** Exit codes of runs that wait for something outside: for room on the disk, or for a site that limits its requests. */
const WAITING_CODES: readonly number[] = [EXIT_CODES.out_of_space, EXIT_CODES.disk_use, EXIT_CODES.rate_limited];

/**
 * Starts in a row that die without another page, after which the run ends. They take half an hour of backoff. There are
 * more of them than the deaths that one page may cause (`MAX_INTERRUPTIONS` of the crawler), after which that page
 * counts as done.
 */
export const MAX_FRUITLESS = 10;

/** Exit code of a child that closed its files, or had no time to. The next child continues from these files. */
const SIGNAL_INTERRUPTED = EXIT_CODES.quit;
const OUT_OF_MEMORY = 137;

export type Run = NonNullable<RunRecord['run']>;

/** The reason why the driver itself ended the child, if it did. */
export type Intent = 'quit' | undefined;

/**
 * Writes a child's end into its record: code and status as the supervisor sees them, and the time of the next start.
 */
export function recordExit(record: RunRecord, exit: ChildExit, at: Date, intent: Intent): void {
  const startedAt = record.run?.startedAt ?? at.toISOString();
  // The run was cancelled, so the next step discards its work, however the child ended.
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

/** Counts starts in a row that added no page. It is called after `recordExit`. */
export function countFruitless(record: RunRecord): void {
  const code = record.run?.exitCode;
  if (code === undefined || isFinalCode(code) || code === SIGNAL_INTERRUPTED || WAITING_CODES.includes(code)) return;
  const { reached = 0, fruitless = 0 } = record;
  record.fruitless = record.done > reached ? 0 : fruitless + 1;
  record.reached = Math.max(reached, record.done);
}

/** Whether so many starts added no page that another one is pointless. */
export function isHopeless({ fruitless = 0 }: RunRecord): boolean {
  return fruitless >= MAX_FRUITLESS;
}

/**
 * Ends a hopeless run. What earlier starts crawled is packed, once and if that can be done. A run without a page has
 * failed.
 */
export function endHopeless(record: RunRecord, at: Date): { starts: number; kept: boolean } {
  const kept = record.done > 0 && record.request === undefined;
  const starts = record.fruitless ?? 0;
  delete record.fruitless;
  if (kept) record.request = 'stop';
  else recordEnd(record, 'failed', at);
  return { starts, kept };
}

/** Milliseconds until the next start: 10 s, then twice as long each time, 300 s at most. */
export function backoffMs(crashes: number): number {
  return Math.min(MAX_BACKOFF_MS, MIN_BACKOFF_MS * 2 ** Math.min(crashes - 1, 10));
}

function isFinalCode(code: number | undefined): boolean {
  return code !== undefined && FINAL_CODES.includes(code);
}

/** Whether nothing is left to run, unless the run is asked for anew. */
export function isFinished(record: RunRecord): boolean {
  return isFinalCode(record.run?.exitCode) && !record.resumed;
}

/** Records an end that no child reported: nothing ran, all work is discarded, or no child gets to the end. */
export function recordEnd(record: RunRecord, status: 'done' | 'interrupted' | 'canceled' | 'failed', at: Date): void {
  const { startedAt, exitedAt } = record.run ?? {};
  const now = at.toISOString();
  const exitCode = status === 'failed' ? EXIT_CODES.failed : 0;
  record.run = { startedAt: startedAt ?? now, exitedAt: exitedAt ?? now, exitCode, status };
  delete record.resumed;
}

/** Records that a child was found dead when the service started. It was interrupted, whatever it was doing. */
export function recordInterruption(record: RunRecord, at: Date): void {
  if (!record.run || record.run.exitCode !== undefined) return;
  record.run = { ...record.run, exitedAt: at.toISOString(), exitCode: SIGNAL_INTERRUPTED, status: 'interrupted' };
  delete record.child;
}

function seenCode({ code, reason }: ChildExit, intent: Intent): number {
  if (intent === 'quit' && !isFinalCode(code)) return SIGNAL_INTERRUPTED;
  // A crawler that ends well always says so before.
  if (code === 0 && reason === undefined) return EXIT_CODES.error;
  return code;
}

function seenStatus(reason: ExitReason | undefined, code: number, record: RunRecord): InstanceStatus {
  // The stop came while a pause was under way. Everything is packed, so the run is done.
  if (reason === 'paused' && record.request === 'stop') return 'done';
  if (reason) return EXIT_STATUS[reason];
  return isFinalCode(code) ? 'failed' : 'interrupted';
}
