import { list, model, oneOf } from '../../common/validation/composites.js';
import { int } from '../../common/validation/scalars.js';
import { CrawlOutWithResources } from './crawl-out-with-resources.dto.js';
import { CrawlOut } from './crawl-out.dto.js';
import { Field } from '../../common/validation/model.js';

export class PaginatedCrawlOutResponse {
  @Field(int()) total!: number;
  @Field(int()) page!: number;
  @Field(int()) pageSize!: number;
  @Field(
    list(
      oneOf(
        model(() => CrawlOut),
        model(() => CrawlOutWithResources),
      ),
    ),
  )
  items!: (CrawlOut | CrawlOutWithResources)[];
}
