import {
  NON_RUNNING,
  PAUSED,
  RUNNING,
  RUNNING_AND_WAITING,
  type ActiveState,
  type CrawlState,
  type FinalState,
  type PausedState,
} from '../../items/data/item-state.facts.js';

const REACHED_WHILE_ACTIVE = [...RUNNING, ...PAUSED, ...NON_RUNNING] as const;

/**
 * The transitions of crawls and QA runs: for each state, the states from which it may be entered. A write succeeds only
 * while the stored state is one of these. A final state is never left. Contract: crawling §2.
 */
const SOURCES: Readonly<Record<CrawlState, readonly ActiveState[]>> = {
  ...(Object.fromEntries(REACHED_WHILE_ACTIVE.map((state) => [state, RUNNING_AND_WAITING])) as unknown as Record<
    (typeof REACHED_WHILE_ACTIVE)[number],
    readonly ActiveState[]
  >),
  starting: ['waiting_org_limit', 'waiting_dedupe_index'],
  waiting_org_limit: ['starting'],
  waiting_dedupe_index: ['starting'],
  waiting_capacity: ['starting', ...RUNNING],
};

/** States from which a run may enter `to`. The state itself is left out, because staying is no transition. */
export const sourcesOf = (to: CrawlState): ActiveState[] => SOURCES[to].filter((from) => from !== to);

/** Why a run is stopping or pausing. Contract: crawling §11.1. */
export type StopReason =
  | 'stopped_by_user'
  | 'stopped_pause_expired'
  | 'time-limit'
  | 'size-limit'
  | 'stopped_storage_quota_reached'
  | 'stopped_time_quota_reached'
  | 'stopped_org_readonly'
  | PausedState;

/**
 * The final state of a run whose crawler reports `done`, by its stop reason. A limit, or no reason, makes a complete
 * run.
 */
export function finalStateFor(reason: string | null): FinalState {
  switch (reason) {
    case 'stopped_by_user':
    case 'stopped_storage_quota_reached':
    case 'stopped_time_quota_reached':
    case 'stopped_org_readonly':
      return reason;
    default:
      return 'complete';
  }
}
