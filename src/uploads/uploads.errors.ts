import { failure, invalid, notFound } from '../common/errors/domain-error.js';

/** The upload to be replaced is still being processed. */
export class UploadStillProcessing extends invalid('upload_still_processing') {}

/** None of the given items is an upload. */
export class UploadedCrawlNotFound extends notFound('uploaded_crawl_not_found') {}

/** The store did not take the bytes; what came before them is kept, so that the client can go on from there. */
export class UploadInterrupted extends failure('not-ready', 'upload_interrupted') {}

/** The org has too many resumable uploads that are not complete. */
export class TooManyOpenUploads extends failure('rate-limited', 'too_many_open_uploads') {}

/** A resumable upload was sent in more pieces than can be kept of one. */
export class TooManyPieces extends failure('invalid', 'too_many_pieces') {}
