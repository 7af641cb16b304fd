import type { ItemCounts, OrgCounts } from './data/org-metrics.queries.js';
import type { Org } from './data/org.schema.js';
import type { OrgMetrics } from './dto/orgs.dto.js';
import { quotasOf } from './rules/quota.rules.js';

const NONE: Omit<ItemCounts, 'type'> = { count: 0, pageCount: 0, running: 0, waiting: 0 };

/** Shows the org's figures. Contract: accounts §7.7. */
export function toOrgMetrics(org: Org, counts: OrgCounts): OrgMetrics {
  const of = (type: ItemCounts['type']) => counts.items.find((row) => row.type === type) ?? NONE;
  const [crawls, uploads] = [of('crawl'), of('upload')];
  const quotas = quotasOf(org);
  return {
    storageUsedBytes: org.bytesStored ?? 0,
    storageUsedCrawls: org.bytesStoredCrawls ?? 0,
    storageUsedUploads: org.bytesStoredUploads ?? 0,
    storageUsedProfiles: org.bytesStoredProfiles ?? 0,
    storageUsedSeedFiles: org.bytesStoredSeedFiles ?? 0,
    storageUsedThumbnails: org.bytesStoredThumbnails ?? 0,
    storageUsedDedupeIndexes: org.bytesStoredDedupeIndexes ?? 0,
    storageQuotaBytes: quotas.storageQuota,
    archivedItemCount: crawls.count + uploads.count,
    crawlCount: crawls.count,
    uploadCount: uploads.count,
    pageCount: crawls.pageCount + uploads.pageCount,
    crawlPageCount: crawls.pageCount,
    uploadPageCount: uploads.pageCount,
    profileCount: counts.profileCount,
    workflowsRunningCount: crawls.running + uploads.running,
    maxConcurrentCrawls: quotas.maxConcurrentCrawls,
    workflowsQueuedCount: crawls.waiting + uploads.waiting,
    collectionsCount: counts.collectionsCount,
    publicCollectionsCount: counts.publicCollectionsCount,
    keptItemCount: counts.kept.count,
    storageUsedKeptItems: counts.kept.bytes,
    storageUsedByMonth: org.bytesStoredByMonth ?? {},
  };
}
