import { Int } from '../../common/validation/fields.js';

export class OrgMetrics {
  @Int() storageUsedBytes!: number;
  @Int() storageUsedCrawls!: number;
  @Int() storageUsedUploads!: number;
  @Int() storageUsedProfiles!: number;
  @Int() storageUsedSeedFiles!: number;
  @Int() storageUsedThumbnails!: number;
  @Int() storageUsedDedupeIndexes!: number;
  @Int() storageQuotaBytes!: number;
  @Int() archivedItemCount!: number;
  @Int() crawlCount!: number;
  @Int() uploadCount!: number;
  @Int() pageCount!: number;
  @Int() crawlPageCount!: number;
  @Int() uploadPageCount!: number;
  @Int() profileCount!: number;
  @Int() workflowsRunningCount!: number;
  @Int() maxConcurrentCrawls!: number;
  @Int() workflowsQueuedCount!: number;
  @Int() collectionsCount!: number;
  @Int() publicCollectionsCount!: number;
}
