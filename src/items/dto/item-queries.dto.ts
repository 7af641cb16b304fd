import { Str, Bool, Uuid, ItemId, OneOf, ListOf } from '../../common/validation/fields.js';
import { int } from '../../common/validation/scalars.js';
import { ItemFilters } from './item-filters.dto.js';

export class ItemOrgPath {
  @Uuid() oid!: string;
}

export class ItemIdPath {
  @ItemId() crawl_id!: string;
  @Uuid() oid!: string;
}

/** Path of superusers' routes, which name no org. */
export class AnyItemIdPath {
  @ItemId() crawl_id!: string;
}

/** Filters of the list of crawls and uploads. */
export class AllItemsQuery extends ItemFilters {
  @OneOf(['crawl', 'upload'], { nullable: true, optional: true }) crawlType?: 'crawl' | 'upload' | null;
  /** One value, or the two ends of a range, 1 to 5. */
  @ListOf(int(), { splitsCommas: true, nullable: true, optional: true }) reviewStatus?: number[] | null;
  @Str({ nullable: true }) sortBy: string | null = 'finished';
}

export class ItemSearchValuesQuery {
  @OneOf(['crawl', 'upload'], { nullable: true, optional: true }) crawlType?: 'crawl' | 'upload' | null;
  @Uuid({ nullable: true, optional: true }) collectionId?: string | null;
}

export class ItemTagCountsQuery {
  /** Only items in a successful state. */
  @Bool() onlySuccessful = true;
  @OneOf(['crawl', 'upload'], { nullable: true, optional: true }) crawlType?: 'crawl' | 'upload' | null;
}

export class ItemDetailQuery {
  /** Add the files of the items that this one refers to. */
  @Bool() withDependencies = false;
}

export class ItemDownloadQuery extends ItemDetailQuery {
  /** The WACZ itself when there is just one. */
  @Bool() preferSingleWACZ = false;
}
