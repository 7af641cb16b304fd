import { Str, Int, Bool, Uuid, TimeText, ListOf, Num, MapOf, Nested } from '../../common/validation/fields.js';
import { int } from '../../common/validation/scalars.js';
import { PageNote } from './page-notes.dto.js';

export class EmptyResponse {}

/** The fields of a page in every answer. Its status is null only where QA is shown. Contract: archive §6. */
export class SharedPageOut {
  @Uuid() id!: string;
  @Uuid() oid!: string;
  /** Id of the item, a crawl or an upload. */
  @Str() crawl_id!: string;
  @Str() url!: string;
  /** Title of the page. */
  @Str({ nullable: true }) title: string | null = null;
  /** Time of loading. */
  @TimeText({ nullable: true }) ts: string | null = null;
  /** 0 failed, 1 content loaded, 2 loaded, 3 extracted, 4 behaviors done. */
  @Int({ nullable: true }) loadState: number | null = null;
  @Str({ nullable: true }) mime: string | null = null;
  /** Name of the WACZ that holds the page. */
  @Str({ nullable: true }) filename: string | null = null;
  /** Number of links from a seed; 0: a seed. */
  @Int({ nullable: true }) depth: number | null = null;
  /** Address of the page's icon. */
  @Str({ nullable: true }) favIconUrl: string | null = null;
  @Bool({ nullable: true }) isSeed: boolean | null = false;
  /** Id of the user who approved or rejected the page. */
  @Uuid({ nullable: true }) userid: string | null = null;
  /** Time of the last change of its review or notes. */
  @TimeText({ nullable: true }) modified: string | null = null;
  @Bool({ nullable: true }) approved: boolean | null = null;
  /** Notes of reviewers on the page. */
  @ListOf(() => PageNote) notes: PageNote[] = [];
  /** True for a file that is not HTML, such as a PDF or a picture. */
  @Bool({ nullable: true }) isFile: boolean | null = false;
  /** True when the page could not be loaded. */
  @Bool({ nullable: true }) isError: boolean | null = false;
}

export class PageOut extends SharedPageOut {
  /** HTTP status; 200 when the crawl recorded none. */
  @Int() status = 200;
}

export class PageOutItemsResponse {
  @ListOf(() => PageOut) items!: PageOut[];
}

export class PageQACompare {
  @Num({ nullable: true }) screenshotMatch: number | null = null;
  @Num({ nullable: true }) textMatch: number | null = null;
  /** Numbers of resources that crawl and replay loaded, good and bad. */
  @MapOf(int(), { nullable: true }) resourceCounts: Record<string, number> | null = null;
}

/** A page with the values of one QA run. */
export class PageOutWithSingleQA extends SharedPageOut {
  /** HTTP status; null when the crawl recorded none. */
  @Int({ nullable: true }) status: number | null = null;
  /** Values of the run; null when it has none for the page. */
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
  /** Id of the job or run that was started. */
  @Str() started!: string;
}
