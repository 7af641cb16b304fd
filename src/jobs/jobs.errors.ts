import { invalid, notFound } from '../common/errors/domain-error.js';

/** There is no such job. */
export class JobNotFound extends notFound('job_not_found') {}
/** The job is still under way. */
export class JobNotFinished extends invalid('job_not_finished') {}
/** The job succeeded. */
export class JobAlreadySucceeded extends invalid('job_already_succeeded') {}
/** The job runs by a schedule and cannot be tried again by hand. */
export class CronJobRetryNotSupported extends invalid('cron_job_retry_not_supported') {}
