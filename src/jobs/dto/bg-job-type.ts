/** The contract's `BgJobType`, and ours. */
export const BG_JOB_TYPES = [
  'create-replica',
  'delete-replica',
  'delete-org',
  'recalculate-org-stats',
  'readd-org-pages',
  'optimize-pages',
  'cleanup-seed-files',
  'update-coll-stats',
  'postprocess-upload',
  'retry-stuck-uploads',
  'verify-files',
] as const;
export type BgJobType = (typeof BG_JOB_TYPES)[number];
