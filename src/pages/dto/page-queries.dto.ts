import { PageQuery } from '../../common/pagination/page.js';
import { Str, Int, Num, Bool, Uuid, ItemId, DateTime } from '../../common/validation/fields.js';

/** Path of every route below one item. */
export class ItemPath {
  @ItemId() crawl_id!: string;
  @Uuid() oid!: string;
}

export class ItemPagePath extends ItemPath {
  @Uuid() page_id!: string;
}

export class QaPagesPath extends ItemPath {
  @ItemId() qa_run_id!: string;
}

export class QaRunPagePath extends QaPagesPath {
  @Uuid() page_id!: string;
}

/** Search without review filters, for players. */
export class PageSearchQuery extends PageQuery {
  /** Text that begins with `http:` or `https:` is the address where the list starts; other text is title words. */
  @Str({ nullable: true, optional: true }) search?: string | null;
  /** Exact address. */
  @Str({ nullable: true, optional: true }) url?: string | null;
  @DateTime({ nullable: true, optional: true }) ts?: Date | null;
  @Bool({ nullable: true, optional: true }) isSeed?: boolean | null;
  @Int({ nullable: true, optional: true }) depth?: number | null;
}

/** Query of a collection's pages. */
export class CollectionPagesQuery extends PageSearchQuery {
  @Str({ nullable: true, optional: true }) sortBy?: string | null;
  @Int({ nullable: true }) sortDirection: number | null = -1;
}

/** Query of an item's pages. */
export class ItemPagesQuery extends CollectionPagesQuery {
  /** Address where the list starts. It is a lower bound: later addresses follow when nothing matches. */
  @Str({ nullable: true, optional: true }) urlPrefix?: string | null;
  /** Whether the page has a verdict or notes. */
  @Bool({ nullable: true, optional: true }) reviewed?: boolean | null;
  /** Comma list of `true`, `false`, `none` and their synonyms; unknown words are ignored. */
  @Str({ nullable: true, optional: true }) approved?: string | null;
  @Bool({ nullable: true, optional: true }) hasNotes?: boolean | null;
}

/** Bounds of a QA measure, 0 to 1; 0 is a bound like any other. */
export class QaPagesQuery extends PageQuery {
  /** `screenshotMatch` or `textMatch`; needs a bound. */
  @Str({ nullable: true, optional: true }) filterQABy?: string | null;
  /** The same under the name in the published specification; it wins when both are given. */
  @Str({ nullable: true, optional: true }) qaFilterBy?: string | null;
  @Num({ nullable: true, optional: true }) gte?: number | null;
  @Num({ nullable: true, optional: true }) gt?: number | null;
  @Num({ nullable: true, optional: true }) lte?: number | null;
  @Num({ nullable: true, optional: true }) lt?: number | null;
  /** Only pages with (true) or without (false) a verdict or notes. */
  @Bool({ nullable: true, optional: true }) reviewed?: boolean | null;
  /** Comma list of `true`, `false`, `none` and their synonyms: pages with any of these verdicts. */
  @Str({ nullable: true, optional: true }) approved?: string | null;
  @Bool({ nullable: true, optional: true }) hasNotes?: boolean | null;
  @Str({ nullable: true, optional: true }) sortBy?: string | null;
  @Int({ nullable: true }) sortDirection: number | null = -1;
}

/** Query of an item's pages, with the QA filter of one of its runs (more than the reference offers). */
export class CrawlPagesQuery extends ItemPagesQuery {
  /** Id of the run for `qaFilterBy`. */
  @ItemId({ nullable: true, optional: true }) qaRunId?: string | null;
  /** `screenshotMatch` or `textMatch`; needs a bound and `qaRunId`. */
  @Str({ nullable: true, optional: true }) qaFilterBy?: string | null;
  /** The same as `qaFilterBy`, by the name of another operation. */
  @Str({ nullable: true, optional: true }) filterQABy?: string | null;
  @Num({ nullable: true, optional: true }) gte?: number | null;
  @Num({ nullable: true, optional: true }) gt?: number | null;
  @Num({ nullable: true, optional: true }) lte?: number | null;
  @Num({ nullable: true, optional: true }) lt?: number | null;
}
