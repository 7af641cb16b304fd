import { Str, Int, Uuid, TimeText, ListOf, Nested } from '../../common/validation/fields.js';
import { CrawlFileOut } from '../../items/dto/crawl-file-out.dto.js';
import { CrawlStats } from '../../items/dto/crawl-stats.dto.js';
import { CrawlFile } from './crawl-file.dto.js';

export class QARunWithResources {
  @Str() id!: string;
  @Uuid() userid!: string;
  @Str({ nullable: true }) userName: string | null = null;
  @TimeText() started!: string;
  @TimeText({ nullable: true }) finished: string | null = null;
  @Str() state!: string;
  @Int() crawlExecSeconds = 0;
  @Str({ nullable: true }) image: string | null = null;
  @Nested(() => CrawlStats, { nullable: true })
  stats: CrawlStats | null = { found: 0, done: 0, size: 0, req_crawls: [] };
  @ListOf(() => CrawlFile) files: CrawlFile[] = [];
  @Int() fileSize = 0;
  @Int() fileCount = 0;
  @ListOf(() => CrawlFileOut, { nullable: true }) resources: CrawlFileOut[] | null = [];
}
