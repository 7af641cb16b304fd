import { DomainError, Invalid, NotFound } from '../common/errors/domain-error.js';

/** An upload was asked to do what only crawls can. */
export class NotACrawl extends Invalid {
  readonly detail = 'not_a_crawl';
}

export class CrawlNotRunning extends Invalid {
  readonly detail = 'crawl_not_running';
}

export class CrawlNotFinished extends Invalid {
  readonly detail = 'crawl_not_finished';
}

export class CrawlAlreadyRunning extends Invalid {
  readonly detail = 'crawl_already_running';
}

/** As many crawls wait for a place as the deployment lets wait. Contract: crawling §10.4. */
export class TooManyCrawlsQueued extends DomainError {
  readonly kind = 'rate-limited';
  readonly detail = 'slow_down_too_many_crawls_queued';
}

/** The workflow's profile has no file. */
export class InvalidProfileId extends Invalid {
  readonly detail = 'invalid_profile_id';
}

export class ProxyNotFound extends Invalid {
  readonly detail = 'proxy_not_found';
}

/** The file that the workflow's crawl would start from was deleted, or is not of this org. */
export class StartSeedFileNotFound extends NotFound {
  readonly detail = 'file_not_found';
}

export class SeedFileNotSupported extends Invalid {
  readonly detail = 'seed_file_not_supported_by_crawler';
}

/** The job could not be made, e.g. because the org's storage is not configured any more. */
export class CrawlStartFailed extends DomainError {
  readonly kind = 'internal';
  readonly detail: string;
  constructor(reason: string) {
    super(reason);
    this.detail = `Error starting crawl: ${reason}`;
  }
}

export class WindowsOrScaleRequired extends Invalid {
  readonly detail = 'browser_windows_or_scale_required';
}

export class InvalidRegex extends Invalid {
  readonly detail = 'invalid_regex';
}

export class CrawlsNotFound extends NotFound {
  readonly detail = 'crawls_not_found';
}
