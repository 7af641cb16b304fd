import { Str, ListOf } from '../../common/validation/fields.js';
import { PageOut } from '../../pages/dto/page-out.dto.js';
import { CollIdName } from './coll-id-name.dto.js';
import { CrawlFileOut } from './crawl-file-out.dto.js';
import { CrawlOut } from './crawl-out.dto.js';

/** An item with all that the player needs. */
export class CrawlOutWithResources extends CrawlOut {
  /** Its files, then those of the items it requires where these were asked for. */
  @ListOf(() => CrawlFileOut, { nullable: true }) resources: CrawlFileOut[] | null = [];
  @ListOf(() => CollIdName, { nullable: true }) collections: CollIdName[] | null = [];
  /** The pages that the player shows first. */
  @ListOf(() => PageOut) initialPages: PageOut[] = [];
  /** Where the player looks for the others. */
  @Str() pagesQueryUrl = '';
  @Str({ nullable: true }) downloadUrl: string | null = null;
}
