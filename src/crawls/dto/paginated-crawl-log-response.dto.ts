import { Int, ListOf } from '../../common/validation/fields.js';
import { CrawlLogLine } from './crawl-log-line.dto.js';

export class PaginatedCrawlLogResponse {
  @Int() total!: number;
  @Int() page!: number;
  @Int() pageSize!: number;
  @ListOf(() => CrawlLogLine) items!: CrawlLogLine[];
}
