import { enumOf, list, literal, model, nullable } from '../../common/validation/composites.js';
import { dateTime, uuid } from '../../common/validation/formats.js';
import { bool, int, str } from '../../common/validation/scalars.js';
import { COLL_ACCESS_TYPES, type CollAccessType } from './coll-access-type.js';
import { CollectionThumbnailSource } from './collection-thumbnail-source.dto.js';
import { DedupeIndexStats } from './dedupe-index-stats.dto.js';
import { HostCount } from './host-count.dto.js';
import { PreloadResource } from './preload-resource.dto.js';
import { UserFileOut } from './user-file-out.dto.js';
import { CrawlFileOut } from '../../items/dto/crawl-file-out.dto.js';
import { PageOut } from '../../pages/dto/page-out.dto.js';
import { Field } from '../../common/validation/model.js';

export class CollOut {
  @Field(uuid()) id!: string;
  @Field(str()) name!: string;
  @Field(str()) slug!: string;
  @Field(uuid()) oid!: string;
  @Field(nullable(str()), { default: null }) description!: string | null;
  @Field(nullable(str()), { default: null }) caption!: string | null;
  @Field(nullable(dateTime()), { default: null }) created!: string | null;
  @Field(nullable(dateTime()), { default: null }) modified!: string | null;
  @Field(nullable(dateTime()), { default: null }) lastStatsUpdateStarted!: string | null;
  @Field(nullable(int()), { default: 0 }) crawlCount!: number | null;
  @Field(nullable(int()), { default: 0 }) pageCount!: number | null;
  @Field(nullable(int()), { default: 0 }) uniquePageCount!: number | null;
  @Field(nullable(int()), { default: 0 }) totalSize!: number | null;
  @Field(nullable(dateTime()), { default: null }) dateEarliest!: string | null;
  @Field(nullable(dateTime()), { default: null }) dateLatest!: string | null;
  @Field(nullable(list(str())), { default: [] }) tags!: string[] | null;
  @Field(enumOf('CollAccessType', COLL_ACCESS_TYPES), { default: 'private' }) access!: CollAccessType;
  @Field(nullable(str()), { default: null }) homeUrl!: string | null;
  @Field(nullable(dateTime()), { default: null }) homeUrlTs!: string | null;
  @Field(nullable(uuid()), { default: null }) homeUrlPageId!: string | null;
  @Field(list(model(() => CrawlFileOut)), { default: [] }) resources!: CrawlFileOut[];
  @Field(nullable(model(() => UserFileOut)), { default: null }) thumbnail!: UserFileOut | null;
  @Field(nullable(model(() => CollectionThumbnailSource)), { default: null })
  thumbnailSource!: CollectionThumbnailSource | null;
  @Field(nullable(str()), { default: null }) defaultThumbnailName!: string | null;
  @Field(bool(), { default: true }) allowPublicDownload!: boolean;
  @Field(list(model(() => PageOut)), { default: [] }) initialPages!: PageOut[];
  @Field(list(model(() => PreloadResource)), { default: [] }) preloadResources!: PreloadResource[];
  @Field(str(), { default: '' }) pagesQueryUrl!: string;
  @Field(nullable(str()), { default: null }) downloadUrl!: string | null;
  @Field(list(model(() => HostCount)), { default: [] }) topPageHosts!: HostCount[];
  @Field(nullable(dateTime()), { default: null }) indexLastSavedAt!: string | null;
  @Field(nullable(literal('initing', 'importing', 'ready', 'purging', 'idle', 'saving', 'saved', 'crawling')), {
    default: null,
  })
  indexState!: 'initing' | 'importing' | 'ready' | 'purging' | 'idle' | 'saving' | 'saved' | 'crawling' | null;
  @Field(nullable(model(() => DedupeIndexStats)), { default: null }) indexStats!: DedupeIndexStats | null;
  @Field(int(), { default: 0 }) runningUpdatesCount!: number;
}
