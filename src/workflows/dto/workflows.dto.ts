import { Str, Int, Uuid, TimeText, AnyOf, Nested, Bool, Of, Enum, ListOf } from '../../common/validation/fields.js';
import { uuid } from '../../common/validation/formats.js';
import { str } from '../../common/validation/scalars.js';
import { RawCrawlConfig, SentCrawlConfig } from '../../items/dto/crawl-config.dto.js';
import { CrawlStats } from '../../items/dto/items.dto.js';
import { JOB_TYPES, type JobType } from '../data/workflow.schema.js';
import { countUpToSetting, cronSchedule, filenameTemplate } from './field-types.js';

export class ConfigRevision {
  @AnyOf([uuid(), str()], { nullable: true }) id!: string | null;
  @Uuid() cid!: string;
  @Str({ nullable: true }) schedule: string | null = '';
  @Nested(() => RawCrawlConfig) config!: RawCrawlConfig;
  @Uuid({ nullable: true }) profileid: string | null = null;
  @Str({ nullable: true }) crawlerChannel: string | null = null;
  @Str({ nullable: true }) proxyId: string | null = null;
  @Int({ nullable: true }) crawlTimeout: number | null = 0;
  @Int({ nullable: true }) maxCrawlSize: number | null = 0;
  @Int({ min: 1, max: 4, nullable: true, deprecated: true }) scale: number | null = 1;
  @Int({ min: 1, max: 8, nullable: true }) browserWindows: number | null = 2;
  @TimeText() modified!: string;
  @Uuid({ nullable: true }) modifiedBy: string | null = null;
  @Int() rev = 0;
}

export class CrawlConfigAddedResponse {
  @Bool() added!: boolean;
  /** Id of the workflow. */
  @Str() id!: string;
  /** Id of the crawl that was started; null: none. */
  @Str({ nullable: true }) run_now_job: string | null = null;
  @Bool() storageQuotaReached!: boolean;
  @Bool() execMinutesQuotaReached!: boolean;
  /** Why the crawl could not be started; null: it could, or was not to. */
  @Str({ nullable: true }) errorDetail: string | null = null;
}

export class CrawlConfigDeletedResponse {
  @Bool() success!: boolean;
  /** `deleted`, or `deactivated` for a workflow that has had crawls. */
  @Str() status!: string;
}

export class CrawlConfigIn {
  @Of(cronSchedule(), { nullable: true }) schedule: string | null = '';
  @Bool() runNow = false;
  @Nested(() => SentCrawlConfig) config!: SentCrawlConfig;
  /** Name of the workflow; empty: its first URL stands in for it. */
  @Str({ min: 0, max: 1000 }) name!: string;
  @Str({ max: 5000, nullable: true }) description: string | null = '';
  @Enum('JobType', JOB_TYPES, { nullable: true }) jobType: JobType | null = 'custom';
  @AnyOf([uuid(), str({ min: 0, max: 0 })], { nullable: true, optional: true }) profileid?: string | null;
  @Str() crawlerChannel = 'default';
  @Str({ nullable: true, optional: true }) proxyId?: string | null;
  @ListOf(uuid(), { nullable: true }) autoAddCollections: string[] | null = [];
  @AnyOf([uuid(), str({ min: 0, max: 0 })], { nullable: true, optional: true }) dedupeCollId?: string | null;
  @ListOf(str({ min: 1, max: 80 }), { nullable: true }) tags: string[] | null = [];
  @Int() crawlTimeout = 0;
  @Int() maxCrawlSize = 0;
  @Of(countUpToSetting(4), { deprecated: true }) scale = 1;
  @Of(countUpToSetting(8), { nullable: true, optional: true }) browserWindows?: number | null;
  @Of(filenameTemplate(), { nullable: true, optional: true }) crawlFilenameTemplate?: string | null;
  @Bool() shareable = false;
}

export class CrawlConfigOut {
  @Str({ min: 0, max: 1000, nullable: true }) name: string | null = null;
  @Str({ max: 5000, nullable: true }) description: string | null = null;
  @TimeText() created!: string;
  @Uuid({ nullable: true }) createdBy: string | null = null;
  @TimeText({ nullable: true }) modified: string | null = null;
  @Uuid({ nullable: true }) modifiedBy: string | null = null;
  @ListOf(uuid(), { nullable: true }) autoAddCollections: string[] | null = [];
  /** Whether the workflow was deleted and is kept for its crawls. */
  @Bool({ nullable: true }) inactive: boolean | null = false;
  @Int() rev = 0;
  /** Number of crawls that were ever started. */
  @Int({ nullable: true }) crawlAttemptCount: number | null = 0;
  @Int({ nullable: true }) crawlCount: number | null = 0;
  /** Number of crawls that succeeded. */
  @Int({ nullable: true }) crawlSuccessfulCount: number | null = 0;
  /** Bytes of all its crawls. */
  @Int({ nullable: true }) totalSize: number | null = 0;
  /** Id of the last crawl. */
  @Str({ nullable: true }) lastCrawlId: string | null = null;
  /** Start of the last crawl. */
  @TimeText({ nullable: true }) lastCrawlStartTime: string | null = null;
  /** Id of the user who started the last crawl. */
  @Uuid({ nullable: true }) lastStartedBy: string | null = null;
  /** End of the last crawl; null while one is under way. */
  @TimeText({ nullable: true }) lastCrawlTime: string | null = null;
  @Str({ nullable: true }) lastCrawlState: string | null = null;
  /** Bytes of the last crawl. */
  @Int({ nullable: true }) lastCrawlSize: number | null = null;
  /** Start of the last crawl while it is under way, its end afterwards. */
  @TimeText({ nullable: true }) lastRun: string | null = null;
  @Bool({ nullable: true }) isCrawlRunning: boolean | null = false;
  @Str({ nullable: true }) crawlFilenameTemplate: string | null = null;
  @Bool({ nullable: true }) shareable: boolean | null = false;
  @Uuid() id!: string;
  @Str({ nullable: true }) schedule: string | null = '';
  @Enum('JobType', JOB_TYPES, { nullable: true }) jobType: JobType | null = 'custom';
  /** What to crawl and how; null in lists. */
  @Nested(() => RawCrawlConfig, { nullable: true }) config: RawCrawlConfig | null = null;
  @ListOf(str({ min: 1, max: 80 }), { nullable: true }) tags: string[] | null = [];
  @Int({ nullable: true }) crawlTimeout: number | null = 0;
  @Int({ nullable: true }) maxCrawlSize: number | null = 0;
  @Int({ min: 1, max: 4, nullable: true, deprecated: true }) scale: number | null = null;
  @Int({ min: 1, max: 8 }) browserWindows = 2;
  @Uuid() oid!: string;
  @Uuid({ nullable: true }) profileid: string | null = null;
  @Str({ nullable: true }) crawlerChannel: string | null = null;
  @Str({ nullable: true }) proxyId: string | null = null;
  @Str() firstSeed = '';
  @Int() seedCount = 0;
  @Uuid({ nullable: true }) dedupeCollId: string | null = null;
  /** Whether the last crawl was told to stop. */
  @Bool({ nullable: true }) lastCrawlStopping: boolean | null = false;
  /** Whether the last crawl was told to pause. */
  @Bool({ nullable: true }) lastCrawlShouldPause: boolean | null = false;
  /** When the last crawl was paused. */
  @TimeText({ nullable: true }) lastCrawlPausedAt: string | null = null;
  /** When the last crawl ends if it stays paused. */
  @TimeText({ nullable: true }) lastCrawlPausedExpiry: string | null = null;
  /** Progress of the last crawl. */
  @Nested(() => CrawlStats, { nullable: true }) lastCrawlStats: CrawlStats | null = null;
  /** Name of the browser profile. */
  @Str({ nullable: true }) profileName: string | null = null;
  @Str({ nullable: true }) createdByName: string | null = null;
  @Str({ nullable: true }) modifiedByName: string | null = null;
  /** Name of the user who started the last crawl. */
  @Str({ nullable: true }) lastStartedByName: string | null = null;
  /** The next firing of the schedule, or null. This field is ours. */
  @TimeText({ nullable: true }) nextRun: string | null = null;
}

export class CrawlConfigRunningCountsResponse {
  /** Crawls that are not over. */
  @Int() totalRunningPausedWaiting = 0;
  /** Crawls that run. */
  @Int() totalRunning = 0;
  /** Crawls that are paused. */
  @Int() totalPaused = 0;
  /** Crawls that wait to start. */
  @Int() totalWaiting = 0;
  /** Crawls that visit pages. */
  @Int() running = 0;
  /** Crawls whose last pages are awaited. */
  @Int() pendingWait = 0;
  @Int() generateWACZ = 0;
  /** Crawls whose WACZ is being stored. */
  @Int() uploadingWACZ = 0;
  /** Crawls that wait for a site that limits them. */
  @Int() rateLimited = 0;
  /** Crawls that a person paused. */
  @Int() paused = 0;
  /** Crawls that are paused because the storage quota is used up. */
  @Int() pausedStorageQuotaReached = 0;
  /** Crawls that are paused because the execution minutes are used up. */
  @Int() pausedTimeQuotaReached = 0;
  /** Crawls that are paused because the org is read-only. */
  @Int() pausedOrgReadOnly = 0;
  /** Crawls that are paused because a site limited them too long. */
  @Int() pausedRateLimitTimeReached = 0;
  /** Crawls that are starting. */
  @Int() starting = 0;
  /** Crawls that wait for a free place. */
  @Int() waitingCapacity = 0;
  /** Crawls that wait because the org has as many as it may. */
  @Int() waitingOrgLimit = 0;
  /** Crawls that wait for the dedupe index. */
  @Int() waitingDedupeIndex = 0;
}

export class CrawlConfigSearchValues {
  @ListOf(str()) names!: string[];
  @ListOf(str()) descriptions!: string[];
  @ListOf(str()) firstSeeds!: string[];
  /** Ids of workflows. */
  @ListOf(uuid()) workflowIds!: string[];
}

export class CrawlConfigUpdateResponse {
  @Bool() updated = true;
  /** Whether crawls will differ, so that there is a new revision. */
  @Bool() settings_changed!: boolean;
  /** Whether something else changed. */
  @Bool() metadata_changed!: boolean;
  /** Whether the crawl that is under way took the change. */
  @Bool() updatedRunning = false;
  @Bool({ nullable: true }) storageQuotaReached: boolean | null = false;
  @Bool({ nullable: true }) execMinutesQuotaReached: boolean | null = false;
  /** Id of the crawl that was started; null: none. */
  @Str({ nullable: true }) started: string | null = null;
}

export class PaginatedConfigRevisionResponse {
  @Int() total!: number;
  @Int() page!: number;
  @Int() pageSize!: number;
  @ListOf(() => ConfigRevision) items!: ConfigRevision[];
}

export class PaginatedCrawlConfigOutResponse {
  @Int() total!: number;
  @Int() page!: number;
  @Int() pageSize!: number;
  @ListOf(() => CrawlConfigOut) items!: CrawlConfigOut[];
}

export class UpdateCrawlConfig {
  @Str({ min: 0, max: 1000, nullable: true, optional: true }) name?: string | null;
  @ListOf(str({ min: 1, max: 80 }), { nullable: true, optional: true }) tags?: string[] | null;
  @Str({ max: 5000, nullable: true, optional: true }) description?: string | null;
  @ListOf(uuid(), { nullable: true, optional: true }) autoAddCollections?: string[] | null;
  @AnyOf([uuid(), str({ min: 0, max: 0 })], { nullable: true, optional: true }) dedupeCollId?: string | null;
  @Bool() runNow = false;
  /** Whether the crawl that is under way shall take the change. */
  @Bool() updateRunning = false;
  @Of(cronSchedule(), { nullable: true, optional: true }) schedule?: string | null;
  @AnyOf([uuid(), str({ min: 0, max: 0 })], { nullable: true, optional: true }) profileid?: string | null;
  @Str({ nullable: true, optional: true }) crawlerChannel?: string | null;
  @Str({ nullable: true, optional: true }) proxyId?: string | null;
  @Int({ nullable: true, optional: true }) crawlTimeout?: number | null;
  @Int({ nullable: true, optional: true }) maxCrawlSize?: number | null;
  @Of(countUpToSetting(4), { nullable: true, optional: true, deprecated: true }) scale?: number | null;
  @Of(countUpToSetting(8), { nullable: true, optional: true }) browserWindows?: number | null;
  @Of(filenameTemplate(), { nullable: true, optional: true }) crawlFilenameTemplate?: string | null;
  @Nested(() => SentCrawlConfig, { nullable: true, optional: true }) config?: SentCrawlConfig | null;
  @Bool({ nullable: true, optional: true }) shareable?: boolean | null;
}

export class ValidateCustomBehavior {
  /** Address of the behavior: a URL of a script, or `git+` and that of a repository. */
  @Str() customBehavior!: string;
}
