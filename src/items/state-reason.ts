import { isWaiting, type WaitingState } from './data/item-state.facts.js';

/** Texts that say what each waiting state waits for, and which setting or quota would end it. */
const REASONS: Readonly<Record<WaitingState, string>> = {
  starting: 'The crawler is being started.',
  waiting_capacity: 'No crawler runs now: there is no room for one, or it is being started again.',
  waiting_org_limit: 'As many crawls of the org run as its quota maxConcurrentCrawls allows.',
  waiting_dedupe_index: 'The deduplication index of the collection is not ready.',
  paused: 'Paused by a user, until it is resumed or PAUSED_CRAWL_LIMIT_MINUTES are over.',
  paused_storage_quota_reached: 'The quota storageQuota of the org is used up.',
  paused_time_quota_reached: 'The quota maxExecMinutesPerMonth of the org is used up.',
  paused_org_readonly: 'The org is read-only.',
  paused_rate_limit_time_reached: 'The site answered too many requests for longer than RATE_LIMIT_DURATION_MINUTES.',
};

/** Returns why a crawl or QA run waits, in words, or null while it does not wait. */
export function stateReasonOf({ state, stateReason }: { state: string; stateReason?: string | null }): string | null {
  return isWaiting(state) ? (stateReason ?? REASONS[state as WaitingState]) : null;
}
