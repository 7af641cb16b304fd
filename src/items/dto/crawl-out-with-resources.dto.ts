import { list, model, nullable } from '../../common/validation/composites.js';
import { Field } from '../../common/validation/model.js';
import { str } from '../../common/validation/scalars.js';
import { PageOut } from '../../pages/dto/page-out.dto.js';
import { CollIdName } from './coll-id-name.dto.js';
import { CrawlFileOut } from './crawl-file-out.dto.js';
import { CrawlOut } from './crawl-out.dto.js';

/** An item with all that the player needs. */
export class CrawlOutWithResources extends CrawlOut {
  /** Its files, then those of the items it requires where these were asked for. */
  @Field(nullable(list(model(() => CrawlFileOut))), { default: [] }) resources!: CrawlFileOut[] | null;
  @Field(nullable(list(model(() => CollIdName))), { default: [] }) collections!: CollIdName[] | null;
  /** The pages that the player shows first. */
  @Field(list(model(() => PageOut)), { default: [] }) initialPages!: PageOut[];
  /** Where the player looks for the others. */
  @Field(str(), { default: '' }) pagesQueryUrl!: string;
  @Field(nullable(str()), { default: null }) downloadUrl!: string | null;
}
