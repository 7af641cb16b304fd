import type { JobId } from '../crawl-driver.types.js';

/** Host name of an instance, and its name in Redis (spec/crawling.md §14.2). */
export const instanceName = (jobId: JobId, index: number): string => `crawl-${jobId}-${String(index)}`;

/** The index in an instance's name; null for another job's. */
export function indexOf(jobId: JobId, name: string): number | null {
  const prefix = `crawl-${jobId}-`;
  const index = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : NaN;
  return Number.isInteger(index) ? index : null;
}

/** Names in Redis of one job (spec/crawling.md §14.5), and those that only this driver uses (`:muniment`, `:taking`). */
export function storeKeys(jobId: JobId) {
  const files = `${jobId}:crawls-done`;
  return {
    status: `${jobId}:status`,
    size: `${jobId}:size`,
    done: `${jobId}:d`,
    seen: `${jobId}:s`,
    extraSeeds: `${jobId}:extraSeeds`,
    excluded: `${jobId}:excluded`,
    queue: `${jobId}:q`,
    /** Unprefixed upstream; a Redis shared by all jobs needs the id (§14.3). */
    files,
    pages: `${jobId}:pages`,
    errors: `${jobId}:e`,
    behaviors: `${jobId}:b`,
    requiredCrawls: `${jobId}:reqCrawls`,
    profileUploaded: `${jobId}:profileUploaded`,
    failReason: `${jobId}:failReason`,
    rateLimited: `${jobId}:rateLimited`,
    stopping: `${jobId}:stopping`,
    stopOne: `${jobId}:stopone`,
    paused: `${jobId}:paused`,
    canceled: `${jobId}:canceled`,
    /** Hash: what the driver has to know of a job that it did not start itself. */
    job: `${jobId}:muniment`,
    /** How many batches were acknowledged: a late `ack` of an earlier one does nothing. */
    batches: `${jobId}:muniment:batches`,
    messages: (index: number): string => `${instanceName(jobId, index)}:msg`,
  };
}

export type StoreKeys = ReturnType<typeof storeKeys>;

/** All jobs that the Redis has anything of. */
export const JOBS_KEY = 'muniment:jobs';
