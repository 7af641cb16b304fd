import type { BrowserRecord } from '../drivers/browser-driver.js';

/** What a browser remembers of its launch, for the commit. */
export interface Launch {
  /** Id that a new profile from this browser gets. */
  readonly profileId: string;
  /** Profile it started from; null: from nothing. */
  readonly baseProfileId: string | null;
  readonly crawlerChannel: string;
  readonly proxyId: string | null;
}

/** The driver keeps texts only. */
export const toLabels = (launch: Launch): Record<string, string> => ({
  profileId: launch.profileId,
  baseProfileId: launch.baseProfileId ?? '',
  crawlerChannel: launch.crawlerChannel,
  proxyId: launch.proxyId ?? '',
});

export const launchOf = ({ labels }: BrowserRecord): Launch => ({
  profileId: labels['profileId'] ?? '',
  baseProfileId: labels['baseProfileId'] || null,
  crawlerChannel: labels['crawlerChannel'] || 'default',
  proxyId: labels['proxyId'] || null,
});
