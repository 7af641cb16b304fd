import { PageQuery } from '../../common/pagination/page.js';
import { commaList, enumOf, list, nullable } from '../../common/validation/composites.js';
import { itemId, uuid } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';
import { bool, int, str } from '../../common/validation/scalars.js';
import { LIST_FILTER_TYPES, type ListFilterType } from '../../profiles/dto/list-filter-type.js';

export class OrgPath {
  @Field(uuid()) oid!: string;
}

export class CrawlPath {
  @Field(itemId()) crawl_id!: string;
  @Field(uuid()) oid!: string;
}

export class AnyCrawlPath {
  @Field(itemId()) crawl_id!: string;
}

export class CrawlsQuery extends PageQuery {
  /** Who started the crawl. */
  @Field(nullable(uuid()), { optional: true }) userid?: string | null;
  /** Workflow. */
  @Field(nullable(uuid()), { optional: true }) cid?: string | null;
  @Field(nullable(list(str(), { splitsCommas: true })), { optional: true }) state?: string[] | null;
  @Field(nullable(str()), { optional: true }) firstSeed?: string | null;
  @Field(nullable(str()), { optional: true }) name?: string | null;
  @Field(nullable(str()), { optional: true }) description?: string | null;
  @Field(nullable(list(str())), { optional: true }) tags?: string[] | null;
  @Field(nullable(enumOf('ListFilterType', LIST_FILTER_TYPES)), { default: 'and' }) tagMatch!: ListFilterType | null;
  @Field(nullable(uuid()), { optional: true }) collectionId?: string | null;
  @Field(nullable(uuid()), { optional: true }) dedupeCollId?: string | null;
  @Field(nullable(list(itemId(), { splitsCommas: true })), { optional: true }) requiresCrawls?: string[] | null;
  @Field(nullable(list(itemId(), { splitsCommas: true })), { optional: true }) requiredByCrawls?: string[] | null;
  @Field(nullable(bool()), { optional: true }) hasRequiresCrawls?: boolean | null;
  @Field(nullable(bool()), { optional: true }) hasRequiredByCrawls?: boolean | null;
  @Field(nullable(list(itemId(), { splitsCommas: true })), { optional: true }) ids?: string[] | null;
  @Field(nullable(str()), { optional: true }) sortBy?: string | null;
  @Field(int(), { default: -1 }) sortDirection!: number;
}

export class AcrossOrgsQuery extends PageQuery {
  @Field(nullable(uuid()), { optional: true }) userid?: string | null;
  @Field(nullable(uuid()), { optional: true }) cid?: string | null;
  @Field(nullable(commaList()), { optional: true }) state?: string[] | null;
  @Field(nullable(str()), { optional: true }) firstSeed?: string | null;
  @Field(nullable(str()), { optional: true }) name?: string | null;
  @Field(nullable(str()), { optional: true }) description?: string | null;
  @Field(nullable(uuid()), { optional: true }) collectionId?: string | null;
  @Field(nullable(list(itemId(), { splitsCommas: true })), { optional: true }) ids?: string[] | null;
  @Field(nullable(str()), { optional: true }) sortBy?: string | null;
  @Field(int(), { default: -1 }) sortDirection!: number;
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
