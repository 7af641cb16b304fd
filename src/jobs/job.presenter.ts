import { wireTime, wireTimeOrNull, wireSecond } from '../common/validation/date-time.js';
import type { Job } from './data/job.schema.js';
import type { BackgroundJob } from './dto/jobs.dto.js';
import { kindOf } from './job-kind.js';

/** The wire form. `error` and `logs` are additions to the contract. Lists are read without `logs`. */
export const toBackgroundJob = (job: Job): BackgroundJob => ({
  id: job._id,
  type: job.type,
  oid: job.oid ?? null,
  success: job.success ?? null,
  started: wireSecond(job.started),
  finished: wireTimeOrNull(job.finished),
  previousAttempts:
    job.previousAttempts?.map(({ started, finished }) => ({
      started: wireSecond(started),
      finished: wireTimeOrNull(finished),
    })) ?? null,
  ...kindOf(job.type)?.show?.(job),
  ...(job.error ? { error: job.error } : {}),
  ...(job.logs ? { logs: job.logs.map(({ at, message }) => ({ at: wireTime(at), message })) } : {}),
});
