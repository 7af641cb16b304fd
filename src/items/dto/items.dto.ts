import { anyOf } from '../../common/validation/composites.js';
import { Str, Uuid, Int, Bool, Nested, ListOf, TimeText, OneOf } from '../../common/validation/fields.js';
import { uuid, itemId } from '../../common/validation/formats.js';
import { str } from '../../common/validation/scalars.js';
import { PageOut } from '../../pages/dto/pages.dto.js';
import { RawCrawlConfig } from './crawl-config.dto.js';
import { FileVerification, ItemFixity } from './fixity.dto.js';

export class CollIdName {
  @Uuid() id!: string;
  @Str() name!: string;
}

export class CrawlDedupeStats {
  @Int() uniqueHashes = 0;
  @Int() totalUrls = 0;
  @Int() dupeUrls = 0;
  @Int() conservedSize = 0;
}

export class CrawlFileOut {
  /** Name of the file. */
  @Str() name!: string;
  @Str() path!: string;
  @Str() hash!: string;
  @Int() size!: number;
  @Str({ nullable: true }) crawlId: string | null = null;
  /** Number of copies in other storages. */
  @Int() numReplicas = 0;
  /** When the URL ends. */
  @Str({ nullable: true }) expireAt: string | null = null;
  /** Whether the file is of an item to which this one refers. */
  @Bool() fromDependency = false;
  /** The client's name of an uploaded file. For a WACZ made from an uploaded WARC it is the name of that WARC. */
  @Str({ optional: true }) originalFilename?: string;
  /** Result of checking an uploaded WACZ against what it says of itself. */
  @Nested(() => FileVerification, { optional: true }) verification?: FileVerification;
}

export class CrawlStats {
  /** Pages that were found. */
  @Int() found = 0;
  /** Pages that were visited. */
  @Int() done = 0;
  @Int() size = 0;
  /** Ids of items to whose records the crawl refers. */
  @ListOf(str()) req_crawls: string[] = [];
}

/** A crawl or an upload as lists show it. Contract: crawling §5.2. */
export class CrawlOut {
  @Str() id!: string;
  @OneOf(['crawl', 'upload']) type!: 'crawl' | 'upload';
  /** Who started the crawl or sent the upload. */
  @Uuid() userid!: string;
  @Str({ nullable: true }) userName: string | null = null;
  @Uuid() oid!: string;
  /** Id of the browser profile. */
  @Uuid({ nullable: true }) profileid: string | null = null;
  @Str({ nullable: true }) name: string | null = null;
  @Str({ nullable: true }) description: string | null = null;
  @TimeText() started!: string;
  @TimeText({ nullable: true }) finished: string | null = null;
  /** State of the item: `starting`, `running`, `complete`, `failed`, … */
  @Str() state!: string;
  /**
   * Why a crawl waits, in words, with the setting or quota that holds it. It is null while the crawl does not wait.
   * This field is ours.
   */
  @Str({ nullable: true }) stateReason: string | null = null;
  @Nested(() => CrawlStats, { nullable: true }) stats: CrawlStats | null = null;
  /** Bytes of the stored files. */
  @Int() fileSize = 0;
  @Int() fileCount = 0;
  /** Bytes that a crawl has collected and that are not yet registered as files. */
  @Int() pendingSize = 0;
  /** Bytes of the item's files and of those of the items that it requires. It is null unless these were asked for. */
  @Int({ nullable: true }) fileSizeWithDeps: number | null = null;
  @ListOf(str(), { nullable: true }) tags: string[] | null = [];
  /** The collection against which the crawl was deduplicated. */
  @Uuid({ nullable: true }) dedupeCollId: string | null = null;
  @ListOf(uuid(), { nullable: true }) collectionIds: string[] | null = [];
  /** Seconds that the crawler instances ran, added up. */
  @Int() crawlExecSeconds = 0;
  /** Seconds that the instances of the QA runs ran, added up. */
  @Int() qaCrawlExecSeconds = 0;
  /** The config is not in lists. Its seeds have a list of their own. */
  @Nested(() => RawCrawlConfig, { nullable: true }) config: RawCrawlConfig | null = null;
  /** Id of the workflow; null for uploads. */
  @Uuid({ nullable: true }) cid: string | null = null;
  @Str({ nullable: true }) firstSeed: string | null = null;
  @Int({ nullable: true }) seedCount: number | null = null;
  /** Name of the profile; empty when the profile is gone. */
  @Str({ nullable: true }) profileName: string | null = null;
  /** Whether the crawl was told to stop. */
  @Bool({ nullable: true }) stopping: boolean | null = false;
  /** Whether the crawl was told to pause. */
  @Bool({ nullable: true }) shouldPause: boolean | null = false;
  /** When the crawl was paused; null: it is not. */
  @TimeText({ nullable: true }) pausedAt: string | null = null;
  /** Since when a site limits the crawl; null: none does. */
  @TimeText({ nullable: true }) rateLimitedAt: string | null = null;
  /** Whether a person started the crawl, not the schedule. */
  @Bool() manual = false;
  /** The workflow's revision when the crawl started. */
  @Int({ nullable: true }) cid_rev: number | null = null;
  /** Number of crawler instances. */
  @Int({ min: 1, max: 4, nullable: true, deprecated: true }) scale: number | null = null;
  @Int({ min: 1, max: 8 }) browserWindows = 2;
  @Bool({ nullable: true }) storageQuotaReached: boolean | null = false;
  @Bool({ nullable: true }) execMinutesQuotaReached: boolean | null = false;
  @Str() crawlerChannel = 'default';
  @Str({ nullable: true }) proxyId: string | null = null;
  @Str({ nullable: true }) image: string | null = null;
  /** 1 (bad) to 5 (excellent). */
  @Int({ min: 1, max: 5, nullable: true }) reviewStatus: number | null = null;
  /** Number of QA runs. */
  @Int() qaRunCount = 0;
  /** Progress of the QA run that is under way; null: none is. */
  @Nested(() => CrawlStats, { nullable: true }) activeQAStats: CrawlStats | null = null;
  /** State of the last QA run. */
  @Str({ nullable: true }) lastQAState: string | null = null;
  /** Start of the last QA run. */
  @TimeText({ nullable: true }) lastQAStarted: string | null = null;
  @Int({ nullable: true }) pageCount: number | null = 0;
  /** Number of different URLs among the pages. */
  @Int({ nullable: true }) uniquePageCount: number | null = 0;
  /** Number of pages that are no HTML: files. */
  @Int({ nullable: true }) filePageCount: number | null = 0;
  /** Number of pages that failed. */
  @Int({ nullable: true }) errorPageCount: number | null = 0;
  /** Version 2 has its pages in the database, version 1 in its files alone. */
  @Int({ nullable: true }) version: number | null = 1;
  /** Empty; errors have a list of their own. */
  @ListOf(str(), { nullable: true, deprecated: true }) errors: string[] | null = [];
  /** Empty; they have a list of their own. */
  @ListOf(str(), { nullable: true, deprecated: true }) behaviorLogs: string[] | null = [];
  /** Ids of the items to whose records this one refers. */
  @ListOf(str(), { nullable: true }) requiresCrawls: string[] | null = [];
  @ListOf(str(), { nullable: true }) requiredByCrawls: string[] | null = [];
  /** Those of `requiresCrawls` that are gone. It is null unless dependencies were asked for. */
  @ListOf(str(), { nullable: true }) missingRequiresCrawls: string[] | null = null;
  /** What deduplication did; null: it was off. */
  @Nested(() => CrawlDedupeStats, { nullable: true }) dedupeStats: CrawlDedupeStats | null = null;
  /** When the files were last verified. This field is ours. */
  @Nested(() => ItemFixity, { nullable: true }) fixity: ItemFixity | null = null;
}

/** An item with all that the player needs. */
export class CrawlOutWithResources extends CrawlOut {
  /** The item's files. Files of the items that it requires follow where they were asked for. */
  @ListOf(() => CrawlFileOut, { nullable: true }) resources: CrawlFileOut[] | null = [];
  @ListOf(() => CollIdName, { nullable: true }) collections: CollIdName[] | null = [];
  /** The pages that the player shows first. */
  @ListOf(() => PageOut) initialPages: PageOut[] = [];
  /** The URL at which the player finds the other pages. */
  @Str() pagesQueryUrl = '';
  @Str({ nullable: true }) downloadUrl: string | null = null;
}

export class CrawlSearchValuesResponse {
  @ListOf(str()) ids!: string[];
  @ListOf(str()) names!: string[];
  @ListOf(str()) descriptions!: string[];
  @ListOf(str()) firstSeeds!: string[];
}

export class DeleteCrawlList {
  /** Ids of the items. */
  @ListOf(itemId()) crawl_ids!: string[];
  /**
   * Whether files to which other items refer are kept for them. `false` takes the files down, also those of items that
   * were deleted before; the answer then names the items that break. This field is ours.
   */
  @Bool() retain = true;
}

export class PaginatedCrawlOutResponse {
  @Int() total!: number;
  @Int() page!: number;
  @Int() pageSize!: number;
  @ListOf(
    anyOf(
      () => CrawlOut,
      () => CrawlOutWithResources,
    ),
  )
  items!: (CrawlOut | CrawlOutWithResources)[];
}

export class UpdateCrawl {
  @Str({ min: 0, max: 1000, nullable: true, optional: true }) name?: string | null;
  @Str({ max: 5000, nullable: true, optional: true }) description?: string | null;
  @ListOf(str({ min: 1, max: 80 }), { nullable: true, optional: true }) tags?: string[] | null;
  @ListOf(uuid(), { nullable: true }) collectionIds: string[] | null = [];
  @Int({ min: 1, max: 5, strict: true, nullable: true, optional: true }) reviewStatus?: number | null;
}
