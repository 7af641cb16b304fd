import { list, model } from '../../common/validation/composites.js';
import { int } from '../../common/validation/scalars.js';
import { CrawlConfigOut } from './crawl-config-out.dto.js';
import { Field } from '../../common/validation/model.js';

export class PaginatedCrawlConfigOutResponse {
  @Field(int()) total!: number;
  @Field(int()) page!: number;
  @Field(int()) pageSize!: number;
  @Field(list(model(() => CrawlConfigOut))) items!: CrawlConfigOut[];
}
