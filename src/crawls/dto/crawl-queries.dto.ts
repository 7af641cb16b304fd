import { PageQuery } from '../../common/pagination/page.js';
import { commaList } from '../../common/validation/composites.js';
import { Of, Str, Int, Bool, Uuid, ItemId, ListOf } from '../../common/validation/fields.js';
import { itemId } from '../../common/validation/formats.js';
import { ItemFilters, SharedItemFilters } from '../../items/dto/item-filters.dto.js';

export class CrawlPath {
  @ItemId() crawl_id!: string;
  @Uuid() oid!: string;
}

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
