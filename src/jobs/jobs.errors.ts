import { invalid, notFound } from '../common/errors/domain-error.js';

export class JobNotFound extends notFound('job_not_found') {}
export class JobNotFinished extends invalid('job_not_finished') {}
export class JobAlreadySucceeded extends invalid('job_already_succeeded') {}
export class CronJobRetryNotSupported extends invalid('cron_job_retry_not_supported') {}
