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
  @Of(commaList(), { nullable: true, optional: true }) state?: string[] | null;
  @Str({ nullable: true, optional: true }) firstSeed?: string | null;
  @ListOf(itemId(), { splitsCommas: true, nullable: true, optional: true }) ids?: string[] | null;
  @Str({ nullable: true, optional: true }) sortBy?: string | null;
  /** Only crawls that are active, unless `state` is given. */
  @Bool({ nullable: true }) runningOnly: boolean | null = true;
}

export class WithDependenciesQuery {
  @Bool() withDependencies = false;
}

export class DownloadQuery extends WithDependenciesQuery {
  /** One file is sent as it is. */
  @Bool() preferSingleWACZ = false;
}

export class TagCountsQuery {
  @Bool() onlySuccessful = true;
}

export class QueueQuery {
  @Int() offset!: number;
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
  @Int() total!: number;
  @ListOf(str()) results!: string[];
  @ListOf(str()) matched!: string[];
}

export class CrawlScaleResponse {
  @Bool() scaled!: boolean;
  @Int() browserWindows!: number;
}

export class CrawlScale {
  @Int({ min: 1, max: 4, strict: true, nullable: true, optional: true, deprecated: true }) scale?: number | null;
  @Int({ min: 1, max: 8, strict: true, nullable: true, optional: true }) browserWindows?: number | null;
}

export class DeletedCountResponseQuota {
  @Int() deleted!: number;
  @Bool() storageQuotaReached!: boolean;
}

export class MatchCrawlQueueResponse {
  @Int() total!: number;
  @ListOf(str()) matched!: string[];
  @Int() nextOffset!: number;
}

export class PaginatedSeedResponse {
  @Int() total!: number;
  @Int() page!: number;
  @Int() pageSize!: number;
  @ListOf(() => Seed) items!: Seed[];
}
