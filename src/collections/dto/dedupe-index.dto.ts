import { Int, Num, Bool } from '../../common/validation/fields.js';

export class DedupeIndexStats {
  @Int() totalUrls = 0;
  @Int() dupeUrls = 0;
  @Int() conservedSize = 0;
  /** Number of items in the index. */
  @Int() totalCrawls = 0;
  /** Bytes of the items in the index. */
  @Int() totalCrawlSize = 0;
  /** Number of items that the index still has though the collection lost them. */
  @Int() removedCrawls = 0;
  /** Bytes of those items. */
  @Int() removedCrawlSize = 0;
  /** How much of an update is done, 0 to 1. */
  @Num() updateProgress = 0;
  @Int() uniqueHashes = 0;
  /** Bytes that a purge would set free, as far as can be told. */
  @Int() estimatedRedundantSize = 0;
}

export class DeleteDedupeIndex {
  /** Whether workflows forget the index too. */
  @Bool() removeFromWorkflows = false;
}
