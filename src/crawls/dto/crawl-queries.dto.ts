import { PageQuery } from '../../common/pagination/page.js';
import { commaList, list, nullable } from '../../common/validation/composites.js';
import { itemId, uuid } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';
import { bool, int, str } from '../../common/validation/scalars.js';
import { ItemFilters, SharedItemFilters } from '../../items/dto/item-filters.dto.js';

export class CrawlPath {
  @Field(itemId()) crawl_id!: string;
  @Field(uuid()) oid!: string;
}

export class AnyCrawlPath {
  @Field(itemId()) crawl_id!: string;
}

export class CrawlsQuery extends ItemFilters {
  @Field(nullable(str()), { optional: true }) sortBy?: string | null;
}

export class AcrossOrgsQuery extends SharedItemFilters {
  /** Workflow. */
  @Field(nullable(uuid()), { optional: true }) cid?: string | null;
  @Field(nullable(commaList()), { optional: true }) state?: string[] | null;
  @Field(nullable(str()), { optional: true }) firstSeed?: string | null;
  @Field(nullable(list(itemId(), { splitsCommas: true })), { optional: true }) ids?: string[] | null;
  @Field(nullable(str()), { optional: true }) sortBy?: string | null;
  /** Only crawls that are active, unless `state` is given. */
  @Field(nullable(bool()), { default: true }) runningOnly!: boolean | null;
}

export class WithDependenciesQuery {
  @Field(bool(), { default: false }) withDependencies!: boolean;
}

export class DownloadQuery extends WithDependenciesQuery {
  /** One file is sent as it is. */
  @Field(bool(), { default: false }) preferSingleWACZ!: boolean;
}

export class TagCountsQuery {
  @Field(bool(), { default: true }) onlySuccessful!: boolean;
}

export class QueueQuery {
  @Field(int()) offset!: number;
  @Field(int()) count!: number;
  @Field(str(), { default: '' }) regex!: string;
}

export class MatchAllQuery {
  @Field(str()) regex!: string;
  @Field(int(), { default: 0 }) offset!: number;
}

export class LogsQuery {
  /** Comma-separated. */
  @Field(nullable(str()), { optional: true }) logLevel?: string | null;
  /** Comma-separated. */
  @Field(nullable(str()), { optional: true }) context?: string | null;
}

export class LogLinesQuery extends PageQuery {
  @Field(str(), { default: 'timestamp' }) sortBy!: string;
  @Field(int(), { default: 1 }) sortDirection!: number;
}
