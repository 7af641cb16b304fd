/** States of a crawl or upload that ended with something archived (web-client §11.2). */
export const GOOD_STATES = [
  'complete',
  'stopped_by_user',
  'stopped_pause_expired',
  'stopped_storage_quota_reached',
  'stopped_time_quota_reached',
  'stopped_org_readonly',
] as const;

/** States of one that ended with nothing to keep. */
export const BAD_STATES = [
  'failed',
  'failed_not_logged_in',
  'canceled',
  'skipped_storage_quota_reached',
  'skipped_time_quota_reached',
] as const;
