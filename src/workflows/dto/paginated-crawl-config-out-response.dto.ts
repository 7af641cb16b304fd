import { Int, ListOf } from '../../common/validation/fields.js';
import { CrawlConfigOut } from './crawl-config-out.dto.js';

export class PaginatedCrawlConfigOutResponse {
  @Int() total!: number;
  @Int() page!: number;
  @Int() pageSize!: number;
  @ListOf(() => CrawlConfigOut) items!: CrawlConfigOut[];
}
