import { ListOf } from '../../common/validation/fields.js';
import { CrawlFileOut } from '../../items/dto/crawl-file-out.dto.js';

export class ResourcesOnly {
  @ListOf(() => CrawlFileOut, { nullable: true }) resources: CrawlFileOut[] | null = [];
}
