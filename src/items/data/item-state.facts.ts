import { wordOf } from '../../database/described.js';

/**
 * The states of crawls, QA runs and uploads, by group. A crawl's transitions are in `crawls/rules/crawl-state.ts`.
 * Contract: crawling §2.
 */
export const RUNNING = ['running', 'pending-wait', 'generate-wacz', 'uploading-wacz', 'rate-limited'] as const;
export const AUTO_PAUSED = [
  'paused_storage_quota_reached',
  'paused_time_quota_reached',
  'paused_org_readonly',
  'paused_rate_limit_time_reached',
] as const;
export const PAUSED = ['paused', ...AUTO_PAUSED] as const;
export const WAITING_NOT_PAUSED = [
  'starting',
  'waiting_capacity',
  'waiting_org_limit',
  'waiting_dedupe_index',
] as const;
export const WAITING = [...PAUSED, ...WAITING_NOT_PAUSED] as const;
export const RUNNING_AND_WAITING = [...RUNNING, ...WAITING] as const;
export const FAILED = [
  'canceled',
  'failed',
  'failed_not_logged_in',
  'skipped_storage_quota_reached',
  'skipped_time_quota_reached',
] as const;
export const SUCCESSFUL = [
  'complete',
  'stopped_by_user',
  'stopped_pause_expired',
  'stopped_storage_quota_reached',
  'stopped_time_quota_reached',
  'stopped_org_readonly',
] as const;
export const NON_RUNNING = [...FAILED, ...SUCCESSFUL] as const;
export const PROCESSING_UPLOAD = 'processing-upload';
export const ALL_STATES = [...RUNNING_AND_WAITING, ...NON_RUNNING, PROCESSING_UPLOAD] as const;

/** Description of a stored state, for readers of documents that others wrote. */
export const STATE = wordOf(...ALL_STATES);

export type RunningState = (typeof RUNNING)[number];
export type AutoPausedState = (typeof AUTO_PAUSED)[number];
export type PausedState = (typeof PAUSED)[number];
export type WaitingState = (typeof WAITING)[number];
export type ActiveState = (typeof RUNNING_AND_WAITING)[number];
export type FailedState = (typeof FAILED)[number];
export type SuccessfulState = (typeof SUCCESSFUL)[number];
export type FinalState = (typeof NON_RUNNING)[number];
export type CrawlState = ActiveState | FinalState;

const holds = (states: readonly string[]): ((state: string | null | undefined) => boolean) => {
  const set = new Set<string>(states);
  return (state) => set.has(state ?? '');
};

export const isRunning = holds(RUNNING);
export const isPaused = holds(PAUSED);
export const isAutoPaused = holds(AUTO_PAUSED);
export const isWaiting = holds(WAITING);
/** True while the crawl runs or waits and may therefore still change. */
export const isActive = holds(RUNNING_AND_WAITING);
export const isFailed = holds(FAILED);
export const isSuccessful = holds(SUCCESSFUL);
export const isFinal = holds(NON_RUNNING);
export const isKnownState = holds(ALL_STATES);

/** Files are shown only in these states (crawling §2). */
export const showsFiles = (state: string): boolean => isSuccessful(state) || isPaused(state);
