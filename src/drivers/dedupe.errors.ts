import { invalid } from '../common/errors/domain-error.js';

/**
 * No crawler of this deployment can deduplicate, so no index is made or used. The reference has this code with status
 * 500.
 */
export class DedupeCrawlerImageNotDefined extends invalid('dedupe_crawler_image_not_defined') {}
