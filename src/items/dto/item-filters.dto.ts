import { PageQuery } from '../../common/pagination/page.js';
import { enumOf, list, nullable } from '../../common/validation/composites.js';
import { itemId, uuid } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';
import { bool, int, str } from '../../common/validation/scalars.js';
import { LIST_FILTER_TYPES, type ListFilterType } from '../../profiles/dto/list-filter-type.js';

/** Filters that every list of items offers. Texts are compared exactly, after decoding once more. */
export class SharedItemFilters extends PageQuery {
  /** Who started the crawl or sent the upload. */
  @Field(nullable(uuid()), { optional: true }) userid?: string | null;
  @Field(nullable(str()), { optional: true }) name?: string | null;
  @Field(nullable(str()), { optional: true }) description?: string | null;
  @Field(nullable(uuid()), { optional: true }) collectionId?: string | null;
  @Field(int(), { default: -1 }) sortDirection!: number;
}

/** What lists of an org's crawls, alone or among all items, are narrowed to besides. */
export class ItemFilters extends SharedItemFilters {
  /** Workflow. */
  @Field(nullable(uuid()), { optional: true }) cid?: string | null;
  /** Any of these. */
  @Field(nullable(list(str(), { splitsCommas: true })), { optional: true }) state?: string[] | null;
  @Field(nullable(str()), { optional: true }) firstSeed?: string | null;
  @Field(nullable(list(str())), { optional: true }) tags?: string[] | null;
  /** Whether an item needs all of `tags` or any of them. */
  @Field(nullable(enumOf('ListFilterType', LIST_FILTER_TYPES)), { default: 'and' }) tagMatch!: ListFilterType | null;
  @Field(nullable(uuid()), { optional: true }) dedupeCollId?: string | null;
  @Field(nullable(list(itemId(), { splitsCommas: true })), { optional: true }) requiresCrawls?: string[] | null;
  @Field(nullable(list(itemId(), { splitsCommas: true })), { optional: true }) requiredByCrawls?: string[] | null;
  /** Whether the list is to be empty or not; without effect where the list itself is given. */
  @Field(nullable(bool()), { optional: true }) hasRequiresCrawls?: boolean | null;
  @Field(nullable(bool()), { optional: true }) hasRequiredByCrawls?: boolean | null;
  @Field(nullable(list(itemId(), { splitsCommas: true })), { optional: true }) ids?: string[] | null;
}
