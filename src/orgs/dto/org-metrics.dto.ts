import { int } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class OrgMetrics {
  @Field(int()) storageUsedBytes!: number;
  @Field(int()) storageUsedCrawls!: number;
  @Field(int()) storageUsedUploads!: number;
  @Field(int()) storageUsedProfiles!: number;
  @Field(int()) storageUsedSeedFiles!: number;
  @Field(int()) storageUsedThumbnails!: number;
  @Field(int()) storageUsedDedupeIndexes!: number;
  @Field(int()) storageQuotaBytes!: number;
  @Field(int()) archivedItemCount!: number;
  @Field(int()) crawlCount!: number;
  @Field(int()) uploadCount!: number;
  @Field(int()) pageCount!: number;
  @Field(int()) crawlPageCount!: number;
  @Field(int()) uploadPageCount!: number;
  @Field(int()) profileCount!: number;
  @Field(int()) workflowsRunningCount!: number;
  @Field(int()) maxConcurrentCrawls!: number;
  @Field(int()) workflowsQueuedCount!: number;
  @Field(int()) collectionsCount!: number;
  @Field(int()) publicCollectionsCount!: number;
}
