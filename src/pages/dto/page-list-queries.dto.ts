import { PageQuery } from '../../common/pagination/page.js';
import { nullable } from '../../common/validation/composites.js';
import { dateTime, itemId, uuid } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';
import { bool, int, num, str } from '../../common/validation/scalars.js';

/** Path of everything below one item. */
export class ItemPath {
  @Field(itemId()) crawl_id!: string;
  @Field(uuid()) oid!: string;
}

export class ItemPagePath extends ItemPath {
  @Field(uuid()) page_id!: string;
}

export class QaPagesPath extends ItemPath {
  @Field(itemId()) qa_run_id!: string;
}

export class QaRunPagePath extends QaPagesPath {
  @Field(uuid()) page_id!: string;
}

/** Search without review filters: what players ask for. */
export class PageSearchQuery extends PageQuery {
  /** `http:`/`https:` text starts the list at that address; other text is words of the title. */
  @Field(nullable(str()), { optional: true }) search?: string | null;
  /** Exact address. */
  @Field(nullable(str()), { optional: true }) url?: string | null;
  @Field(nullable(dateTime()), { optional: true }) ts?: Date | null;
  @Field(nullable(bool()), { optional: true }) isSeed?: boolean | null;
  @Field(nullable(int()), { optional: true }) depth?: number | null;
}

/** Lists of a collection's pages. */
export class CollectionPagesQuery extends PageSearchQuery {
  @Field(nullable(str()), { optional: true }) sortBy?: string | null;
  @Field(nullable(int()), { default: -1 }) sortDirection!: number | null;
}

/** Lists of an item's pages. */
export class ItemPagesQuery extends CollectionPagesQuery {
  /** Lower bound, not a strict prefix: later addresses follow when nothing matches. */
  @Field(nullable(str()), { optional: true }) urlPrefix?: string | null;
  /** Judged or remarked upon. */
  @Field(nullable(bool()), { optional: true }) reviewed?: boolean | null;
  /** Comma list of `true`, `false`, `none` and their synonyms; unknown words are ignored. */
  @Field(nullable(str()), { optional: true }) approved?: string | null;
  @Field(nullable(bool()), { optional: true }) hasNotes?: boolean | null;
}

/** Bounds of a QA measure, 0 to 1; 0 is a bound like any other. */
export class QaPagesQuery extends PageQuery {
  /** `screenshotMatch` or `textMatch`; needs a bound. */
  @Field(nullable(str()), { optional: true }) filterQABy?: string | null;
  /** The same under the name of the published specification; wins when both are given. */
  @Field(nullable(str()), { optional: true }) qaFilterBy?: string | null;
  @Field(nullable(num()), { optional: true }) gte?: number | null;
  @Field(nullable(num()), { optional: true }) gt?: number | null;
  @Field(nullable(num()), { optional: true }) lte?: number | null;
  @Field(nullable(num()), { optional: true }) lt?: number | null;
  @Field(nullable(bool()), { optional: true }) reviewed?: boolean | null;
  @Field(nullable(str()), { optional: true }) approved?: string | null;
  @Field(nullable(bool()), { optional: true }) hasNotes?: boolean | null;
  @Field(nullable(str()), { optional: true }) sortBy?: string | null;
  @Field(nullable(int()), { default: -1 }) sortDirection!: number | null;
}

/** An item's pages, with the QA filter of one of its runs (a superset of the reference). */
export class CrawlPagesQuery extends ItemPagesQuery {
  /** The run whose values `qaFilterBy` means. */
  @Field(nullable(itemId()), { optional: true }) qaRunId?: string | null;
  @Field(nullable(str()), { optional: true }) qaFilterBy?: string | null;
  @Field(nullable(str()), { optional: true }) filterQABy?: string | null;
  @Field(nullable(num()), { optional: true }) gte?: number | null;
  @Field(nullable(num()), { optional: true }) gt?: number | null;
  @Field(nullable(num()), { optional: true }) lte?: number | null;
  @Field(nullable(num()), { optional: true }) lt?: number | null;
}
