import { PageQuery } from '../../common/pagination/page.js';
import { commaList } from '../../common/validation/composites.js';
import { Of, Str, Int, Bool, Uuid, ItemId, ListOf } from '../../common/validation/fields.js';
import { itemId } from '../../common/validation/formats.js';
import { str } from '../../common/validation/scalars.js';
import { Seed } from '../../items/dto/crawl-config.dto.js';
import { ItemFilters, SharedItemFilters } from '../../items/dto/item-queries.dto.js';

export class AnyCrawlPath {
  @ItemId() crawl_id!: string;
}

export class CrawlsQuery extends ItemFilters {
  @Str({ nullable: true, optional: true }) sortBy?: string | null;
}

export class AcrossOrgsQuery extends SharedItemFilters {
  /** Workflow. */
  @Uuid({ nullable: true, optional: true }) cid?: string | null;
  /** States, comma-separated. */
  @Of(commaList(), { nullable: true, optional: true }) state?: string[] | null;
  @Str({ nullable: true, optional: true }) firstSeed?: string | null;
  /** Ids of crawls; only these. */
  @ListOf(itemId(), { splitsCommas: true, nullable: true, optional: true }) ids?: string[] | null;
  @Str({ nullable: true, optional: true }) sortBy?: string | null;
  /** Only crawls that are active, unless `state` is given. */
  @Bool({ nullable: true }) runningOnly: boolean | null = true;
}

export class WithDependenciesQuery {
  /** Whether to add the files of items to whose records this one refers. */
  @Bool() withDependencies = false;
}

export class DownloadQuery extends WithDependenciesQuery {
  /** One file is sent as it is. */
  @Bool() preferSingleWACZ = false;
}

export class TagCountsQuery {
  /** Whether only crawls in a successful state count. */
  @Bool() onlySuccessful = true;
}

export class QueueQuery {
  @Int() offset!: number;
  /** Number of entries of the queue. */
  @Int() count!: number;
  @Str() regex = '';
}

export class MatchAllQuery {
  @Str() regex!: string;
  @Int() offset = 0;
}

export class LogsQuery {
  /** Comma-separated. */
  @Str({ nullable: true, optional: true }) logLevel?: string | null;
  /** Comma-separated. */
  @Str({ nullable: true, optional: true }) context?: string | null;
}

export class LogLinesQuery extends PageQuery {
  @Str() sortBy = 'timestamp';
  @Int() sortDirection = 1;
}

export class CrawlQueueResponse {
  /** Number of URLs in the queue. */
  @Int() total!: number;
  /** URLs of the queue, in their order. */
  @ListOf(str()) results!: string[];
  @ListOf(str()) matched!: string[];
}

export class CrawlScaleResponse {
  /** Whether the number was taken. */
  @Bool() scaled!: boolean;
  @Int() browserWindows!: number;
}

export class CrawlScale {
  /** Number of crawler instances; `browserWindows` has taken its place. */
  @Int({ min: 1, max: 4, strict: true, nullable: true, optional: true, deprecated: true }) scale?: number | null;
  @Int({ min: 1, max: 8, strict: true, nullable: true, optional: true }) browserWindows?: number | null;
}

export class DeletedCountResponseQuota {
  /** Number of what was deleted. */
  @Int() deleted!: number;
  @Bool() storageQuotaReached!: boolean;
  /** After a takedown (`retain: false`): the items that refer to the files which are gone. This field is ours. */
  @ListOf(str(), { optional: true }) brokenItems?: string[];
}

export class MatchCrawlQueueResponse {
  /** Number of URLs in the queue. */
  @Int() total!: number;
  @ListOf(str()) matched!: string[];
  /** Where to go on; -1: that was all. */
  @Int() nextOffset!: number;
}

export class PaginatedSeedResponse {
  @Int() total!: number;
  @Int() page!: number;
  @Int() pageSize!: number;
  @ListOf(() => Seed) items!: Seed[];
}
