import { list, model, nullable } from '../../common/validation/composites.js';
import { CrawlFileOut } from '../../items/dto/crawl-file-out.dto.js';
import { Field } from '../../common/validation/model.js';

export class ResourcesOnly {
  @Field(nullable(list(model(() => CrawlFileOut))), { default: [] }) resources!: CrawlFileOut[] | null;
}
