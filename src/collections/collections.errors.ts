import { failure, invalid, notFound } from '../common/errors/domain-error.js';

export class CollectionNameTaken extends invalid('collection_name_taken') {}
export class CollectionSlugTaken extends invalid('collection_slug_taken') {}

/** The dedupe index must be deleted first. */
export class NotAllowedWhileDedupeIndexExists extends invalid('not_allowed_while_dedupe_index_exists') {}
export class ThumbnailTooLarge extends invalid('max_thumbnail_size_2_mb_exceeded') {}
export class ThumbnailNotFound extends notFound('thumbnail_not_found') {}

/** There is no such org, or it shows no public profile. */
export class PublicProfileNotFound extends notFound('public_profile_not_found') {}

/** The collection is public, but its download is not. */
export class DownloadNotAllowed extends failure('forbidden', 'not_allowed') {}

/** The token does not open this collection. */
export class AccessDenied extends failure('forbidden', 'access_denied') {}
export class IndexAlreadyExists extends invalid('index_already_exists') {}
export class NoDedupeIndex extends notFound('no_dedupe_index') {}
export class DedupeIndexNotReady extends invalid('dedupe_index_not_ready') {}

/** A crawl is using the index. */
export class DedupeIndexInUse extends invalid('dedupe_index_is_in_use') {}
