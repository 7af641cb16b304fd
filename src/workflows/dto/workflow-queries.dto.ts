import { PageQuery } from '../../common/pagination/page.js';
import { enumOf, list, literal, nullable } from '../../common/validation/composites.js';
import { uuid } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';
import { bool, int, str } from '../../common/validation/scalars.js';
import { LIST_FILTER_TYPES, type ListFilterType } from '../../profiles/dto/list-filter-type.js';
import { FAILED, PROCESSING_UPLOAD, RUNNING, SUCCESSFUL, WAITING } from '../../items/data/item-state.facts.js';

/** In the contract's order. */
const STATES = [...WAITING, ...RUNNING, ...FAILED, ...SUCCESSFUL, PROCESSING_UPLOAD] as const;

export class WorkflowPath {
  @Field(uuid()) cid!: string;
  @Field(uuid()) oid!: string;
}

/** Query of the workflow list; texts are compared whole, without regard to case and accents. */
export class WorkflowListQuery extends PageQuery {
  /** Who created it. */
  @Field(nullable(uuid()), { optional: true }) userid?: string | null;
  @Field(nullable(uuid()), { optional: true }) modifiedBy?: string | null;
  @Field(nullable(list(uuid(), { splitsCommas: true })), { optional: true }) profileIds?: string[] | null;
  @Field(nullable(str()), { optional: true }) firstSeed?: string | null;
  @Field(nullable(str()), { optional: true }) name?: string | null;
  @Field(nullable(str()), { optional: true }) description?: string | null;
  /** Used when `tags` is absent. */
  @Field(nullable(list(str())), { optional: true, deprecated: true }) tag?: string[] | null;
  @Field(nullable(list(str())), { optional: true }) tags?: string[] | null;
  /** `and`: all of the tags; `or`: any. */
  @Field(nullable(enumOf('ListFilterType', LIST_FILTER_TYPES)), { default: 'and' }) tagMatch!: ListFilterType | null;
  @Field(nullable(uuid()), { optional: true }) dedupeCollId?: string | null;
  @Field(nullable(list(literal(...STATES), { splitsCommas: true })), { optional: true })
  lastCrawlState?: string[] | null;
  @Field(nullable(bool()), { optional: true }) schedule?: boolean | null;
  @Field(nullable(bool()), { optional: true }) isCrawlRunning?: boolean | null;
  @Field(str(), { default: '' }) sortBy!: string;
  @Field(int(), { default: -1 }) sortDirection!: number;
}

export class SearchValuesQuery {
  @Field(nullable(list(uuid(), { splitsCommas: true })), { optional: true }) profileIds?: string[] | null;
}

export class ExclusionQuery {
  /** JavaScript regular expression; matched anywhere in an address. */
  @Field(str()) regex!: string;
}
