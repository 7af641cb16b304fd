import { enumOf, list, model, nullable } from '../../common/validation/composites.js';
import { dateTime, uuid } from '../../common/validation/formats.js';
import { bool, int, str } from '../../common/validation/scalars.js';
import { COLL_ACCESS_TYPES, type CollAccessType } from './coll-access-type.js';
import { CollectionThumbnailSource } from './collection-thumbnail-source.dto.js';
import { HostCount } from './host-count.dto.js';
import { PublicUserFileOut } from './public-user-file-out.dto.js';
import { CrawlFileOut } from '../../items/dto/crawl-file-out.dto.js';
import { Field } from '../../common/validation/model.js';

export class PublicCollOut {
  @Field(uuid()) id!: string;
  @Field(str()) name!: string;
  @Field(str()) slug!: string;
  @Field(uuid()) oid!: string;
  @Field(str()) orgName!: string;
  @Field(bool()) orgPublicProfile!: boolean;
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
  @Field(enumOf('CollAccessType', COLL_ACCESS_TYPES), { default: 'public' }) access!: CollAccessType;
  @Field(nullable(str()), { default: null }) homeUrl!: string | null;
  @Field(nullable(dateTime()), { default: null }) homeUrlTs!: string | null;
  @Field(list(model(() => CrawlFileOut)), { default: [] }) resources!: CrawlFileOut[];
  @Field(nullable(model(() => PublicUserFileOut)), { default: null }) thumbnail!: PublicUserFileOut | null;
  @Field(nullable(model(() => CollectionThumbnailSource)), { default: null })
  thumbnailSource!: CollectionThumbnailSource | null;
  @Field(nullable(str()), { default: null }) defaultThumbnailName!: string | null;
  @Field(bool(), { default: true }) allowPublicDownload!: boolean;
  @Field(list(model(() => HostCount)), { default: [] }) topPageHosts!: HostCount[];
  @Field(int(), { default: 0 }) runningUpdatesCount!: number;
}
