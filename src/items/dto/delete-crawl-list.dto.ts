import { list } from '../../common/validation/composites.js';
import { itemId } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';

export class DeleteCrawlList {
  @Field(list(itemId())) crawl_ids!: string[];
}
