import { Str, Int, Bool, Uuid, TimeText, OneOf, ListOf, Nested } from '../../common/validation/fields.js';
import { uuid } from '../../common/validation/formats.js';
import { str } from '../../common/validation/scalars.js';
import { CrawlDedupeStats } from './crawl-dedupe-stats.dto.js';
import { CrawlStats } from './crawl-stats.dto.js';
import { ItemFixity } from './item-fixity.dto.js';
import { RawCrawlConfig } from './raw-crawl-config.dto.js';

/** A crawl or an upload, as lists show it. Contract: crawling §5.2. */
export class CrawlOut {
  @Str() id!: string;
  @OneOf(['crawl', 'upload']) type!: 'crawl' | 'upload';
  /** Who started the crawl or sent the upload. */
  @Uuid() userid!: string;
  @Str({ nullable: true }) userName: string | null = null;
  @Uuid() oid!: string;
  /** Browser profile. */
  @Uuid({ nullable: true }) profileid: string | null = null;
  @Str({ nullable: true }) name: string | null = null;
  @Str({ nullable: true }) description: string | null = null;
  @TimeText() started!: string;
  @TimeText({ nullable: true }) finished: string | null = null;
  @Str() state!: string;
  /** Addition: why a crawl waits, in words, with the setting or quota that holds it; null while it does not wait. */
  @Str({ nullable: true }) stateReason: string | null = null;
  @Nested(() => CrawlStats, { nullable: true }) stats: CrawlStats | null = null;
  /** Bytes of the stored files. */
  @Int() fileSize = 0;
  @Int() fileCount = 0;
  /** Bytes that a crawl has collected and not yet registered as files. */
  @Int() pendingSize = 0;
  /** Bytes of its files and those of the items it requires; null unless these were asked for. */
  @Int({ nullable: true }) fileSizeWithDeps: number | null = null;
  @ListOf(str(), { nullable: true }) tags: string[] | null = [];
  /** Collection whose items the crawl did not store again. */
  @Uuid({ nullable: true }) dedupeCollId: string | null = null;
  @ListOf(uuid(), { nullable: true }) collectionIds: string[] | null = [];
  /** Seconds that its instances ran, added up. */
  @Int() crawlExecSeconds = 0;
  /** The same of its QA runs. */
  @Int() qaCrawlExecSeconds = 0;
  /** Not in lists; its seeds have a list of their own. */
  @Nested(() => RawCrawlConfig, { nullable: true }) config: RawCrawlConfig | null = null;
  /** Workflow; null for uploads. */
  @Uuid({ nullable: true }) cid: string | null = null;
  @Str({ nullable: true }) firstSeed: string | null = null;
  @Int({ nullable: true }) seedCount: number | null = null;
  /** Empty when the profile is gone. */
  @Str({ nullable: true }) profileName: string | null = null;
  @Bool({ nullable: true }) stopping: boolean | null = false;
  @Bool({ nullable: true }) shouldPause: boolean | null = false;
  @TimeText({ nullable: true }) pausedAt: string | null = null;
  @TimeText({ nullable: true }) rateLimitedAt: string | null = null;
  @Bool() manual = false;
  /** Revision of the workflow at the start. */
  @Int({ nullable: true }) cid_rev: number | null = null;
  /** Instances. */
  @Int({ min: 1, max: 4, nullable: true, deprecated: true }) scale: number | null = null;
  @Int({ min: 1, max: 8 }) browserWindows = 2;
  @Bool({ nullable: true }) storageQuotaReached: boolean | null = false;
  @Bool({ nullable: true }) execMinutesQuotaReached: boolean | null = false;
  @Str() crawlerChannel = 'default';
  @Str({ nullable: true }) proxyId: string | null = null;
  @Str({ nullable: true }) image: string | null = null;
  /** 1 (bad) to 5 (excellent). */
  @Int({ min: 1, max: 5, nullable: true }) reviewStatus: number | null = null;
  @Int() qaRunCount = 0;
  @Nested(() => CrawlStats, { nullable: true }) activeQAStats: CrawlStats | null = null;
  @Str({ nullable: true }) lastQAState: string | null = null;
  @TimeText({ nullable: true }) lastQAStarted: string | null = null;
  @Int({ nullable: true }) pageCount: number | null = 0;
  @Int({ nullable: true }) uniquePageCount: number | null = 0;
  @Int({ nullable: true }) filePageCount: number | null = 0;
  @Int({ nullable: true }) errorPageCount: number | null = 0;
  /** 2: pages are in the database; 1: in the files alone. */
  @Int({ nullable: true }) version: number | null = 1;
  @ListOf(str(), { nullable: true, deprecated: true }) errors: string[] | null = [];
  @ListOf(str(), { nullable: true, deprecated: true }) behaviorLogs: string[] | null = [];
  /** Items whose records this one refers to. */
  @ListOf(str(), { nullable: true }) requiresCrawls: string[] | null = [];
  @ListOf(str(), { nullable: true }) requiredByCrawls: string[] | null = [];
  /** Those of `requiresCrawls` that are gone; null unless they were asked for. */
  @ListOf(str(), { nullable: true }) missingRequiresCrawls: string[] | null = null;
  @Nested(() => CrawlDedupeStats, { nullable: true }) dedupeStats: CrawlDedupeStats | null = null;
  /** Addition to the contract: when the files were last read and compared. */
  @Nested(() => ItemFixity, { nullable: true }) fixity: ItemFixity | null = null;
}
