import { list, model } from '../../common/validation/composites.js';
import { int } from '../../common/validation/scalars.js';
import { CrawlLogLine } from './crawl-log-line.dto.js';
import { Field } from '../../common/validation/model.js';

export class PaginatedCrawlLogResponse {
  @Field(int()) total!: number;
  @Field(int()) page!: number;
  @Field(int()) pageSize!: number;
  @Field(list(model(() => CrawlLogLine))) items!: CrawlLogLine[];
}
