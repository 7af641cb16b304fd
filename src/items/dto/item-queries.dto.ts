import { PageQuery } from '../../common/pagination/page.js';
import { enumOf, list, literal, nullable } from '../../common/validation/composites.js';
import { itemId, uuid } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';
import { bool, int, str } from '../../common/validation/scalars.js';
import { LIST_FILTER_TYPES, type ListFilterType } from '../../profiles/dto/list-filter-type.js';

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

/** Filters of the list of crawls and uploads. Texts are compared exactly, after decoding once more. */
export class AllItemsQuery extends PageQuery {
  @Field(nullable(uuid()), { optional: true }) userid?: string | null;
  @Field(nullable(str()), { optional: true }) name?: string | null;
  /** Any of these. */
  @Field(nullable(list(str(), { splitsCommas: true })), { optional: true }) state?: string[] | null;
  @Field(nullable(str()), { optional: true }) firstSeed?: string | null;
  @Field(nullable(str()), { optional: true }) description?: string | null;
  @Field(nullable(list(str())), { optional: true }) tags?: string[] | null;
  @Field(nullable(enumOf('ListFilterType', LIST_FILTER_TYPES)), { default: 'and' }) tagMatch!: ListFilterType | null;
  @Field(nullable(uuid()), { optional: true }) collectionId?: string | null;
  @Field(nullable(uuid()), { optional: true }) dedupeCollId?: string | null;
  @Field(nullable(list(itemId(), { splitsCommas: true })), { optional: true }) requiresCrawls?: string[] | null;
  @Field(nullable(list(itemId(), { splitsCommas: true })), { optional: true }) requiredByCrawls?: string[] | null;
  @Field(nullable(bool()), { optional: true }) hasRequiresCrawls?: boolean | null;
  @Field(nullable(bool()), { optional: true }) hasRequiredByCrawls?: boolean | null;
  @Field(nullable(list(itemId(), { splitsCommas: true })), { optional: true }) ids?: string[] | null;
  @Field(nullable(literal('crawl', 'upload')), { optional: true }) crawlType?: 'crawl' | 'upload' | null;
  @Field(nullable(uuid()), { optional: true }) cid?: string | null;
  /** One value, or the two ends of a range, 1 to 5. */
  @Field(nullable(list(int(), { splitsCommas: true })), { optional: true }) reviewStatus?: number[] | null;
  @Field(nullable(str()), { default: 'finished' }) sortBy!: string | null;
  @Field(int(), { default: -1 }) sortDirection!: number;
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
