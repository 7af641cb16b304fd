import type { Job } from './data/job.schema.js';

/** Tells the superuser of a job that failed for good. The implementation is bound where mail is available. */
export abstract class FailedJobNotice {
  /** Tells of one failed job. Never throws. */
  abstract send(job: Job): Promise<void>;

  /** Tells of the failures that were only collected until now, when their time has come. Never throws. */
  abstract sendDigest(): Promise<void>;
}
