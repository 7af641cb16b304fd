import { invalid, notFound } from '../common/errors/domain-error.js';

export class CrawlDidNotSucceed extends invalid('crawl_did_not_succeed') {}

/** A crawler older than 1.1.0 made the crawl (seed §9). */
export class QaNotSupported extends invalid('qa_not_supported_for_crawl') {}
export class QaAlreadyRunning extends invalid('qa_already_running') {}

/** The item has nothing to replay, or is no crawl. */
export class InvalidCrawlForQa extends invalid('invalid_crawl_for_qa') {}
export class QaNotRunning extends invalid('qa_not_running') {}
export class QaRunNotFound extends notFound('crawl_qa_not_found') {}
export class QaRunNotFinished extends invalid('qa_run_not_finished') {}
export class QaRunNoResources extends invalid('qa_run_no_resources') {}
export class QaWorkflowNotFound extends notFound('crawl_config_not_found') {}
export class InvalidThresholds extends invalid('invalid_thresholds') {}
export class MissingThresholds extends invalid('missing_thresholds') {}
