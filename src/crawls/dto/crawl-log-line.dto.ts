import { Str, AnyObject, Uuid, TimeText } from '../../common/validation/fields.js';

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
