import { Invalid, NotFound } from '../common/errors/domain-error.js';

export class JobNotFound extends NotFound {
  readonly detail = 'job_not_found';
}

export class JobNotFinished extends Invalid {
  readonly detail = 'job_not_finished';
}

export class JobAlreadySucceeded extends Invalid {
  readonly detail = 'job_already_succeeded';
}

export class CronJobRetryNotSupported extends Invalid {
  readonly detail = 'cron_job_retry_not_supported';
}
