import { PageQuery } from '../../common/pagination/page.js';
import {
  Str,
  Email,
  Nested,
  Bool,
  Int,
  AnyObject,
  Uuid,
  TimeText,
  ListOf,
  MapOf,
} from '../../common/validation/fields.js';
import { str, int } from '../../common/validation/scalars.js';
import { Subscription } from '../../users/dto/users.dto.js';
import { OrgQuotas, CrawlConfigDefaults, FeatureFlags, OrgQuotaUpdateOut, OrgWebhookUrls } from './org-settings.dto.js';

export class OrgCreate {
  /** Name of the org. When it is absent or null, the id is the name until the first member joins (seed §4). */
  @Str({ min: 1, max: 50, nullable: true, optional: true }) name?: string | null;
  @Str({ nullable: true, optional: true }) slug?: string | null;
  @Str({ nullable: true, optional: true }) planId?: string | null;
  @Nested(() => OrgQuotas, { nullable: true, optional: true }) quotas?: OrgQuotas | null;
  /** A note of superusers on the org. */
  @Str({ nullable: true, optional: true }) note?: string | null;
  /** Address that is invited as owner when the org is created (seed §4). */
  @Email({ nullable: true, optional: true }) firstAdminInviteEmail?: string | null;
}

export class OrgImportResponse {
  /** Whether the org was imported. */
  @Bool() imported!: boolean;
}

export class OrgMetrics {
  /** Bytes that the org stores. */
  @Int() storageUsedBytes!: number;
  /** Bytes of crawls. */
  @Int() storageUsedCrawls!: number;
  /** Bytes of uploads. */
  @Int() storageUsedUploads!: number;
  /** Bytes of browser profiles. */
  @Int() storageUsedProfiles!: number;
  /** Bytes of seed files. */
  @Int() storageUsedSeedFiles!: number;
  /** Bytes of thumbnails. */
  @Int() storageUsedThumbnails!: number;
  /** Bytes of dedupe indexes. */
  @Int() storageUsedDedupeIndexes!: number;
  /** Most bytes that the org may store; 0: no limit. */
  @Int() storageQuotaBytes!: number;
  /** Number of crawls and uploads. */
  @Int() archivedItemCount!: number;
  @Int() crawlCount!: number;
  /** Number of uploads. */
  @Int() uploadCount!: number;
  @Int() pageCount!: number;
  /** Number of pages of crawls. */
  @Int() crawlPageCount!: number;
  /** Number of pages of uploads. */
  @Int() uploadPageCount!: number;
  /** Number of browser profiles. */
  @Int() profileCount!: number;
  /** Number of crawls that run. */
  @Int() workflowsRunningCount!: number;
  @Int() maxConcurrentCrawls!: number;
  /** Number of crawls that wait to run. */
  @Int() workflowsQueuedCount!: number;
  /** Number of collections. */
  @Int() collectionsCount!: number;
  /** Number of public collections. */
  @Int() publicCollectionsCount!: number;
  /** Number of deleted items whose files stay because others refer to them. This field is ours. */
  @Int({ optional: true }) keptItemCount?: number;
  /** Bytes of these files, which are part of the sums above. This field is ours. */
  @Int({ optional: true }) storageUsedKeptItems?: number;
  /**
   * Bytes that the org stored at its last change of each month, by `YYYY-MM` (UTC). A month without a change has no
   * entry, nor has any before this was counted. This field is ours.
   */
  @MapOf(int(), { optional: true }) storageUsedByMonth?: Record<string, number>;
}

/** The public profile of an org. The service stores, shows and changes the fields that these two classes declare. */
export class OrgPublicProfile {
  @Bool() enablePublicProfile = false;
  @Str({ max: 400, nullable: true }) publicDescription: string | null = '';
  @Str() publicUrl = '';
}

export class OrgPublicProfileUpdate {
  @Bool({ nullable: true, optional: true }) enablePublicProfile?: boolean | null;
  @Str({ max: 400, nullable: true, optional: true }) publicDescription?: string | null;
  @Str({ nullable: true, optional: true }) publicUrl?: string | null;
}

export class OrgOut extends OrgPublicProfile {
  @Uuid() id!: string;
  @Str({ min: 1, max: 50 }) name!: string;
  @Str() slug!: string;
  /** Members by the id of their account, with name, address and role; empty for viewers. */
  @AnyObject() users: Record<string, unknown> = {};
  @TimeText({ nullable: true }) created: string | null = null;
  @Bool() default = false;
  /** Bytes that the org stores. */
  @Int() bytesStored!: number;
  /** Bytes of crawls. */
  @Int() bytesStoredCrawls!: number;
  /** Bytes of uploads. */
  @Int() bytesStoredUploads!: number;
  /** Bytes of browser profiles. */
  @Int() bytesStoredProfiles!: number;
  /** Bytes of seed files. */
  @Int() bytesStoredSeedFiles = 0;
  /** Bytes of thumbnails. */
  @Int() bytesStoredThumbnails = 0;
  /** Bytes of dedupe indexes. */
  @Int() bytesStoredDedupeIndexes = 0;
  /** Where the deployment is reached, if it says so. */
  @Str({ nullable: true }) origin: string | null = null;
  @Bool({ nullable: true }) storageQuotaReached: boolean | null = false;
  @Bool({ nullable: true }) execMinutesQuotaReached: boolean | null = false;
  /** Seconds from start to end of crawls, by month, `YYYY-MM`. */
  @MapOf(int(), { nullable: true }) usage: Record<string, number> | null = {};
  @MapOf(int()) crawlExecSeconds: Record<string, number> = {};
  /** Seconds from start to end of QA runs, by month, `YYYY-MM`. */
  @MapOf(int(), { nullable: true }) qaUsage: Record<string, number> | null = {};
  /** Seconds that the instances of QA runs ran, by month, `YYYY-MM`. */
  @MapOf(int()) qaCrawlExecSeconds: Record<string, number> = {};
  /** Execution seconds that counted against the month's minutes, by month, `YYYY-MM`. */
  @MapOf(int()) monthlyExecSeconds: Record<string, number> = {};
  /** Execution seconds that counted against bought minutes, by month, `YYYY-MM`. */
  @MapOf(int()) extraExecSeconds: Record<string, number> = {};
  /** Execution seconds that counted against given minutes, by month, `YYYY-MM`. */
  @MapOf(int()) giftedExecSeconds: Record<string, number> = {};
  /** Bought seconds that are left. */
  @Int() extraExecSecondsAvailable = 0;
  /** Given seconds that are left. */
  @Int() giftedExecSecondsAvailable = 0;
  @Nested(() => OrgQuotas)
  quotas: OrgQuotas = {
    storageQuota: 0,
    maxExecMinutesPerMonth: 0,
    maxConcurrentCrawls: 0,
    maxPagesPerCrawl: 0,
    extraExecMinutes: 0,
    giftedExecMinutes: 0,
  };
  /** Former changes of the quotas. */
  @ListOf(() => OrgQuotaUpdateOut, { nullable: true }) quotaUpdates: OrgQuotaUpdateOut[] | null = [];
  /** Where events are told, by their names. */
  @Nested(() => OrgWebhookUrls, { nullable: true }) webhookUrls: OrgWebhookUrls | null = {};
  @Bool({ nullable: true }) readOnly: boolean | null = false;
  @Str({ nullable: true }) readOnlyReason: string | null = null;
  @Nested(() => Subscription, { nullable: true }) subscription: Subscription | null = null;
  @Bool() allowSharedProxies = false;
  @ListOf(str()) allowedProxies: string[] = [];
  /** What new workflows begin with. */
  @Nested(() => CrawlConfigDefaults, { nullable: true }) crawlingDefaults: CrawlConfigDefaults | null = null;
  /** End of the org's last crawl. */
  @TimeText({ nullable: true }) lastCrawlFinished: string | null = null;
  /** What is switched on for the org. */
  @Nested(() => FeatureFlags) featureFlags: FeatureFlags = { dedupeEnabled: false };
  @Str({ nullable: true }) note: string | null = null;
}

/** The path of every route under an org. */
export class OrgPath {
  @Uuid() oid!: string;
}

export class OrgListQuery extends PageQuery {
  /**
   * name, slug, readOnly, lastCrawlFinished, subscriptionStatus or subscriptionPlan. Empty only puts the default org
   * first.
   */
  @Str() sortBy = 'name';
  /** 1 for ascending, -1 for descending. */
  @Int() sortDirection = 1;
}

export class OrgImportQuery {
  /** Whether to accept an export of another database version. */
  @Bool() ignoreVersion = false;
  /** Default storage to which the files were copied. When it is absent, the export's storages apply. */
  @Str({ nullable: true, optional: true }) storageName?: string | null;
}

export class OrgSlugsResponse {
  /** Names of orgs in URLs. */
  @ListOf(str()) slugs!: string[];
}

export class PaginatedOrgOutResponse {
  @Int() total!: number;
  @Int() page!: number;
  @Int() pageSize!: number;
  @ListOf(() => OrgOut) items!: OrgOut[];
}

export class Plan {
  /** Id of the plan. */
  @Str() id!: string;
  @Str() name!: string;
  /** Limits that orgs of this plan have. */
  @Nested(() => OrgQuotas) org_quotas!: OrgQuotas;
  /** Whether the plan is for tests of billing only. */
  @Bool() testmode = false;
}

export class PlansResponse {
  @ListOf(() => Plan) plans!: Plan[];
}
