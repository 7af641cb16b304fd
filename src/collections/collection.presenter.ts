import { wireTime, wireTimeOrNull, wireSecondOrNull } from '../common/validation/date-time.js';
import { toPublicUserFileOut, toUserFileOut } from '../files/user-file.presenter.js';
import type { Org } from '../orgs/data/org.schema.js';
import type { PageOut } from '../pages/dto/pages.dto.js';
import type { PresignedResource } from '../storage/presigned-files.js';
import { NO_STATS, type Collection, type StoredIndexStats } from './data/collection.schema.js';
import type { CollOut, CollectionThumbnailSource, SharedCollOut } from './dto/collections.dto.js';
import type { DedupeIndexStats } from './dto/dedupe-index.dto.js';
import type { PublicCollOut } from './dto/public-collections.dto.js';

/** The parts of the answer that are not in the document. */
export interface CollectionView {
  /** Absolute URL of the thumbnail, null without one. */
  readonly thumbnailUrl: string | null;
  readonly runningUpdatesCount?: number;
  readonly resources?: PresignedResource[];
  readonly initialPages?: PageOut[];
  readonly pagesQueryUrl?: string;
  readonly downloadUrl?: string | null;
}

const figures = (stored: Collection) => ({
  crawlCount: stored.crawlCount ?? 0,
  pageCount: stored.pageCount ?? 0,
  uniquePageCount: stored.uniquePageCount ?? 0,
  totalSize: stored.totalSize ?? 0,
  dateEarliest: wireTimeOrNull(stored.dateEarliest),
  dateLatest: wireTimeOrNull(stored.dateLatest),
  topPageHosts: (stored.topPageHosts ?? []).map(({ host, count }) => ({ host, count })),
});

/** Converts the stored time to a string, as in all answers. */
const toSource = (stored: Collection): CollectionThumbnailSource | null =>
  stored.thumbnailSource
    ? ({
        url: stored.thumbnailSource.url,
        urlTs: wireTime(stored.thumbnailSource.urlTs),
        urlPageId: stored.thumbnailSource.urlPageId,
      } as unknown as CollectionThumbnailSource)
    : null;

/** The fields that members and strangers see alike. */
const shared = (stored: Collection, view: CollectionView): SharedCollOut => ({
  id: stored._id,
  name: stored.name,
  slug: stored.slug,
  oid: stored.oid,
  description: stored.description ?? null,
  caption: stored.caption ?? null,
  created: wireSecondOrNull(stored.created),
  modified: wireTimeOrNull(stored.modified),
  lastStatsUpdateStarted: wireTimeOrNull(stored.lastStatsUpdateStarted),
  ...figures(stored),
  access: stored.access ?? 'private',
  homeUrl: stored.homeUrl ?? null,
  homeUrlTs: wireTimeOrNull(stored.homeUrlTs),
  thumbnailSource: toSource(stored),
  defaultThumbnailName: stored.defaultThumbnailName ?? null,
  allowPublicDownload: stored.allowPublicDownload ?? true,
  resources: view.resources ?? [],
  runningUpdatesCount: view.runningUpdatesCount ?? 0,
});

function toIndexStats(stored: StoredIndexStats | null | undefined): DedupeIndexStats | null {
  if (!stored) return null;
  const known = Object.keys(NO_STATS) as (keyof DedupeIndexStats)[];
  return Object.fromEntries(known.map((key) => [key, stored[key] ?? 0])) as unknown as DedupeIndexStats;
}

/** A collection as members of its org see it. Contract: archive §7. */
export function toCollOut(stored: Collection, view: CollectionView): CollOut {
  const { thumbnail } = stored;
  // Assigned in place: a copy of so many fields into a further object costs five times as much.
  return Object.assign(shared(stored, view), {
    tags: stored.tags ?? [],
    homeUrlPageId: stored.homeUrlPageId ?? null,
    thumbnail: thumbnail && view.thumbnailUrl !== null ? toUserFileOut(thumbnail, view.thumbnailUrl) : null,
    initialPages: view.initialPages ?? [],
    preloadResources: (stored.preloadResources ?? []).map(({ name, crawlId }) => ({ name, crawlId })),
    pagesQueryUrl: view.pagesQueryUrl ?? '',
    downloadUrl: view.downloadUrl ?? null,
    indexLastSavedAt: wireTimeOrNull(stored.indexLastSavedAt),
    // The web client does not know `saved`, and it shows nothing of a collection whose state it does not know.
    indexState: stored.indexState === 'saved' ? 'saving' : (stored.indexState ?? null),
    indexStats: toIndexStats(stored.indexStats),
  });
}

/** A collection as anyone may see it: no tags, no ids of pages. Contract: archive §7.1. */
export function toPublicCollOut(stored: Collection, org: Org, view: CollectionView): PublicCollOut {
  const { thumbnail } = stored;
  return {
    ...shared(stored, view),
    orgName: org.name,
    orgPublicProfile: org.enablePublicProfile ?? false,
    thumbnail: thumbnail && view.thumbnailUrl !== null ? toPublicUserFileOut(thumbnail, view.thumbnailUrl) : null,
  };
}
