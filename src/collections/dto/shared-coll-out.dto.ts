import { enumOf, list, model, nullable } from '../../common/validation/composites.js';
import { dateTime, uuid } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';
import { bool, int, str } from '../../common/validation/scalars.js';
import { CrawlFileOut } from '../../items/dto/crawl-file-out.dto.js';
import { COLL_ACCESS_TYPES, type CollAccessType } from './coll-access-type.js';
import { CollectionThumbnailSource } from './collection-thumbnail-source.dto.js';
import { HostCount } from './host-count.dto.js';

/** What members of the org and strangers are shown of a collection alike. */
export class SharedCollOut {
  @Field(uuid()) id!: string;
  @Field(str()) name!: string;
  /** Names the collection in the URL of its public page. */
  @Field(str()) slug!: string;
  @Field(uuid()) oid!: string;
  @Field(nullable(str()), { default: null }) description!: string | null;
  @Field(nullable(str()), { default: null }) caption!: string | null;
  @Field(nullable(dateTime()), { default: null }) created!: string | null;
  @Field(nullable(dateTime()), { default: null }) modified!: string | null;
  /** When the figures below were last counted. */
  @Field(nullable(dateTime()), { default: null }) lastStatsUpdateStarted!: string | null;
  /** Items, crawls and uploads. */
  @Field(nullable(int()), { default: 0 }) crawlCount!: number | null;
  @Field(nullable(int()), { default: 0 }) pageCount!: number | null;
  /** Different URLs among the pages. */
  @Field(nullable(int()), { default: 0 }) uniquePageCount!: number | null;
  /** Bytes of the items' files. */
  @Field(nullable(int()), { default: 0 }) totalSize!: number | null;
  /** Time of its oldest page. */
  @Field(nullable(dateTime()), { default: null }) dateEarliest!: string | null;
  @Field(nullable(dateTime()), { default: null }) dateLatest!: string | null;
  @Field(enumOf('CollAccessType', COLL_ACCESS_TYPES), { default: 'private' }) access!: CollAccessType;
  /** Page that replay opens with; null: a list of pages. */
  @Field(nullable(str()), { default: null }) homeUrl!: string | null;
  @Field(nullable(dateTime()), { default: null }) homeUrlTs!: string | null;
  @Field(list(model(() => CrawlFileOut)), { default: [] }) resources!: CrawlFileOut[];
  @Field(nullable(model(() => CollectionThumbnailSource)), { default: null })
  thumbnailSource!: CollectionThumbnailSource | null;
  /** One of the web client's own pictures. */
  @Field(nullable(str()), { default: null }) defaultThumbnailName!: string | null;
  @Field(bool(), { default: true }) allowPublicDownload!: boolean;
  /** The hosts with the most pages. */
  @Field(list(model(() => HostCount)), { default: [] }) topPageHosts!: HostCount[];
  /** Crawls under way that will be added. */
  @Field(int(), { default: 0 }) runningUpdatesCount!: number;
}
