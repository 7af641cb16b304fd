import type { CrawlerSettings } from '../../config/app-config.js';
import type { BrowserRecord, BrowserSpec } from '../browser-driver.js';
import { CRAWLER_USER, instanceResources, proxyOptions, reachVariables, storeVariables } from './instance-plan.js';
import type { ServicePlan } from './service-runtime.js';

/** Port of the HTTP API of a browser's container, and of its live view (archive §8). */
export const BROWSER_PORT = 9223;

export interface BrowserSettings {
  /** A browser ends by itself this long after the last call. */
  readonly idleSeconds: number;
  readonly crawler: CrawlerSettings;
}

export const browserName = (browserId: string): string => `browser-${browserId}`;

/**
 * The container of a profile browser: the crawler image with another command (archive §8).
 * @throws when the storage is not S3: containers upload by themselves
 */
export function browserPlan(spec: BrowserSpec, { idleSeconds, crawler }: BrowserSettings): ServicePlan {
  const { browserId, oid, url, image, imagePullPolicy, storage, userId, baseProfile, proxy, labels } = spec;
  return {
    role: 'browser',
    name: browserName(browserId),
    image,
    imagePullPolicy,
    command: [
      ...['create-login-profile', '--interactive', '--filename', '/tmp/profile.tar.gz', '--url', url],
      ...['--shutdownWait', String(idleSeconds)],
      ...(baseProfile ? ['--profile', `@${baseProfile.key}`] : []),
      ...(proxy ? proxyOptions(proxy) : []),
    ],
    env: { HOME: '/crawls/home', STORE_USER: userId, ...storeVariables(storage), ...reachVariables(crawler) },
    ...instanceResources(1, crawler),
    user: CRAWLER_USER,
    ports: { api: BROWSER_PORT },
    restarts: false,
    notes: { browserId, oid, labels: JSON.stringify(labels) },
  };
}

export const recordOf = ({ notes }: { notes: Record<string, string> }): BrowserRecord => ({
  browserId: notes['browserId'] ?? '',
  oid: notes['oid'] ?? '',
  labels: JSON.parse(notes['labels'] ?? '{}') as Record<string, string>,
});
