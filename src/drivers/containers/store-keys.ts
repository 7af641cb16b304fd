import { instanceKeys, instanceName, jobKeys } from '../../../crawler/names.js';
import type { JobId } from '../crawl-driver.types.js';

/** Names in Redis of one job (crawling §14.5), and those that only this driver uses (`:muniment`, `:taking`). */
export function storeKeys(jobId: JobId) {
  return {
    ...jobKeys(jobId),
    /** Unprefixed upstream; a Redis shared by all jobs needs the id (crawling §14.3). */
    files: `${jobId}:crawls-done`,
    /** Hash: what the driver has to know of a job that it did not start itself. */
    job: `${jobId}:muniment`,
    /** How many batches were acknowledged: a late `ack` of an earlier one does nothing. */
    batches: `${jobId}:muniment:batches`,
    messages: (index: number): string => instanceKeys(instanceName(jobId, index)).messages,
  };
}

export type StoreKeys = ReturnType<typeof storeKeys>;

/** All jobs that the Redis has anything of. */
export const JOBS_KEY = 'muniment:jobs';
