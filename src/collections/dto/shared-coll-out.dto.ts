import { Str, Int, Bool, Uuid, TimeText, Enum, ListOf, Nested } from '../../common/validation/fields.js';
import { CrawlFileOut } from '../../items/dto/crawl-file-out.dto.js';
import { COLL_ACCESS_TYPES, type CollAccessType } from './coll-access-type.js';
import { CollectionThumbnailSource } from './collection-thumbnail-source.dto.js';
import { HostCount } from './host-count.dto.js';

/** What members of the org and strangers are shown of a collection alike. */
export class SharedCollOut {
  @Uuid() id!: string;
  @Str() name!: string;
  /** Names the collection in the URL of its public page. */
  @Str() slug!: string;
  @Uuid() oid!: string;
  @Str({ nullable: true }) description: string | null = null;
  @Str({ nullable: true }) caption: string | null = null;
  @TimeText({ nullable: true }) created: string | null = null;
  @TimeText({ nullable: true }) modified: string | null = null;
  /** When the figures below were last counted. */
  @TimeText({ nullable: true }) lastStatsUpdateStarted: string | null = null;
  /** Items, crawls and uploads. */
  @Int({ nullable: true }) crawlCount: number | null = 0;
  @Int({ nullable: true }) pageCount: number | null = 0;
  /** Different URLs among the pages. */
  @Int({ nullable: true }) uniquePageCount: number | null = 0;
  /** Bytes of the items' files. */
  @Int({ nullable: true }) totalSize: number | null = 0;
  /** Time of its oldest page. */
  @TimeText({ nullable: true }) dateEarliest: string | null = null;
  @TimeText({ nullable: true }) dateLatest: string | null = null;
  @Enum('CollAccessType', COLL_ACCESS_TYPES) access: CollAccessType = 'private';
  /** Page that replay opens with; null: a list of pages. */
  @Str({ nullable: true }) homeUrl: string | null = null;
  @TimeText({ nullable: true }) homeUrlTs: string | null = null;
  @ListOf(() => CrawlFileOut) resources: CrawlFileOut[] = [];
  @Nested(() => CollectionThumbnailSource, { nullable: true })
  thumbnailSource: CollectionThumbnailSource | null = null;
  /** One of the web client's own pictures. */
  @Str({ nullable: true }) defaultThumbnailName: string | null = null;
  @Bool() allowPublicDownload = true;
  /** The hosts with the most pages. */
  @ListOf(() => HostCount) topPageHosts: HostCount[] = [];
  /** Crawls under way that will be added. */
  @Int() runningUpdatesCount = 0;
}
