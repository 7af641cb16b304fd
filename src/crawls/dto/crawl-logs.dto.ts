import { Str, AnyObject, Uuid, TimeText, Int, ListOf } from '../../common/validation/fields.js';

export class CrawlLogLine {
  @Uuid() id!: string;
  @Str() crawlId!: string;
  @Uuid() oid!: string;
  @Str({ nullable: true }) qaRunId: string | null = null;
  @TimeText() timestamp!: string;
  /** `debug`, `info`, `warn`, `error` or `fatal`. */
  @Str() logLevel!: string;
  /** The part of the crawler that speaks. */
  @Str() context!: string;
  /** What it says. */
  @Str() message!: string;
  /** What belongs to it, as the crawler wrote it. */
  @AnyObject({ nullable: true }) details: Record<string, unknown> | null = null;
}

export class PaginatedCrawlLogResponse {
  @Int() total!: number;
  @Int() page!: number;
  @Int() pageSize!: number;
  @ListOf(() => CrawlLogLine) items!: CrawlLogLine[];
}
