import { failure, invalid, notFound } from '../common/errors/domain-error.js';

/** Another collection of the org has the name. */
export class CollectionNameTaken extends invalid('collection_name_taken') {}
/** Another collection of the org has this name in URLs. */
export class CollectionSlugTaken extends invalid('collection_slug_taken') {}

/** The dedupe index must be deleted first. */
export class NotAllowedWhileDedupeIndexExists extends invalid('not_allowed_while_dedupe_index_exists') {}
/** The image is longer than 2,000,000 bytes. */
export class ThumbnailTooLarge extends invalid('max_thumbnail_size_2_mb_exceeded') {}
/** The collection has no thumbnail. */
export class ThumbnailNotFound extends notFound('thumbnail_not_found') {}

/** There is no such org, or it shows no public profile. */
export class PublicProfileNotFound extends notFound('public_profile_not_found') {}

/** The collection is public, but its download is not. */
export class DownloadNotAllowed extends failure('forbidden', 'not_allowed') {}

/** The token does not open this collection. */
export class AccessDenied extends failure('forbidden', 'access_denied') {}
/** The collection has an index already. */
export class IndexAlreadyExists extends invalid('index_already_exists') {}
/** The collection has no index. */
export class NoDedupeIndex extends notFound('no_dedupe_index') {}
/** The index is at work. */
export class DedupeIndexNotReady extends invalid('dedupe_index_not_ready') {}

/** Another call was first. */
export class PurgeJobAlreadyRunning extends invalid('purge_job_already_running') {}

/** A crawl is using the index. */
export class DedupeIndexInUse extends invalid('dedupe_index_is_in_use') {}
