import type { Job } from './data/job.schema.js';

/** Tells the superuser of a job that failed for good; bound where mail is at hand. */
export abstract class FailedJobNotice {
  /** Never throws. */
  abstract send(job: Job): Promise<void>;

  /** Tells of those that were only collected until now, when it is time. Never throws. */
  abstract sendDigest(): Promise<void>;
}
