import { DomainError, Invalid, NotFound } from '../common/errors/domain-error.js';

/** The upload to be replaced is still being processed. */
export class UploadStillProcessing extends Invalid {
  readonly detail = 'upload_still_processing';
}

/** None of the given items is an upload. */
export class UploadedCrawlNotFound extends NotFound {
  readonly detail = 'uploaded_crawl_not_found';
}

/** The store did not take the bytes; what came before them is kept, so that the client can go on from there. */
export class UploadInterrupted extends DomainError {
  readonly kind = 'not-ready';
  readonly detail = 'upload_interrupted';
}

/** The org has too many resumable uploads that are not complete. */
export class TooManyOpenUploads extends DomainError {
  readonly kind = 'rate-limited';
  readonly detail = 'too_many_open_uploads';
}

/** A resumable upload was sent in more pieces than can be kept of one. */
export class TooManyPieces extends DomainError {
  readonly kind = 'invalid';
  readonly detail = 'too_many_pieces';
}
