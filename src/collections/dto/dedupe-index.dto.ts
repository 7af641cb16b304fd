import { Int, Num, Bool } from '../../common/validation/fields.js';

export class DedupeIndexStats {
  @Int() totalUrls = 0;
  @Int() dupeUrls = 0;
  @Int() conservedSize = 0;
  @Int() totalCrawls = 0;
  @Int() totalCrawlSize = 0;
  @Int() removedCrawls = 0;
  @Int() removedCrawlSize = 0;
  @Num() updateProgress = 0;
  @Int() uniqueHashes = 0;
  @Int() estimatedRedundantSize = 0;
}

export class DeleteDedupeIndex {
  @Bool() removeFromWorkflows = false;
}
