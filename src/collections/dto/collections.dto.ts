import {
  Str,
  Bool,
  Uuid,
  Enum,
  ListOf,
  DateTime,
  HttpUrlText,
  Int,
  TimeText,
  Nested,
  OneOf,
} from '../../common/validation/fields.js';
import { itemId, uuid } from '../../common/validation/formats.js';
import { str } from '../../common/validation/scalars.js';
import { UserFileOut } from '../../files/dto/files.dto.js';
import { CrawlFileOut } from '../../items/dto/items.dto.js';
import { PageOut } from '../../pages/dto/pages.dto.js';
import { type CollectionAccess, COLL_ACCESS_TYPES, INDEX_STATES, type IndexState } from '../data/collection.schema.js';
import { DedupeIndexStats } from './dedupe-index.dto.js';

export class AddedResponseIdName {
  @Bool() added!: boolean;
  @Uuid() id!: string;
  @Str() name!: string;
}

export type CollAccessType = CollectionAccess;

export class CollIn {
  @Str({ min: 1, max: 80 }) name!: string;
  @Str({ min: 1, max: 80, nullable: true, optional: true }) slug?: string | null;
  @Str({ max: 5000, nullable: true, optional: true }) description?: string | null;
  @Str({ max: 1000, nullable: true, optional: true }) caption?: string | null;
  @ListOf(itemId(), { nullable: true }) crawlIds: string[] | null = [];
  @Enum('CollAccessType', COLL_ACCESS_TYPES) access: CollAccessType = 'private';
  @Str({ nullable: true, optional: true }) defaultThumbnailName?: string | null;
  @Bool() allowPublicDownload = true;
  @Bool() hasDedupeIndex = false;
}

export class PreloadResource {
  /** Name of the file. */
  @Str() name!: string;
  @Str() crawlId!: string;
}

export class CollectionThumbnailSource {
  @HttpUrlText() url!: string;
  /** Time of the capture. */
  @DateTime() urlTs!: Date;
  /** Id of the page. */
  @Uuid() urlPageId!: string;
}

export class HostCount {
  /** Name of the host, without the scheme. */
  @Str() host!: string;
  /** Number of pages of the host. */
  @Int() count!: number;
}

/** The fields of a collection that members of the org and strangers see alike. */
export class SharedCollOut {
  @Uuid() id!: string;
  @Str() name!: string;
  /** Name of the collection in the URL of its public page. */
  @Str() slug!: string;
  @Uuid() oid!: string;
  @Str({ nullable: true }) description: string | null = null;
  @Str({ nullable: true }) caption: string | null = null;
  @TimeText({ nullable: true }) created: string | null = null;
  @TimeText({ nullable: true }) modified: string | null = null;
  /** When the figures below were last counted. */
  @TimeText({ nullable: true }) lastStatsUpdateStarted: string | null = null;
  /** Number of items: crawls and uploads. */
  @Int({ nullable: true }) crawlCount: number | null = 0;
  @Int({ nullable: true }) pageCount: number | null = 0;
  /** Number of different URLs among the pages. */
  @Int({ nullable: true }) uniquePageCount: number | null = 0;
  /** Size of the items' files, bytes. */
  @Int({ nullable: true }) totalSize: number | null = 0;
  /** Time of the oldest page. */
  @TimeText({ nullable: true }) dateEarliest: string | null = null;
  /** Time of the latest page. */
  @TimeText({ nullable: true }) dateLatest: string | null = null;
  @Enum('CollAccessType', COLL_ACCESS_TYPES) access: CollAccessType = 'private';
  /** URL of the page that replay opens with; null: replay opens with a list of pages. */
  @Str({ nullable: true }) homeUrl: string | null = null;
  /** Time of the capture that the collection opens with. */
  @TimeText({ nullable: true }) homeUrlTs: string | null = null;
  @ListOf(() => CrawlFileOut) resources: CrawlFileOut[] = [];
  @Nested(() => CollectionThumbnailSource, { nullable: true })
  thumbnailSource: CollectionThumbnailSource | null = null;
  /** Name of one of the web client's own pictures. */
  @Str({ nullable: true }) defaultThumbnailName: string | null = null;
  @Bool() allowPublicDownload = true;
  /** The hosts with the most pages. */
  @ListOf(() => HostCount) topPageHosts: HostCount[] = [];
  /** Number of running crawls that will be added. */
  @Int() runningUpdatesCount = 0;
}

/** A collection as members of its org see it. */
export class CollOut extends SharedCollOut {
  @ListOf(str(), { nullable: true }) tags: string[] | null = [];
  /** Id of the page that the collection opens with. */
  @Uuid({ nullable: true }) homeUrlPageId: string | null = null;
  @Nested(() => UserFileOut, { nullable: true }) thumbnail: UserFileOut | null = null;
  /** The pages that the player shows first. */
  @ListOf(() => PageOut) initialPages: PageOut[] = [];
  /** Files that the player loads before others. */
  @ListOf(() => PreloadResource) preloadResources: PreloadResource[] = [];
  /** URL where the player looks for the other pages. */
  @Str() pagesQueryUrl = '';
  @Str({ nullable: true }) downloadUrl: string | null = null;
  /** When the dedupe index was last stored. */
  @TimeText({ nullable: true }) indexLastSavedAt: string | null = null;
  /** State of the dedupe index; null: the collection has none. */
  @OneOf([...INDEX_STATES], { nullable: true }) indexState: IndexState | null = null;
  /** Figures of the dedupe index. */
  @Nested(() => DedupeIndexStats, { nullable: true }) indexStats: DedupeIndexStats | null = null;
}

export class CollectionAddRemove {
  @ListOf(itemId()) crawlIds: string[] = [];
  /** Ids of workflows, for all of their successful crawls. */
  @ListOf(uuid()) crawlconfigIds: string[] = [];
}

export class CollectionAllResponse {
  /** Files of every item of the org. */
  @ListOf(() => CrawlFileOut) resources: CrawlFileOut[] = [];
}

export class CollectionSearchValuesResponse {
  @ListOf(str()) names!: string[];
}

export class PaginatedCollOutResponse {
  @Int() total!: number;
  @Int() page!: number;
  @Int() pageSize!: number;
  @ListOf(() => CollOut) items!: CollOut[];
}

export class ResourcesOnly {
  @ListOf(() => CrawlFileOut, { nullable: true }) resources: CrawlFileOut[] | null = [];
}

export class UpdateCollHomeUrl {
  /** Id of the page that the collection opens with; null: none. */
  @Uuid({ nullable: true, optional: true }) pageId?: string | null;
}

export class UpdateColl {
  @Str({ min: 1, max: 80, nullable: true, optional: true }) name?: string | null;
  @Str({ min: 1, max: 80, nullable: true, optional: true }) slug?: string | null;
  @Str({ max: 5000, nullable: true, optional: true }) description?: string | null;
  @Str({ max: 1000, nullable: true, optional: true }) caption?: string | null;
  @Enum('CollAccessType', COLL_ACCESS_TYPES, { nullable: true, optional: true }) access?: CollAccessType | null;
  @Str({ nullable: true, optional: true }) defaultThumbnailName?: string | null;
  @Bool({ nullable: true, optional: true }) allowPublicDownload?: boolean | null;
  @Nested(() => CollectionThumbnailSource, { nullable: true, optional: true })
  thumbnailSource?: CollectionThumbnailSource | null;
  @Bool({ nullable: true, optional: true }) hasDedupeIndex?: boolean | null;
}
