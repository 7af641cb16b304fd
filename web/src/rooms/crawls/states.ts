import { BAD_STATES, GOOD_STATES } from '../../ui/states';

/** The states of crawls by what they mean to people (web-client §11.2). */
export const ACTIVE_STATES = [
  'starting',
  'waiting_capacity',
  'waiting_org_limit',
  'waiting_dedupe_index',
  'running',
  'rate-limited',
  'pending-wait',
  'generate-wacz',
  'uploading-wacz',
  'paused',
  'paused_storage_quota_reached',
  'paused_time_quota_reached',
  'paused_org_readonly',
  'paused_rate_limit_time_reached',
] as const;

/** Groups that lists are filtered by. */
export const STATE_GROUPS = { active: ACTIVE_STATES, good: GOOD_STATES, bad: BAD_STATES } as const;
export type StateGroup = keyof typeof STATE_GROUPS;

/** Whether an archived item came of the crawl. */
export const isKept = (state: string): boolean => (GOOD_STATES as readonly string[]).includes(state);
