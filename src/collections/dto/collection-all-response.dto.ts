import { ListOf } from '../../common/validation/fields.js';
import { CrawlFileOut } from '../../items/dto/crawl-file-out.dto.js';

export class CollectionAllResponse {
  @ListOf(() => CrawlFileOut) resources: CrawlFileOut[] = [];
}
