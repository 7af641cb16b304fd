import { Invalid, NotFound } from '../common/errors/domain-error.js';

export class CrawlDidNotSucceed extends Invalid {
  readonly detail = 'crawl_did_not_succeed';
}

/** The crawl was made by a crawler older than 1.1.0 (seed §9). */
export class QaNotSupported extends Invalid {
  readonly detail = 'qa_not_supported_for_crawl';
}

export class QaAlreadyRunning extends Invalid {
  readonly detail = 'qa_already_running';
}

/** The item has nothing that could be replayed, or is no crawl. */
export class InvalidCrawlForQa extends Invalid {
  readonly detail = 'invalid_crawl_for_qa';
}

export class QaNotRunning extends Invalid {
  readonly detail = 'qa_not_running';
}

export class QaRunNotFound extends NotFound {
  readonly detail = 'crawl_qa_not_found';
}

export class QaRunNotFinished extends Invalid {
  readonly detail = 'qa_run_not_finished';
}

export class QaRunNoResources extends Invalid {
  readonly detail = 'qa_run_no_resources';
}

export class QaWorkflowNotFound extends NotFound {
  readonly detail = 'crawl_config_not_found';
}

export class InvalidThresholds extends Invalid {
  readonly detail = 'invalid_thresholds';
}

export class MissingThresholds extends Invalid {
  readonly detail = 'missing_thresholds';
}
