/** The contract's `JobType`. */
export const JOB_TYPES = ['url-list', 'seed-crawl', 'custom'] as const;
export type JobType = (typeof JOB_TYPES)[number];
