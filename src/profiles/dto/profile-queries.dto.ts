import { PageQuery } from '../../common/pagination/page.js';
import { enumOf, list, nullable } from '../../common/validation/composites.js';
import { browserId, uuid } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';
import { int, str } from '../../common/validation/scalars.js';
import { LIST_FILTER_TYPES, type ListFilterType } from './list-filter-type.js';

export class ProfilesPath {
  @Field(uuid()) oid!: string;
}

export class ProfilePath {
  @Field(uuid()) profileid!: string;
  @Field(uuid()) oid!: string;
}

export class BrowserPath {
  @Field(uuid()) oid!: string;
  @Field(browserId()) browserid!: string;
}

export class ProfileListQuery extends PageQuery {
  /** Who made it. */
  @Field(nullable(uuid()), { optional: true }) userid?: string | null;
  @Field(nullable(list(str())), { optional: true }) tags?: string[] | null;
  /** `and`: all of the tags; `or`: any. */
  @Field(nullable(enumOf('ListFilterType', LIST_FILTER_TYPES)), { default: 'and' }) tagMatch!: ListFilterType | null;
  /** Whole name, without regard to case and accents. */
  @Field(nullable(str()), { optional: true }) name?: string | null;
  @Field(str(), { default: 'modified' }) sortBy!: string;
  @Field(int(), { default: -1 }) sortDirection!: number;
}
