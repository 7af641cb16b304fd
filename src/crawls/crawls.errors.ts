import { DomainError, failure, invalid, notFound } from '../common/errors/domain-error.js';

/** The request concerns an upload, but only crawls can do this. */
export class NotACrawl extends invalid('not_a_crawl') {}
/** The crawl is not under way. */
export class CrawlNotRunning extends invalid('crawl_not_running') {}
/** The crawl is still under way. */
export class CrawlNotFinished extends invalid('crawl_not_finished') {}
/** A crawl of the workflow is under way. */
export class CrawlAlreadyRunning extends invalid('crawl_already_running') {}

/** The deployment's limit of waiting crawls is reached. Contract: crawling §10.4. */
export class TooManyCrawlsQueued extends failure('rate-limited', 'slow_down_too_many_crawls_queued') {}

/** The workflow's profile has no file. */
export class InvalidProfileId extends invalid('invalid_profile_id') {}
/** The proxy is unknown or not for this org. */
export class ProxyNotFound extends invalid('proxy_not_found') {}

/** The file that the workflow's crawl would start from was deleted, or is not of this org. */
export class StartSeedFileNotFound extends notFound('file_not_found') {}
/** The crawler of this channel cannot read seed files. */
export class SeedFileNotSupported extends invalid('seed_file_not_supported_by_crawler') {}

/** The crawl's job could not be made, e.g. because the org's storage is not configured any more. */
export class CrawlStartFailed extends DomainError {
  readonly kind = 'internal';
  readonly detail: string;
  constructor(reason: string) {
    super(reason);
    this.detail = `Error starting crawl: ${reason}`;
  }
}

/** Neither `browserWindows` nor `scale` is given. */
export class WindowsOrScaleRequired extends invalid('browser_windows_or_scale_required') {}
/** The regular expression cannot be read. */
export class InvalidRegex extends invalid('invalid_regex') {}
/** There are no crawls. */
export class CrawlsNotFound extends notFound('crawls_not_found') {}
