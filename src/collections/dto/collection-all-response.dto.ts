import { list, model } from '../../common/validation/composites.js';
import { CrawlFileOut } from '../../items/dto/crawl-file-out.dto.js';
import { Field } from '../../common/validation/model.js';

export class CollectionAllResponse {
  @Field(list(model(() => CrawlFileOut)), { default: [] }) resources!: CrawlFileOut[];
}
