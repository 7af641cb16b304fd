import type { BrowserRecord } from '../drivers/browser-driver.js';

/** Facts about a browser's launch that the commit needs. */
export interface Launch {
  /** Id for a new profile from this browser. */
  readonly profileId: string;
  /** Profile it started from; null: none. */
  readonly baseProfileId: string | null;
  readonly crawlerChannel: string;
  readonly proxyId: string | null;
}

/** The driver stores texts only. */
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
