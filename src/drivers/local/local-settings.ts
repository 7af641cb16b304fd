import type { CrawlerSettings } from '../../config/app-config.js';
import type { ProcessLimits } from './cgroups.js';

/** What the local driver needs to know of the deployment. */
export interface LocalSettings {
  /** Absolute. */
  readonly dataDir: string;
  /** The compiled crawler program. */
  readonly crawlerEntry: string;
  /** The compiled program of tunnels to proxies. */
  readonly tunnelEntry: string;
  /** Variables for the programs that the crawler starts: PATH, certificates. */
  readonly programs: Readonly<Record<string, string>>;
  /** Empty: the crawler looks on its PATH. */
  readonly chromiumPath: string;
  readonly maxConcurrentBrowsers: number;
  readonly waczRolloverBytes: number;
  /** What crawlers in containers are told, the embedded crawler keeps as well. */
  readonly crawler: Pick<
    CrawlerSettings,
    'sessionSeconds' | 'diskUsePercent' | 'rateLimitThreshold' | 'requestWaitSeconds'
  >;
  /** Crawls, not webhooks or storages, may reach private addresses. */
  readonly allowPrivate: boolean;
  /** Private addresses and ranges that they may reach all the same. */
  readonly allowAddresses: readonly string[];
  /** Directories below which crawls get control groups; none: no hard limits. */
  readonly cgroups: readonly string[];
}

/** Soft memory limit of a browser: 609 MiB were measured for two windows, plus room for heavy pages (design/crawler.md §13). */
export const BASE_MEMORY_BYTES = 2 * 1024 ** 3;
const MEMORY_BYTES_PER_WINDOW = 512 * 1024 ** 2;

export function browserMemoryBytes(windows: number): number {
  return BASE_MEMORY_BYTES + windows * MEMORY_BYTES_PER_WINDOW;
}

/** The crawler ends pages that take too much long before the memory limit; what it misses, the kernel ends. */
export function hardLimits(windows: number): ProcessLimits {
  return { memoryBytes: 2 * browserMemoryBytes(windows), cores: 1 + windows };
}

/** Where the crawler finds the programs it starts, before the service's own PATH. */
export const CHILD_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The service's clock as far as the driver needs it. */
export interface DriverClock {
  now(): Date;
  nowMs(): number;
}
