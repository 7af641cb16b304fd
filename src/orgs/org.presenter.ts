import { hasRole, type OrgAccess } from '../common/access/access.js';
import { wireTime, wireTimeOrNull, wireSecondOrNull } from '../common/validation/date-time.js';
import { declaredFields } from '../common/validation/declared-fields.js';
import type { Subscription, SubscriptionStatus } from '../users/dto/users.dto.js';
import type { User } from '../users/data/user.schema.js';
import type { CrawlingDefaults, Org, OrgSubscription, Quotas, QuotaUpdate, SecondsByMonth } from './data/org.schema.js';
import { type CrawlConfigDefaults, webhookUrlsOf } from './dto/org-settings.dto.js';
import { type OrgOut, OrgPublicProfile } from './dto/orgs.dto.js';
import { quotasOf } from './rules/quota.rules.js';

/** The viewer of an org, and values that only some viewers see. */
export interface OrgView {
  /** The viewer's role: 10, 20, 40 or 100. */
  readonly role: number;
  /** Accounts of the members, by id. They are used when the viewer is an owner. */
  readonly members: ReadonlyMap<string, User>;
  /** Quota flags, which only the answer with one org computes. They are false elsewhere (accounts §7.2). */
  readonly flags?: { storageQuotaReached: boolean; execMinutesQuotaReached: boolean };
}

export const toSubscription = (subscription: OrgSubscription | null | undefined): Subscription | null =>
  subscription
    ? {
        subId: subscription.subId,
        status: subscription.status as SubscriptionStatus,
        planId: subscription.planId,
        futureCancelDate: wireTimeOrNull(subscription.futureCancelDate),
        readOnlyOnCancel: subscription.readOnlyOnCancel ?? false,
      }
    : null;

const fullQuotas = (quotas: Partial<Quotas> | null | undefined): Quotas => quotasOf({ quotas });

const toQuotaUpdate = ({ modified, update }: QuotaUpdate) => ({
  modified: wireTime(modified),
  update: fullQuotas(update),
});

function toDefaults(defaults: CrawlingDefaults): CrawlConfigDefaults {
  const { customBehaviors, ...rest } = defaults;
  return {
    crawlTimeout: rest.crawlTimeout ?? null,
    maxCrawlSize: rest.maxCrawlSize ?? null,
    pageLoadTimeout: rest.pageLoadTimeout ?? null,
    postLoadDelay: rest.postLoadDelay ?? null,
    behaviorTimeout: rest.behaviorTimeout ?? null,
    pageExtraDelay: rest.pageExtraDelay ?? null,
    blockAds: rest.blockAds ?? null,
    profileid: rest.profileid ?? null,
    crawlerChannel: rest.crawlerChannel ?? null,
    proxyId: rest.proxyId ?? null,
    lang: rest.lang ?? null,
    userAgent: rest.userAgent ?? null,
    exclude: rest.exclude ?? null,
    customBehaviors: customBehaviors ?? [],
    dedupeCollId: rest.dedupeCollId ?? null,
  };
}

function toUsers(org: Org, { role, members }: OrgView): Record<string, unknown> {
  if (!hasRole({ role } as OrgAccess, 'owner')) return {};
  return Object.fromEntries(
    Object.entries(org.users ?? {}).flatMap(([id, memberRole]) => {
      const user = members.get(id);
      return user ? [[user.email, { role: memberRole, name: user.name, email: user.email }]] : [];
    }),
  );
}

/** Returns the public profile. Fields that are not stored have their defaults. */
const profileOf = (org: Org): OrgPublicProfile =>
  Object.fromEntries(
    declaredFields(OrgPublicProfile).map((field) => [
      field.name,
      org[field.name as keyof OrgPublicProfile] ?? field.default,
    ]),
  ) as unknown as OrgPublicProfile;

const monthsOf = (map: SecondsByMonth | null | undefined): SecondsByMonth => map ?? {};

const bytesOf = (org: Org) => ({
  bytesStored: org.bytesStored ?? 0,
  bytesStoredCrawls: org.bytesStoredCrawls ?? 0,
  bytesStoredUploads: org.bytesStoredUploads ?? 0,
  bytesStoredProfiles: org.bytesStoredProfiles ?? 0,
  bytesStoredSeedFiles: org.bytesStoredSeedFiles ?? 0,
  bytesStoredThumbnails: org.bytesStoredThumbnails ?? 0,
  bytesStoredDedupeIndexes: org.bytesStoredDedupeIndexes ?? 0,
});

const usageOf = (org: Org, isViewer: boolean) => ({
  usage: isViewer ? {} : monthsOf(org.usage),
  crawlExecSeconds: isViewer ? {} : monthsOf(org.crawlExecSeconds),
  qaUsage: monthsOf(org.qaUsage),
  qaCrawlExecSeconds: monthsOf(org.qaCrawlExecSeconds),
  monthlyExecSeconds: monthsOf(org.monthlyExecSeconds),
  extraExecSeconds: monthsOf(org.extraExecSeconds),
  giftedExecSeconds: monthsOf(org.giftedExecSeconds),
  extraExecSecondsAvailable: org.extraExecSecondsAvailable ?? 0,
  giftedExecSecondsAvailable: org.giftedExecSecondsAvailable ?? 0,
});

/** Shows an org as one caller may see it. Storages are never shown. Contract: accounts §7.2. */
export function toOrgOut(org: Org, view: OrgView): OrgOut {
  const access = { role: view.role } as OrgAccess;
  return {
    id: org._id,
    name: org.name,
    slug: org.slug,
    users: toUsers(org, view),
    created: wireSecondOrNull(org.created),
    default: org.default ?? false,
    ...bytesOf(org),
    origin: org.origin ?? null,
    storageQuotaReached: view.flags?.storageQuotaReached ?? false,
    execMinutesQuotaReached: view.flags?.execMinutesQuotaReached ?? false,
    ...usageOf(org, !hasRole(access, 'crawler')),
    quotas: fullQuotas(org.quotas),
    quotaUpdates: (org.quotaUpdates ?? []).map(toQuotaUpdate),
    webhookUrls: webhookUrlsOf(org.webhookUrls),
    readOnly: org.readOnly ?? false,
    readOnlyReason: org.readOnlyReason ?? null,
    subscription: toSubscription(org.subscription),
    allowSharedProxies: org.allowSharedProxies ?? false,
    allowedProxies: org.allowedProxies ?? [],
    crawlingDefaults: org.crawlingDefaults ? toDefaults(org.crawlingDefaults) : null,
    lastCrawlFinished: wireTimeOrNull(org.lastCrawlFinished),
    ...profileOf(org),
    featureFlags: { dedupeEnabled: org.featureFlags?.dedupeEnabled ?? false },
    note: hasRole(access, 'owner') ? (org.note ?? null) : null,
  };
}
