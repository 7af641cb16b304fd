import { Str, AnyObject, Uuid, TimeText, Int, ListOf } from '../../common/validation/fields.js';

export class CrawlLogLine {
  @Uuid() id!: string;
  @Str() crawlId!: string;
  @Uuid() oid!: string;
  @Str({ nullable: true }) qaRunId: string | null = null;
  @TimeText() timestamp!: string;
  @Str() logLevel!: string;
  @Str() context!: string;
  @Str() message!: string;
  @AnyObject({ nullable: true }) details: Record<string, unknown> | null = null;
}

export class PaginatedCrawlLogResponse {
  @Int() total!: number;
  @Int() page!: number;
  @Int() pageSize!: number;
  @ListOf(() => CrawlLogLine) items!: CrawlLogLine[];
}
