import { commaList, nullable } from '../../common/validation/composites.js';
import { itemId, uuid } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';
import { str } from '../../common/validation/scalars.js';
import { SharedItemFilters } from '../../items/dto/item-filters.dto.js';

export class UploadsPath {
  @Field(uuid()) oid!: string;
}

export class UploadPath {
  @Field(itemId()) crawl_id!: string;
  @Field(uuid()) oid!: string;
}

/** The same path where the contract spells its parameter differently. */
export class UploadGetPath {
  @Field(itemId()) crawlid!: string;
  @Field(uuid()) oid!: string;
}

export class AnyUploadPath {
  @Field(itemId()) crawl_id!: string;
}

/**
 * What an upload says of itself. Texts are decoded once more; `collections` and `tags` are comma-separated, repeated, or
 * both: `parseUploadInput` reads them all.
 */
export class UploadQuery {
  @Field(str(), { default: '' }) name!: string;
  @Field(str(), { default: '' }) description!: string;
  /** Ids of collections to add the item to. */
  @Field(nullable(str()), { default: '' }) collections!: string | null;
  @Field(nullable(str()), { default: '' }) tags!: string | null;
}

/** Empty: none. */
const optionalItemId = (): ReturnType<typeof itemId> => {
  const id = itemId();
  return { ...id, parse: (value) => (value === '' ? { ok: true, value: '' } : id.parse(value)) };
};

export class StreamUploadQuery extends UploadQuery {
  /** Its last segment gives the object's name and extension. */
  @Field(str()) filename!: string;
  /** The upload whose place this one takes. */
  @Field(nullable(optionalItemId()), { default: '' }) replaceId!: string | null;
}

/** Filters of the list of uploads. */
export class UploadListQuery extends SharedItemFilters {
  /** Any of these. */
  @Field(nullable(commaList()), { optional: true }) state?: string[] | null;
  @Field(str(), { default: 'finished' }) sortBy!: string;
}
