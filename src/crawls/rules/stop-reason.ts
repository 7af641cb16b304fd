import { minutes, seconds } from '../../common/units/durations.js';
import type { PausedState } from '../../items/data/item-state.facts.js';
import type { StopReason } from './crawl-state.js';

/** The facts that decide whether a run continues; sizes in bytes. */
export interface StopFacts {
  /** A graceful stop was asked for. */
  readonly stopRequested: boolean;
  readonly pausedAt: Date | null;
  /** Running time of the longest running instance. */
  readonly elapsedMs: number;
  /** Limit of the running time in seconds; 0 = none. */
  readonly timeoutSeconds: number;
  /** Bytes collected, uploaded ones included. */
  readonly sizeBytes: number;
  /** Limit of the size in bytes; 0 = none. */
  readonly maxSizeBytes: number;
  readonly orgReadOnly: boolean;
  readonly storageQuotaReached: boolean;
  readonly execQuotaReached: boolean;
  /** The moment since which every page is refused for too many requests. */
  readonly rateLimitedAt: Date | null;
  /** Minutes of refusals after which the run pauses; 0 = it never pauses for them. */
  readonly rateLimitMinutes: number;
}

export interface Stop {
  readonly reason: StopReason;
  /** True: the run pauses, so that it can continue later. False: it packs what it has and ends. */
  readonly pause: boolean;
}

const stop = (reason: StopReason): Stop => ({ reason, pause: false });
const pause = (reason: PausedState): Stop => ({ reason, pause: true });

/**
 * Why a run has to stop that is not stopping yet; null: it continues. The first reason that holds wins. Contract:
 * crawling §11.6.
 */
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
