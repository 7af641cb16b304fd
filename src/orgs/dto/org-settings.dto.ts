import { declaredFields } from '../../common/validation/declared-fields.js';
import { Str, Int, Bool, Uuid, ListOf, TimeText, Nested, HttpUrlText } from '../../common/validation/fields.js';
import { str } from '../../common/validation/scalars.js';

export class CrawlConfigDefaults {
  @Int({ nullable: true, optional: true }) crawlTimeout?: number | null;
  @Int({ nullable: true, optional: true }) maxCrawlSize?: number | null;
  @Int({ nullable: true, optional: true }) pageLoadTimeout?: number | null;
  @Int({ nullable: true, optional: true }) postLoadDelay?: number | null;
  @Int({ nullable: true, optional: true }) behaviorTimeout?: number | null;
  @Int({ nullable: true, optional: true }) pageExtraDelay?: number | null;
  @Bool({ nullable: true, optional: true }) blockAds?: boolean | null;
  @Uuid({ nullable: true, optional: true }) profileid?: string | null;
  @Str({ nullable: true, optional: true }) crawlerChannel?: string | null;
  @Str({ nullable: true, optional: true }) proxyId?: string | null;
  @Str({ nullable: true, optional: true }) lang?: string | null;
  @Str({ nullable: true, optional: true }) userAgent?: string | null;
  @ListOf(str(), { nullable: true, optional: true }) exclude?: string[] | null;
  @ListOf(str()) customBehaviors: string[] = [];
  @Uuid({ nullable: true, optional: true }) dedupeCollId?: string | null;
}

export class FeatureFlagStats {
  /** Name of the flag. */
  @Str() name!: string;
  /** What the flag does. */
  @Str() description!: string;
  /** Number of orgs that have it switched on. */
  @Int() count!: number;
}

export class FeatureFlagsPartial {
  @Bool({ nullable: true, optional: true }) dedupeEnabled?: boolean | null;
}

export class FeatureFlags {
  @Bool() dedupeEnabled = false;
}

export class OrgProxies {
  @Bool() allowSharedProxies!: boolean;
  @ListOf(str()) allowedProxies!: string[];
}

export class OrgQuotas {
  @Int() storageQuota = 0;
  @Int() maxExecMinutesPerMonth = 0;
  @Int() maxConcurrentCrawls = 0;
  @Int() maxPagesPerCrawl = 0;
  @Int() extraExecMinutes = 0;
  @Int() giftedExecMinutes = 0;
}

export class OrgQuotaUpdateOut {
  @TimeText() modified!: string;
  /** The quotas from then on. */
  @Nested(() => OrgQuotas) update!: OrgQuotas;
}

export class OrgQuotasIn {
  @Int({ nullable: true, optional: true }) storageQuota?: number | null;
  @Int({ nullable: true, optional: true }) maxExecMinutesPerMonth?: number | null;
  @Int({ nullable: true, optional: true }) maxConcurrentCrawls?: number | null;
  @Int({ nullable: true, optional: true }) maxPagesPerCrawl?: number | null;
  @Int({ nullable: true, optional: true }) extraExecMinutes?: number | null;
  @Int({ nullable: true, optional: true }) giftedExecMinutes?: number | null;
}

export class OrgReadOnlyOnCancel {
  @Bool() readOnlyOnCancel!: boolean;
}

export class OrgReadOnlyUpdate {
  @Bool() readOnly!: boolean;
  @Str({ nullable: true, optional: true }) readOnlyReason?: string | null;
}

/** A URL for each webhook event. The room of webhooks declares the events. */
export class OrgWebhookUrls {
  [event: string]: string | null | undefined;
}

/** Declares a webhook event as a field. It is called before the first request. */
export const declareWebhookUrl = (event: string): void =>
  HttpUrlText({ nullable: true, optional: true, what: `Where \`${event}\` is told; null: nowhere.` })(
    OrgWebhookUrls.prototype,
    event,
  );

/** Returns a URL or null for each declared event, and leaves out any other key. */
export const webhookUrlsOf = (urls: OrgWebhookUrls | null | undefined): Record<string, string | null> =>
  Object.fromEntries(declaredFields(OrgWebhookUrls).map(({ name }) => [name, urls?.[name] ?? null]));

export class RenameOrg {
  @Str({ min: 1, max: 50 }) name!: string;
  @Str({ nullable: true, optional: true }) slug?: string | null;
}

export class UpdateOrgNote {
  @Str({ nullable: true, optional: true }) note?: string | null;
}
