import { failure, invalid, notFound } from '../common/errors/domain-error.js';

/** The upload to be replaced is still being processed. */
export class UploadStillProcessing extends invalid('upload_still_processing') {}

/** None of the given items is an upload. */
export class UploadedCrawlNotFound extends notFound('uploaded_crawl_not_found') {}

/** The store did not take the bytes. The bytes before them are kept, so that the client can continue from there. */
export class UploadInterrupted extends failure('not-ready', 'upload_interrupted') {}

/** The org has too many incomplete resumable uploads. */
export class TooManyOpenUploads extends failure('rate-limited', 'too_many_open_uploads') {}

/** A resumable upload has more pieces than its document can hold. */
export class TooManyPieces extends failure('invalid', 'too_many_pieces') {}
