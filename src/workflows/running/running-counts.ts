import { PAUSED, RUNNING, WAITING_NOT_PAUSED, type ActiveState } from '../../items/data/item-state.facts.js';
import type { CrawlConfigRunningCountsResponse } from '../dto/workflows.dto.js';

/** The wire name of each state that is not final. Contract: crawling §4.11. */
const WIRE_NAME = {
  running: 'running',
  'pending-wait': 'pendingWait',
  'generate-wacz': 'generateWACZ',
  'uploading-wacz': 'uploadingWACZ',
  'rate-limited': 'rateLimited',
  paused: 'paused',
  paused_storage_quota_reached: 'pausedStorageQuotaReached',
  paused_time_quota_reached: 'pausedTimeQuotaReached',
  paused_org_readonly: 'pausedOrgReadOnly',
  paused_rate_limit_time_reached: 'pausedRateLimitTimeReached',
  starting: 'starting',
  waiting_capacity: 'waitingCapacity',
  waiting_org_limit: 'waitingOrgLimit',
  waiting_dedupe_index: 'waitingDedupeIndex',
} as const satisfies Record<ActiveState, keyof CrawlConfigRunningCountsResponse>;

export function toRunningCounts(byState: ReadonlyMap<string, number>): CrawlConfigRunningCountsResponse {
  const sum = (states: readonly string[]): number =>
    states.reduce((total, state) => total + (byState.get(state) ?? 0), 0);
  const totalRunning = sum(RUNNING);
  const totalPaused = sum(PAUSED);
  const totalWaiting = sum(WAITING_NOT_PAUSED);
  const named = Object.entries(WIRE_NAME).map(([state, name]) => [name, byState.get(state) ?? 0]);
  return {
    totalRunningPausedWaiting: totalRunning + totalPaused + totalWaiting,
    totalRunning,
    totalPaused,
    totalWaiting,
    ...(Object.fromEntries(named) as Record<(typeof WIRE_NAME)[ActiveState], number>),
  };
}
