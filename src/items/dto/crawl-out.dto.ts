import { list, literal, model, nullable } from '../../common/validation/composites.js';
import { dateTime, uuid } from '../../common/validation/formats.js';
import { bool, int, str } from '../../common/validation/scalars.js';
import { CrawlDedupeStats } from './crawl-dedupe-stats.dto.js';
import { CrawlStats } from './crawl-stats.dto.js';
import { ItemFixity } from './item-fixity.dto.js';
import { RawCrawlConfig } from './raw-crawl-config.dto.js';
import { Field } from '../../common/validation/model.js';

/** A crawl or an upload, as lists show it. Contract: crawling §5.2. */
export class CrawlOut {
  @Field(str()) id!: string;
  @Field(literal('crawl', 'upload')) type!: 'crawl' | 'upload';
  /** Who started the crawl or sent the upload. */
  @Field(uuid()) userid!: string;
  @Field(nullable(str()), { default: null }) userName!: string | null;
  @Field(uuid()) oid!: string;
  /** Browser profile. */
  @Field(nullable(uuid()), { default: null }) profileid!: string | null;
  @Field(nullable(str()), { default: null }) name!: string | null;
  @Field(nullable(str()), { default: null }) description!: string | null;
  @Field(dateTime()) started!: string;
  @Field(nullable(dateTime()), { default: null }) finished!: string | null;
  @Field(str()) state!: string;
  /** Addition: why a crawl waits, in words, with the setting or quota that holds it; null while it does not wait. */
  @Field(nullable(str()), { default: null }) stateReason!: string | null;
  @Field(nullable(model(() => CrawlStats)), { default: null }) stats!: CrawlStats | null;
  /** Bytes of the stored files. */
  @Field(int(), { default: 0 }) fileSize!: number;
  @Field(int(), { default: 0 }) fileCount!: number;
  /** Bytes that a crawl has collected and not yet registered as files. */
  @Field(int(), { default: 0 }) pendingSize!: number;
  /** Bytes of its files and those of the items it requires; null unless these were asked for. */
  @Field(nullable(int()), { default: null }) fileSizeWithDeps!: number | null;
  @Field(nullable(list(str())), { default: [] }) tags!: string[] | null;
  /** Collection whose items the crawl did not store again. */
  @Field(nullable(uuid()), { default: null }) dedupeCollId!: string | null;
  @Field(nullable(list(uuid())), { default: [] }) collectionIds!: string[] | null;
  /** Seconds that its instances ran, added up. */
  @Field(int(), { default: 0 }) crawlExecSeconds!: number;
  /** The same of its QA runs. */
  @Field(int(), { default: 0 }) qaCrawlExecSeconds!: number;
  /** Not in lists; its seeds have a list of their own. */
  @Field(nullable(model(() => RawCrawlConfig)), { default: null }) config!: RawCrawlConfig | null;
  /** Workflow; null for uploads. */
  @Field(nullable(uuid()), { default: null }) cid!: string | null;
  @Field(nullable(str()), { default: null }) firstSeed!: string | null;
  @Field(nullable(int()), { default: null }) seedCount!: number | null;
  /** Empty when the profile is gone. */
  @Field(nullable(str()), { default: null }) profileName!: string | null;
  @Field(nullable(bool()), { default: false }) stopping!: boolean | null;
  @Field(nullable(bool()), { default: false }) shouldPause!: boolean | null;
  @Field(nullable(dateTime()), { default: null }) pausedAt!: string | null;
  @Field(nullable(dateTime()), { default: null }) rateLimitedAt!: string | null;
  @Field(bool(), { default: false }) manual!: boolean;
  /** Revision of the workflow at the start. */
  @Field(nullable(int()), { default: null }) cid_rev!: number | null;
  /** Instances. */
  @Field(nullable(int({ min: 1, max: 4 })), { default: null, deprecated: true }) scale!: number | null;
  @Field(int({ min: 1, max: 8 }), { default: 2 }) browserWindows!: number;
  @Field(nullable(bool()), { default: false }) storageQuotaReached!: boolean | null;
  @Field(nullable(bool()), { default: false }) execMinutesQuotaReached!: boolean | null;
  @Field(str(), { default: 'default' }) crawlerChannel!: string;
  @Field(nullable(str()), { default: null }) proxyId!: string | null;
  @Field(nullable(str()), { default: null }) image!: string | null;
  /** 1 (bad) to 5 (excellent). */
  @Field(nullable(int({ min: 1, max: 5 })), { default: null }) reviewStatus!: number | null;
  @Field(int(), { default: 0 }) qaRunCount!: number;
  @Field(nullable(model(() => CrawlStats)), { default: null }) activeQAStats!: CrawlStats | null;
  @Field(nullable(str()), { default: null }) lastQAState!: string | null;
  @Field(nullable(dateTime()), { default: null }) lastQAStarted!: string | null;
  @Field(nullable(int()), { default: 0 }) pageCount!: number | null;
  @Field(nullable(int()), { default: 0 }) uniquePageCount!: number | null;
  @Field(nullable(int()), { default: 0 }) filePageCount!: number | null;
  @Field(nullable(int()), { default: 0 }) errorPageCount!: number | null;
  /** 2: pages are in the database; 1: in the files alone. */
  @Field(nullable(int()), { default: 1 }) version!: number | null;
  @Field(nullable(list(str())), { default: [], deprecated: true }) errors!: string[] | null;
  @Field(nullable(list(str())), { default: [], deprecated: true }) behaviorLogs!: string[] | null;
  /** Items whose records this one refers to. */
  @Field(nullable(list(str())), { default: [] }) requiresCrawls!: string[] | null;
  @Field(nullable(list(str())), { default: [] }) requiredByCrawls!: string[] | null;
  /** Those of `requiresCrawls` that are gone; null unless they were asked for. */
  @Field(nullable(list(str())), { default: null }) missingRequiresCrawls!: string[] | null;
  @Field(nullable(model(() => CrawlDedupeStats)), { default: null }) dedupeStats!: CrawlDedupeStats | null;
  /** Addition to the contract: when the files were last read and compared. */
  @Field(nullable(model(() => ItemFixity)), { default: null }) fixity!: ItemFixity | null;
}
