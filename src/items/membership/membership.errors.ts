import { invalid, notFound } from '../../common/errors/domain-error.js';

/** An item is unknown, of another org, or did not finish well, so it can't be in a collection. */
export class InvalidFailedOrUnfinishedCrawl extends invalid('invalid_failed_or_unfinished_crawl') {}

/** No such collection in the org, or none that the caller may see. */
export class CollectionNotFound extends notFound('collection_not_found') {}
