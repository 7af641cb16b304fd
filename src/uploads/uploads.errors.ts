import { DomainError } from '../common/errors/domain-error.js';

/** The body could not be stored; nothing of it is kept. */
export class UploadFailed extends DomainError {
  readonly kind = 'invalid';
  readonly detail = 'upload_failed';
}

/** The upload to be replaced is still being processed. */
export class UploadStillProcessing extends DomainError {
  readonly kind = 'invalid';
  readonly detail = 'upload_still_processing';
}

/** None of the given items is an upload. */
export class UploadedCrawlNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly detail = 'uploaded_crawl_not_found';
}

/** An upload is to join a collection that the org does not have. */
export class CollectionNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly detail = 'collection_not_found';
}
