import { PageQuery } from '../../common/pagination/page.js';
import { Str, Int, Uuid, BrowserId, Enum, ListOf } from '../../common/validation/fields.js';
import { str } from '../../common/validation/scalars.js';
import { LIST_FILTER_TYPES, type ListFilterType } from './list-filter-type.js';

export class ProfilesPath {
  @Uuid() oid!: string;
}

export class ProfilePath {
  @Uuid() profileid!: string;
  @Uuid() oid!: string;
}

export class BrowserPath {
  @Uuid() oid!: string;
  @BrowserId() browserid!: string;
}

export class ProfileListQuery extends PageQuery {
  /** Who made it. */
  @Uuid({ nullable: true, optional: true }) userid?: string | null;
  @ListOf(str(), { nullable: true, optional: true }) tags?: string[] | null;
  /** `and`: all of the tags; `or`: any. */
  @Enum('ListFilterType', LIST_FILTER_TYPES, { nullable: true }) tagMatch: ListFilterType | null = 'and';
  /** Whole name, without regard to case and accents. */
  @Str({ nullable: true, optional: true }) name?: string | null;
  @Str() sortBy = 'modified';
  @Int() sortDirection = -1;
}
