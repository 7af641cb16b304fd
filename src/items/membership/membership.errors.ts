import { invalid, notFound } from '../../common/errors/domain-error.js';

/** An item is unknown, belongs to another org or did not finish successfully, so it cannot be in a collection. */
export class InvalidFailedOrUnfinishedCrawl extends invalid('invalid_failed_or_unfinished_crawl') {}

/** The org has no such collection, or the caller may not see it. */
export class CollectionNotFound extends notFound('collection_not_found') {}
