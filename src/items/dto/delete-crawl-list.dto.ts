import { ListOf } from '../../common/validation/fields.js';
import { itemId } from '../../common/validation/formats.js';

export class DeleteCrawlList {
  @ListOf(itemId()) crawl_ids!: string[];
}
