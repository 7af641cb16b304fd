import { Str, Int, Bool, AnyObject, Uuid, TimeText, ListOf, MapOf, Nested } from '../../common/validation/fields.js';
import { str, int } from '../../common/validation/scalars.js';
import { CrawlConfigDefaults } from './crawl-config-defaults.dto.js';
import { FeatureFlags } from './feature-flags.dto.js';
import { OrgPublicProfile } from './org-public-profile.dto.js';
import { OrgQuotaUpdateOut } from './org-quota-update-out.dto.js';
import { OrgQuotas } from './org-quotas.dto.js';
import { OrgWebhookUrls } from './org-webhook-urls.dto.js';
import { Subscription } from '../../users/dto/subscription.dto.js';

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
