import { PageQuery } from '../../common/pagination/page.js';
import { Str, Int, Bool, Uuid, Enum, ListOf } from '../../common/validation/fields.js';
import { itemId } from '../../common/validation/formats.js';
import { str } from '../../common/validation/scalars.js';
import { LIST_FILTER_TYPES, type ListFilterType } from '../../profiles/dto/list-filter-type.js';

/** Filters that every list of items offers. Texts are compared exactly, after decoding once more. */
export class SharedItemFilters extends PageQuery {
  /** Who started the crawl or sent the upload. */
  @Uuid({ nullable: true, optional: true }) userid?: string | null;
  @Str({ nullable: true, optional: true }) name?: string | null;
  @Str({ nullable: true, optional: true }) description?: string | null;
  @Uuid({ nullable: true, optional: true }) collectionId?: string | null;
  @Int() sortDirection = -1;
}

/** What lists of an org's crawls, alone or among all items, are narrowed to besides. */
export class ItemFilters extends SharedItemFilters {
  /** Workflow. */
  @Uuid({ nullable: true, optional: true }) cid?: string | null;
  /** Any of these. */
  @ListOf(str(), { splitsCommas: true, nullable: true, optional: true }) state?: string[] | null;
  @Str({ nullable: true, optional: true }) firstSeed?: string | null;
  @ListOf(str(), { nullable: true, optional: true }) tags?: string[] | null;
  /** Whether an item needs all of `tags` or any of them. */
  @Enum('ListFilterType', LIST_FILTER_TYPES, { nullable: true }) tagMatch: ListFilterType | null = 'and';
  @Uuid({ nullable: true, optional: true }) dedupeCollId?: string | null;
  @ListOf(itemId(), { splitsCommas: true, nullable: true, optional: true }) requiresCrawls?: string[] | null;
  @ListOf(itemId(), { splitsCommas: true, nullable: true, optional: true }) requiredByCrawls?: string[] | null;
  /** Whether the list is to be empty or not; without effect where the list itself is given. */
  @Bool({ nullable: true, optional: true }) hasRequiresCrawls?: boolean | null;
  @Bool({ nullable: true, optional: true }) hasRequiredByCrawls?: boolean | null;
  @ListOf(itemId(), { splitsCommas: true, nullable: true, optional: true }) ids?: string[] | null;
}
