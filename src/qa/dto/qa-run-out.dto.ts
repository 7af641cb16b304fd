import { model, nullable } from '../../common/validation/composites.js';
import { dateTime } from '../../common/validation/formats.js';
import { int, str } from '../../common/validation/scalars.js';
import { CrawlStats } from '../../items/dto/crawl-stats.dto.js';
import { Field } from '../../common/validation/model.js';

export class QARunOut {
  @Field(str()) id!: string;
  @Field(nullable(str()), { default: null }) userName!: string | null;
  @Field(dateTime()) started!: string;
  @Field(nullable(dateTime()), { default: null }) finished!: string | null;
  @Field(str()) state!: string;
  /** Addition: why the run waits, in words; null while it does not. */
  @Field(nullable(str()), { default: null }) stateReason!: string | null;
  @Field(int(), { default: 0 }) crawlExecSeconds!: number;
  @Field(model(() => CrawlStats), { default: { found: 0, done: 0, size: 0, req_crawls: [] } }) stats!: CrawlStats;
}
