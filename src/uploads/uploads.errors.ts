import { Invalid, NotFound } from '../common/errors/domain-error.js';

/** The body could not be stored; nothing of it is kept. */
export class UploadFailed extends Invalid {
  readonly detail = 'upload_failed';
}

/** The upload to be replaced is still being processed. */
export class UploadStillProcessing extends Invalid {
  readonly detail = 'upload_still_processing';
}

/** None of the given items is an upload. */
export class UploadedCrawlNotFound extends NotFound {
  readonly detail = 'uploaded_crawl_not_found';
}

/** An upload is to join a collection that the org does not have. */
export class CollectionNotFound extends NotFound {
  readonly detail = 'collection_not_found';
}
