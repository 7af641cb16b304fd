import { anyOf } from '../../common/validation/composites.js';
import { Int, ListOf } from '../../common/validation/fields.js';
import { CrawlOutWithResources } from './crawl-out-with-resources.dto.js';
import { CrawlOut } from './crawl-out.dto.js';

export class PaginatedCrawlOutResponse {
  @Int() total!: number;
  @Int() page!: number;
  @Int() pageSize!: number;
  @ListOf(
    anyOf(
      () => CrawlOut,
      () => CrawlOutWithResources,
    ),
  )
  items!: (CrawlOut | CrawlOutWithResources)[];
}
