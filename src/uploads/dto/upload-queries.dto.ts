import { anyOf, commaList } from '../../common/validation/composites.js';
import { Of, Str, Uuid, ItemId } from '../../common/validation/fields.js';
import { itemId } from '../../common/validation/formats.js';
import { shownAs } from '../../common/validation/kind.js';
import { str } from '../../common/validation/scalars.js';
import { SharedItemFilters } from '../../items/dto/item-filters.dto.js';

export class UploadsPath {
  @Uuid() oid!: string;
}

export class UploadPath {
  @ItemId() crawl_id!: string;
  @Uuid() oid!: string;
}

/** The same path where the contract spells its parameter differently. */
export class UploadGetPath {
  @ItemId() crawlid!: string;
  @Uuid() oid!: string;
}

export class AnyUploadPath {
  @ItemId() crawl_id!: string;
}

/**
 * What an upload says of itself. Texts are decoded once more; `collections` and `tags` are comma-separated, repeated, or
 * both: `parseUploadInput` reads them all.
 */
export class UploadQuery {
  @Str() name = '';
  @Str() description = '';
  /** Ids of collections to add the item to. */
  @Str({ nullable: true }) collections: string | null = '';
  @Str({ nullable: true }) tags: string | null = '';
}

export class StreamUploadQuery extends UploadQuery {
  /** Its last segment gives the object's name and extension. */
  @Str() filename!: string;
  /** The upload whose place this one takes; empty: none. */
  @Of(shownAs(anyOf(itemId(), str({ max: 0 })), str()), { nullable: true }) replaceId: string | null = '';
}

/** Filters of the list of uploads. */
export class UploadListQuery extends SharedItemFilters {
  /** Any of these. */
  @Of(commaList(), { nullable: true, optional: true }) state?: string[] | null;
  @Str() sortBy = 'finished';
}
