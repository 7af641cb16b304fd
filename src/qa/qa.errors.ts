import { invalid, notFound } from '../common/errors/domain-error.js';

/** The crawl failed, so there is nothing to compare. */
export class CrawlDidNotSucceed extends invalid('crawl_did_not_succeed') {}

/** A crawler older than 1.1.0 made the crawl (seed §9). */
export class QaNotSupported extends invalid('qa_not_supported_for_crawl') {}
/** A QA run of the crawl is under way. */
export class QaAlreadyRunning extends invalid('qa_already_running') {}

/** The item has nothing to replay, or is no crawl. */
export class InvalidCrawlForQa extends invalid('invalid_crawl_for_qa') {}
/** No QA run of the crawl is under way. */
export class QaNotRunning extends invalid('qa_not_running') {}
/** There is no such QA run. */
export class QaRunNotFound extends notFound('crawl_qa_not_found') {}
/** The run is still under way. */
export class QaRunNotFinished extends invalid('qa_run_not_finished') {}
/** The run has no files. */
export class QaRunNoResources extends invalid('qa_run_no_resources') {}
/** The workflow of the crawl is gone. */
export class QaWorkflowNotFound extends notFound('crawl_config_not_found') {}
/** The thresholds are no numbers from 0 to 1 in ascending order. */
export class InvalidThresholds extends invalid('invalid_thresholds') {}
/** The thresholds are absent. */
export class MissingThresholds extends invalid('missing_thresholds') {}
