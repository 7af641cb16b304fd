import { DomainError, Invalid, NotFound } from '../common/errors/domain-error.js';

export class CollectionNameTaken extends Invalid {
  readonly detail = 'collection_name_taken';
}

export class CollectionSlugTaken extends Invalid {
  readonly detail = 'collection_slug_taken';
}

/** The dedupe index must be deleted first. */
export class NotAllowedWhileDedupeIndexExists extends Invalid {
  readonly detail = 'not_allowed_while_dedupe_index_exists';
}

export class ThumbnailTooLarge extends Invalid {
  readonly detail = 'max_thumbnail_size_2_mb_exceeded';
}

export class ThumbnailNotFound extends NotFound {
  readonly detail = 'thumbnail_not_found';
}

/** No such org, or it shows no public profile. */
export class PublicProfileNotFound extends NotFound {
  readonly detail = 'public_profile_not_found';
}

/** The collection is public, its download is not. */
export class DownloadNotAllowed extends DomainError {
  readonly kind = 'forbidden';
  readonly detail = 'not_allowed';
}

/** The token does not open this collection. */
export class AccessDenied extends DomainError {
  readonly kind = 'forbidden';
  readonly detail = 'access_denied';
}

export class IndexAlreadyExists extends Invalid {
  readonly detail = 'index_already_exists';
}

export class NoDedupeIndex extends NotFound {
  readonly detail = 'no_dedupe_index';
}

export class DedupeIndexNotReady extends Invalid {
  readonly detail = 'dedupe_index_not_ready';
}

/** A crawl is using the index. */
export class DedupeIndexInUse extends Invalid {
  readonly detail = 'dedupe_index_is_in_use';
}
