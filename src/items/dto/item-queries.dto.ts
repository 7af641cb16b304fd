import { PageQuery } from '../../common/pagination/page.js';
import { Str, Int, Bool, Uuid, Enum, ListOf, ItemId, OneOf } from '../../common/validation/fields.js';
import { itemId } from '../../common/validation/formats.js';
import { str, int } from '../../common/validation/scalars.js';
import { LIST_FILTER_TYPES, type ListFilterType } from '../../profiles/dto/profiles.dto.js';

/** Filters of every item list. Texts are decoded once more and then compared exactly. */
export class SharedItemFilters extends PageQuery {
  /** Who started the crawl or sent the upload. */
  @Uuid({ nullable: true, optional: true }) userid?: string | null;
  @Str({ nullable: true, optional: true }) name?: string | null;
  @Str({ nullable: true, optional: true }) description?: string | null;
  @Uuid({ nullable: true, optional: true }) collectionId?: string | null;
  @Int() sortDirection = -1;
}

/** Further filters of lists that contain an org's crawls. */
export class ItemFilters extends SharedItemFilters {
  /** Id of the workflow. */
  @Uuid({ nullable: true, optional: true }) cid?: string | null;
  /** The item is in any of these states. */
  @ListOf(str(), { splitsCommas: true, nullable: true, optional: true }) state?: string[] | null;
  @Str({ nullable: true, optional: true }) firstSeed?: string | null;
  @ListOf(str(), { nullable: true, optional: true }) tags?: string[] | null;
  /** Whether an item has to have all of `tags` or any of them. */
  @Enum('ListFilterType', LIST_FILTER_TYPES, { nullable: true }) tagMatch: ListFilterType | null = 'and';
  @Uuid({ nullable: true, optional: true }) dedupeCollId?: string | null;
  /** Items that refer to records of any of these. */
  @ListOf(itemId(), { splitsCommas: true, nullable: true, optional: true }) requiresCrawls?: string[] | null;
  @ListOf(itemId(), { splitsCommas: true, nullable: true, optional: true }) requiredByCrawls?: string[] | null;
  /**
   * True finds items whose list is not empty, false those whose list is. It has no effect when the list itself is
   * given.
   */
  @Bool({ nullable: true, optional: true }) hasRequiresCrawls?: boolean | null;
  /** Only items that others do (true) or do not (false) refer to. */
  @Bool({ nullable: true, optional: true }) hasRequiredByCrawls?: boolean | null;
  /** Ids of items; only these. */
  @ListOf(itemId(), { splitsCommas: true, nullable: true, optional: true }) ids?: string[] | null;
}

export class ItemOrgPath {
  @Uuid() oid!: string;
}

/** Path of superusers' routes, which name no org. */
export class AnyItemIdPath {
  /** Id of the item, a crawl or an upload. */
  @ItemId() crawl_id!: string;
}

/** Filters of the list of crawls and uploads. */
export class AllItemsQuery extends ItemFilters {
  @OneOf(['crawl', 'upload'], { nullable: true, optional: true }) crawlType?: 'crawl' | 'upload' | null;
  /** One value or the two ends of a range, each from 1 to 5. */
  @ListOf(int(), { splitsCommas: true, nullable: true, optional: true }) reviewStatus?: number[] | null;
  @Str({ nullable: true }) sortBy: string | null = 'finished';
}

export class ItemSearchValuesQuery {
  @OneOf(['crawl', 'upload'], { nullable: true, optional: true }) crawlType?: 'crawl' | 'upload' | null;
  @Uuid({ nullable: true, optional: true }) collectionId?: string | null;
}

export class ItemTagCountsQuery {
  /** Whether only items in a successful state count. */
  @Bool() onlySuccessful = true;
  @OneOf(['crawl', 'upload'], { nullable: true, optional: true }) crawlType?: 'crawl' | 'upload' | null;
}

export class ItemDetailQuery {
  /** Whether to add the files of the items to which this one refers. */
  @Bool() withDependencies = false;
}

export class ItemDownloadQuery extends ItemDetailQuery {
  /** Whether to send the WACZ itself when there is just one. */
  @Bool() preferSingleWACZ = false;
}
