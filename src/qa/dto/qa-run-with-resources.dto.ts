import { list, model, nullable } from '../../common/validation/composites.js';
import { dateTime, uuid } from '../../common/validation/formats.js';
import { int, str } from '../../common/validation/scalars.js';
import { CrawlFileOut } from '../../items/dto/crawl-file-out.dto.js';
import { CrawlStats } from '../../items/dto/crawl-stats.dto.js';
import { CrawlFile } from './crawl-file.dto.js';
import { Field } from '../../common/validation/model.js';

export class QARunWithResources {
  @Field(str()) id!: string;
  @Field(uuid()) userid!: string;
  @Field(nullable(str()), { default: null }) userName!: string | null;
  @Field(dateTime()) started!: string;
  @Field(nullable(dateTime()), { default: null }) finished!: string | null;
  @Field(str()) state!: string;
  @Field(int(), { default: 0 }) crawlExecSeconds!: number;
  @Field(nullable(str()), { default: null }) image!: string | null;
  @Field(nullable(model(() => CrawlStats)), { default: { found: 0, done: 0, size: 0, req_crawls: [] } })
  stats!: CrawlStats | null;
  @Field(list(model(() => CrawlFile)), { default: [] }) files!: CrawlFile[];
  @Field(int(), { default: 0 }) fileSize!: number;
  @Field(int(), { default: 0 }) fileCount!: number;
  @Field(nullable(list(model(() => CrawlFileOut))), { default: [] }) resources!: CrawlFileOut[] | null;
}
