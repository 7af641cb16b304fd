import { DomainError } from '../common/errors/domain-error.js';

/** An item is unknown, of another org, or did not finish well, so it can't be in a collection. */
export class InvalidFailedOrUnfinishedCrawl extends DomainError {
  readonly kind = 'invalid';
  readonly detail = 'invalid_failed_or_unfinished_crawl';
}

/** No such collection in the org, or none that the caller may see. */
export class CollectionNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly detail = 'collection_not_found';
}

/** A change that changes nothing. */
export class NoUpdateData extends DomainError {
  readonly kind = 'invalid';
  readonly detail = 'no_update_data';
}
