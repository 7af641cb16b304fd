import { list, mapOf, model, nullable } from '../../common/validation/composites.js';
import { dateTime, uuid } from '../../common/validation/formats.js';
import { anyObject, bool, int, str } from '../../common/validation/scalars.js';
import { CrawlConfigDefaults } from './crawl-config-defaults.dto.js';
import { FeatureFlags } from './feature-flags.dto.js';
import { OrgPublicProfile } from './org-public-profile.dto.js';
import { OrgQuotaUpdateOut } from './org-quota-update-out.dto.js';
import { OrgQuotas } from './org-quotas.dto.js';
import { OrgWebhookUrls } from './org-webhook-urls.dto.js';
import { Subscription } from '../../users/dto/subscription.dto.js';
import { Field } from '../../common/validation/model.js';

export class OrgOut extends OrgPublicProfile {
  @Field(uuid()) id!: string;
  @Field(str({ min: 1, max: 50 })) name!: string;
  @Field(str()) slug!: string;
  @Field(anyObject(), { default: {} }) users!: Record<string, unknown>;
  @Field(nullable(dateTime()), { default: null }) created!: string | null;
  @Field(bool(), { default: false }) default!: boolean;
  @Field(int()) bytesStored!: number;
  @Field(int()) bytesStoredCrawls!: number;
  @Field(int()) bytesStoredUploads!: number;
  @Field(int()) bytesStoredProfiles!: number;
  @Field(int(), { default: 0 }) bytesStoredSeedFiles!: number;
  @Field(int(), { default: 0 }) bytesStoredThumbnails!: number;
  @Field(int(), { default: 0 }) bytesStoredDedupeIndexes!: number;
  @Field(nullable(str()), { default: null }) origin!: string | null;
  @Field(nullable(bool()), { default: false }) storageQuotaReached!: boolean | null;
  @Field(nullable(bool()), { default: false }) execMinutesQuotaReached!: boolean | null;
  @Field(nullable(mapOf(int())), { default: {} }) usage!: Record<string, number> | null;
  @Field(mapOf(int()), { default: {} }) crawlExecSeconds!: Record<string, number>;
  @Field(nullable(mapOf(int())), { default: {} }) qaUsage!: Record<string, number> | null;
  @Field(mapOf(int()), { default: {} }) qaCrawlExecSeconds!: Record<string, number>;
  @Field(mapOf(int()), { default: {} }) monthlyExecSeconds!: Record<string, number>;
  @Field(mapOf(int()), { default: {} }) extraExecSeconds!: Record<string, number>;
  @Field(mapOf(int()), { default: {} }) giftedExecSeconds!: Record<string, number>;
  @Field(int(), { default: 0 }) extraExecSecondsAvailable!: number;
  @Field(int(), { default: 0 }) giftedExecSecondsAvailable!: number;
  @Field(model(() => OrgQuotas), {
    default: {
      storageQuota: 0,
      maxExecMinutesPerMonth: 0,
      maxConcurrentCrawls: 0,
      maxPagesPerCrawl: 0,
      extraExecMinutes: 0,
      giftedExecMinutes: 0,
    },
  })
  quotas!: OrgQuotas;
  @Field(nullable(list(model(() => OrgQuotaUpdateOut))), { default: [] }) quotaUpdates!: OrgQuotaUpdateOut[] | null;
  @Field(nullable(model(() => OrgWebhookUrls)), { default: {} }) webhookUrls!: OrgWebhookUrls | null;
  @Field(nullable(bool()), { default: false }) readOnly!: boolean | null;
  @Field(nullable(str()), { default: null }) readOnlyReason!: string | null;
  @Field(nullable(model(() => Subscription)), { default: null }) subscription!: Subscription | null;
  @Field(bool(), { default: false }) allowSharedProxies!: boolean;
  @Field(list(str()), { default: [] }) allowedProxies!: string[];
  @Field(nullable(model(() => CrawlConfigDefaults)), { default: null }) crawlingDefaults!: CrawlConfigDefaults | null;
  @Field(nullable(dateTime()), { default: null }) lastCrawlFinished!: string | null;
  @Field(model(() => FeatureFlags), { default: { dedupeEnabled: false } }) featureFlags!: FeatureFlags;
  @Field(nullable(str()), { default: null }) note!: string | null;
}
