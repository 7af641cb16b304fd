import { PageQuery } from '../../common/pagination/page.js';
import { literal } from '../../common/validation/composites.js';
import { Str, Int, Bool, Uuid, Enum, ListOf } from '../../common/validation/fields.js';
import { uuid } from '../../common/validation/formats.js';
import { str } from '../../common/validation/scalars.js';
import { LIST_FILTER_TYPES, type ListFilterType } from '../../profiles/dto/profiles.dto.js';
import { FAILED, PROCESSING_UPLOAD, RUNNING, SUCCESSFUL, WAITING } from '../../items/data/item-state.facts.js';

/** All states, in the contract's order. */
const STATES = [...WAITING, ...RUNNING, ...FAILED, ...SUCCESSFUL, PROCESSING_UPLOAD] as const;

export class WorkflowPath {
  @Uuid() cid!: string;
  @Uuid() oid!: string;
}

/** Query of the workflow list. Texts are compared whole, without regard to case and accents. */
export class WorkflowListQuery extends PageQuery {
  /** Id of the user who created the workflow. */
  @Uuid({ nullable: true, optional: true }) userid?: string | null;
  /** Only workflows that this user changed last. */
  @Uuid({ nullable: true, optional: true }) modifiedBy?: string | null;
  @ListOf(uuid(), { splitsCommas: true, nullable: true, optional: true }) profileIds?: string[] | null;
  @Str({ nullable: true, optional: true }) firstSeed?: string | null;
  @Str({ nullable: true, optional: true }) name?: string | null;
  @Str({ nullable: true, optional: true }) description?: string | null;
  /** This filter is used when `tags` is absent. */
  @ListOf(str(), { nullable: true, optional: true, deprecated: true }) tag?: string[] | null;
  /** Workflows with all of these tags, or any, as `tagMatch` says. */
  @ListOf(str(), { nullable: true, optional: true }) tags?: string[] | null;
  /** `and` means all of the tags, `or` means any of them. */
  @Enum('ListFilterType', LIST_FILTER_TYPES, { nullable: true }) tagMatch: ListFilterType | null = 'and';
  @Uuid({ nullable: true, optional: true }) dedupeCollId?: string | null;
  /** Workflows whose last crawl is in any of these states. */
  @ListOf(literal(STATES), { splitsCommas: true, nullable: true, optional: true })
  lastCrawlState?: (typeof STATES)[number][] | null;
  /** Only workflows with (true) or without (false) a schedule. */
  @Bool({ nullable: true, optional: true }) schedule?: boolean | null;
  @Bool({ nullable: true, optional: true }) isCrawlRunning?: boolean | null;
  @Str() sortBy = '';
  @Int() sortDirection = -1;
}

export class SearchValuesQuery {
  @ListOf(uuid(), { splitsCommas: true, nullable: true, optional: true }) profileIds?: string[] | null;
}

export class ExclusionQuery {
  /** JavaScript regular expression. It may match anywhere in an address. */
  @Str() regex!: string;
}
