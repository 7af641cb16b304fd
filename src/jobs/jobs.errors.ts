import { DomainError } from '../common/errors/domain-error.js';

export class JobNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly detail = 'job_not_found';
}

export class JobNotFinished extends DomainError {
  readonly kind = 'invalid';
  readonly detail = 'job_not_finished';
}

export class JobAlreadySucceeded extends DomainError {
  readonly kind = 'invalid';
  readonly detail = 'job_already_succeeded';
}

export class CronJobRetryNotSupported extends DomainError {
  readonly kind = 'invalid';
  readonly detail = 'cron_job_retry_not_supported';
}
