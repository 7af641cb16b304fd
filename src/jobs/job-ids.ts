import { randomBytes } from 'node:crypto';
import type { BgJobType } from './dto/bg-job-type.js';

const randomSuffix = (): string => randomBytes(5).toString('hex');

export interface JobTarget {
  readonly oid: string | null;
  readonly collectionId?: string;
  readonly itemId?: string;
}

/**
 * Ids of the contract (archive §10): two types have one row per object, the others a row per start.
 * @param suffix 10 hex digits; random by default
 */
export function newJobId(type: BgJobType, target: JobTarget, suffix = randomSuffix()): string {
  const { oid, collectionId, itemId } = target;
  switch (type) {
    case 'update-coll-stats':
      return `update-coll-${collectionId}`;
    case 'postprocess-upload':
      return `postprocess-upload-${itemId}`;
    case 'delete-org':
      return `delete-org-${oid}-${suffix}`;
    case 'recalculate-org-stats':
      return `org-stats-${oid}-${suffix}`;
    case 'readd-org-pages':
      return `org-pages-${oid}-${suffix}`;
    case 'cleanup-seed-files':
      return `seed-files-${suffix}`;
    case 'retry-stuck-uploads':
      return `stuck-uploads-${suffix}`;
    case 'create-replica':
    case 'delete-replica':
    case 'optimize-pages':
    case 'verify-files':
      return `${type}-${suffix}`;
  }
}

/** Types that have one row per object: a new run overwrites it. */
export const hasFixedId = (type: BgJobType): boolean => type === 'update-coll-stats' || type === 'postprocess-upload';
