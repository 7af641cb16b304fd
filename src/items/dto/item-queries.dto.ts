import { list, literal, nullable } from '../../common/validation/composites.js';
import { itemId, uuid } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';
import { bool, int, str } from '../../common/validation/scalars.js';
import { ItemFilters } from './item-filters.dto.js';

export class ItemOrgPath {
  @Field(uuid()) oid!: string;
}

export class ItemIdPath {
  @Field(itemId()) crawl_id!: string;
  @Field(uuid()) oid!: string;
}

/** Path of superusers' routes, which name no org. */
export class AnyItemIdPath {
  @Field(itemId()) crawl_id!: string;
}

/** Filters of the list of crawls and uploads. */
export class AllItemsQuery extends ItemFilters {
  @Field(nullable(literal('crawl', 'upload')), { optional: true }) crawlType?: 'crawl' | 'upload' | null;
  /** One value, or the two ends of a range, 1 to 5. */
  @Field(nullable(list(int(), { splitsCommas: true })), { optional: true }) reviewStatus?: number[] | null;
  @Field(nullable(str()), { default: 'finished' }) sortBy!: string | null;
}

export class ItemSearchValuesQuery {
  @Field(nullable(literal('crawl', 'upload')), { optional: true }) crawlType?: 'crawl' | 'upload' | null;
  @Field(nullable(uuid()), { optional: true }) collectionId?: string | null;
}

export class ItemTagCountsQuery {
  /** Only items in a successful state. */
  @Field(bool(), { default: true }) onlySuccessful!: boolean;
  @Field(nullable(literal('crawl', 'upload')), { optional: true }) crawlType?: 'crawl' | 'upload' | null;
}

export class ItemDetailQuery {
  /** Add the files of the items that this one refers to. */
  @Field(bool(), { default: false }) withDependencies!: boolean;
}

export class ItemDownloadQuery extends ItemDetailQuery {
  /** The WACZ itself when there is just one. */
  @Field(bool(), { default: false }) preferSingleWACZ!: boolean;
}
