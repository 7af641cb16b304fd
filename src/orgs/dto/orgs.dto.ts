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
  @Str({ nullable: true, optional: true }) note?: string | null;
  /** Address that is invited as owner when the org is created (seed §4). */
  @Email({ nullable: true, optional: true }) firstAdminInviteEmail?: string | null;
}

export class OrgImportResponse {
  @Bool() imported!: boolean;
}

export class OrgMetrics {
  @Int() storageUsedBytes!: number;
  @Int() storageUsedCrawls!: number;
  @Int() storageUsedUploads!: number;
  @Int() storageUsedProfiles!: number;
  @Int() storageUsedSeedFiles!: number;
  @Int() storageUsedThumbnails!: number;
  @Int() storageUsedDedupeIndexes!: number;
  @Int() storageQuotaBytes!: number;
  @Int() archivedItemCount!: number;
  @Int() crawlCount!: number;
  @Int() uploadCount!: number;
  @Int() pageCount!: number;
  @Int() crawlPageCount!: number;
  @Int() uploadPageCount!: number;
  @Int() profileCount!: number;
  @Int() workflowsRunningCount!: number;
  @Int() maxConcurrentCrawls!: number;
  @Int() workflowsQueuedCount!: number;
  @Int() collectionsCount!: number;
  @Int() publicCollectionsCount!: number;
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
  @AnyObject() users: Record<string, unknown> = {};
  @TimeText({ nullable: true }) created: string | null = null;
  @Bool() default = false;
  @Int() bytesStored!: number;
  @Int() bytesStoredCrawls!: number;
  @Int() bytesStoredUploads!: number;
  @Int() bytesStoredProfiles!: number;
  @Int() bytesStoredSeedFiles = 0;
  @Int() bytesStoredThumbnails = 0;
  @Int() bytesStoredDedupeIndexes = 0;
  @Str({ nullable: true }) origin: string | null = null;
  @Bool({ nullable: true }) storageQuotaReached: boolean | null = false;
  @Bool({ nullable: true }) execMinutesQuotaReached: boolean | null = false;
  @MapOf(int(), { nullable: true }) usage: Record<string, number> | null = {};
  @MapOf(int()) crawlExecSeconds: Record<string, number> = {};
  @MapOf(int(), { nullable: true }) qaUsage: Record<string, number> | null = {};
  @MapOf(int()) qaCrawlExecSeconds: Record<string, number> = {};
  @MapOf(int()) monthlyExecSeconds: Record<string, number> = {};
  @MapOf(int()) extraExecSeconds: Record<string, number> = {};
  @MapOf(int()) giftedExecSeconds: Record<string, number> = {};
  @Int() extraExecSecondsAvailable = 0;
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
  @ListOf(() => OrgQuotaUpdateOut, { nullable: true }) quotaUpdates: OrgQuotaUpdateOut[] | null = [];
  @Nested(() => OrgWebhookUrls, { nullable: true }) webhookUrls: OrgWebhookUrls | null = {};
  @Bool({ nullable: true }) readOnly: boolean | null = false;
  @Str({ nullable: true }) readOnlyReason: string | null = null;
  @Nested(() => Subscription, { nullable: true }) subscription: Subscription | null = null;
  @Bool() allowSharedProxies = false;
  @ListOf(str()) allowedProxies: string[] = [];
  @Nested(() => CrawlConfigDefaults, { nullable: true }) crawlingDefaults: CrawlConfigDefaults | null = null;
  @TimeText({ nullable: true }) lastCrawlFinished: string | null = null;
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
  @ListOf(str()) slugs!: string[];
}

export class PaginatedOrgOutResponse {
  @Int() total!: number;
  @Int() page!: number;
  @Int() pageSize!: number;
  @ListOf(() => OrgOut) items!: OrgOut[];
}

export class Plan {
  @Str() id!: string;
  @Str() name!: string;
  @Nested(() => OrgQuotas) org_quotas!: OrgQuotas;
  @Bool() testmode = false;
}

export class PlansResponse {
  @ListOf(() => Plan) plans!: Plan[];
}
