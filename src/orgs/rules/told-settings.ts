import { QUOTA_NAMES, type Org } from '../data/org.schema.js';

/**
 * Settings of an org whose values the audit log tells, by their paths. Left out are texts that people wrote (name,
 * note, descriptions, reasons), addresses, and whatever is secret: of those the log has the names of the fields alone.
 */
const TOLD_SETTINGS = [
  'slug',
  'readOnly',
  'enablePublicProfile',
  'secondFactorDemanded',
  'allowSharedProxies',
  'featureFlags.dedupeEnabled',
  'storage.name',
  'storage.custom',
  'subscription.subId',
  'subscription.status',
  'subscription.planId',
  'subscription.readOnlyOnCancel',
  ...QUOTA_NAMES.map((name) => `quotas.${name}`),
  'crawlingDefaults.crawlTimeout',
  'crawlingDefaults.maxCrawlSize',
  'crawlingDefaults.pageLoadTimeout',
  'crawlingDefaults.postLoadDelay',
  'crawlingDefaults.behaviorTimeout',
  'crawlingDefaults.pageExtraDelay',
  'crawlingDefaults.blockAds',
  'crawlingDefaults.profileid',
  'crawlingDefaults.crawlerChannel',
  'crawlingDefaults.proxyId',
  'crawlingDefaults.lang',
  'crawlingDefaults.dedupeCollId',
];

export interface SettingChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

const at = (org: Org | null, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], org) ?? null;

/** What differs between an org as it was and as it is. */
export const changesOf = (before: Org | null, after: Org | null): SettingChange[] =>
  TOLD_SETTINGS.map((field) => ({ field, before: at(before, field), after: at(after, field) })).filter(
    (change) => change.before !== change.after,
  );
