import { minutes, seconds } from '../../common/units/durations.js';
import type { PausedState } from '../../items/data/item-state.facts.js';
import type { StopReason } from './crawl-state.js';

/** What decides whether a run goes on; sizes in bytes. */
export interface StopFacts {
  /** A graceful stop is asked for. */
  readonly stopRequested: boolean;
  readonly pausedAt: Date | null;
  /** Running time of the longest running instance. */
  readonly elapsedMs: number;
  /** Seconds; 0 = none. */
  readonly timeoutSeconds: number;
  /** Collected and uploaded. */
  readonly sizeBytes: number;
  /** 0 = none. */
  readonly maxSizeBytes: number;
  readonly orgReadOnly: boolean;
  readonly storageQuotaReached: boolean;
  readonly execQuotaReached: boolean;
  /** Since when every page is refused for too many requests. */
  readonly rateLimitedAt: Date | null;
  /** 0 = never pause for it. */
  readonly rateLimitMinutes: number;
}

export interface Stop {
  readonly reason: StopReason;
  /** True: pause, so that the run can go on later; false: pack what is there and end. */
  readonly pause: boolean;
}

const stop = (reason: StopReason): Stop => ({ reason, pause: false });
const pause = (reason: PausedState): Stop => ({ reason, pause: true });

/** Why a run that is not stopping yet has to; null: it goes on. The first that holds wins. Contract: crawling §11.6. */
export function stopReason(facts: StopFacts, now: Date): Stop | null {
  if (facts.stopRequested) return stop('stopped_by_user');
  if (facts.timeoutSeconds > 0 && facts.elapsedMs > seconds(facts.timeoutSeconds)) return stop('time-limit');
  if (facts.maxSizeBytes > 0 && facts.sizeBytes > facts.maxSizeBytes) return stop('size-limit');
  if (facts.orgReadOnly) return pause('paused_org_readonly');
  if (facts.storageQuotaReached) return pause('paused_storage_quota_reached');
  if (facts.execQuotaReached) return pause('paused_time_quota_reached');
  if (limitedForLong(facts, now)) return pause('paused_rate_limit_time_reached');
  return facts.pausedAt ? pause('paused') : null;
}

function limitedForLong({ rateLimitedAt, rateLimitMinutes }: StopFacts, now: Date): boolean {
  if (!rateLimitedAt || rateLimitMinutes === 0) return false;
  return now.getTime() - rateLimitedAt.getTime() > minutes(rateLimitMinutes);
}
