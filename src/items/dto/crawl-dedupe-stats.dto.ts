import { Int } from '../../common/validation/fields.js';

export class CrawlDedupeStats {
  @Int() uniqueHashes = 0;
  @Int() totalUrls = 0;
  @Int() dupeUrls = 0;
  @Int() conservedSize = 0;
}
