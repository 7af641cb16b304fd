import { Str, Int, Bool, Uuid, TimeText, ListOf, Num, MapOf, Nested } from '../../common/validation/fields.js';
import { int } from '../../common/validation/scalars.js';
import { PageNote } from './page-notes.dto.js';

export class EmptyResponse {}

/** What every answer says of a page; its status is null only where QA is shown. Contract: archive §6. */
export class SharedPageOut {
  @Uuid() id!: string;
  @Uuid() oid!: string;
  /** Item, crawl or upload. */
  @Str() crawl_id!: string;
  @Str() url!: string;
  @Str({ nullable: true }) title: string | null = null;
  /** When it was loaded. */
  @TimeText({ nullable: true }) ts: string | null = null;
  /** 0 failed, 1 content loaded, 2 loaded, 3 extracted, 4 behaviors done. */
  @Int({ nullable: true }) loadState: number | null = null;
  @Str({ nullable: true }) mime: string | null = null;
  /** Name of the WACZ that holds it. */
  @Str({ nullable: true }) filename: string | null = null;
  /** Links from a seed; 0: a seed. */
  @Int({ nullable: true }) depth: number | null = null;
  @Str({ nullable: true }) favIconUrl: string | null = null;
  @Bool({ nullable: true }) isSeed: boolean | null = false;
  /** Who approved or rejected it. */
  @Uuid({ nullable: true }) userid: string | null = null;
  /** When its review or its notes changed. */
  @TimeText({ nullable: true }) modified: string | null = null;
  @Bool({ nullable: true }) approved: boolean | null = null;
  @ListOf(() => PageNote) notes: PageNote[] = [];
  /** Not a page of HTML: a PDF, a picture. */
  @Bool({ nullable: true }) isFile: boolean | null = false;
  /** It could not be loaded. */
  @Bool({ nullable: true }) isError: boolean | null = false;
}

export class PageOut extends SharedPageOut {
  /** HTTP status; 200 where the crawl noted none. */
  @Int() status = 200;
}

export class PageOutItemsResponse {
  @ListOf(() => PageOut) items!: PageOut[];
}

export class PageQACompare {
  @Num({ nullable: true }) screenshotMatch: number | null = null;
  @Num({ nullable: true }) textMatch: number | null = null;
  @MapOf(int(), { nullable: true }) resourceCounts: Record<string, number> | null = null;
}

/** A page with what one QA run found. */
export class PageOutWithSingleQA extends SharedPageOut {
  /** HTTP status; null where the crawl noted none. */
  @Int({ nullable: true }) status: number | null = null;
  /** Null where the run has nothing on the page. */
  @Nested(() => PageQACompare, { nullable: true }) qa: PageQACompare | null = null;
}

export class PageReviewUpdate {
  @Bool({ nullable: true, optional: true }) approved?: boolean | null;
}

export class PaginatedPageOutResponse {
  @Int() total!: number;
  @Int() page!: number;
  @Int() pageSize!: number;
  @ListOf(() => PageOut) items!: PageOut[];
}

export class PaginatedPageOutWithQAResponse {
  @Int() total!: number;
  @Int() page!: number;
  @Int() pageSize!: number;
  @ListOf(() => PageOutWithSingleQA) items!: PageOutWithSingleQA[];
}

export class StartedResponse {
  @Str() started!: string;
}
