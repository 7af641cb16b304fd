import { Str, Int, TimeText, Nested } from '../../common/validation/fields.js';
import { CrawlStats } from '../../items/dto/crawl-stats.dto.js';

export class QARunOut {
  @Str() id!: string;
  @Str({ nullable: true }) userName: string | null = null;
  @TimeText() started!: string;
  @TimeText({ nullable: true }) finished: string | null = null;
  @Str() state!: string;
  /** Addition: why the run waits, in words; null while it does not. */
  @Str({ nullable: true }) stateReason: string | null = null;
  @Int() crawlExecSeconds = 0;
  @Nested(() => CrawlStats) stats: CrawlStats = { found: 0, done: 0, size: 0, req_crawls: [] };
}
