import type { CrawlerSettings } from '../../config/app-config.js';
import type { ProcessLimits } from './cgroups.js';

/** The settings of the deployment that the local driver needs. */
export interface LocalSettings {
  /** Path of the data directory; it is absolute. */
  readonly dataDir: string;
  /** Path of the compiled crawler program. */
  readonly crawlerEntry: string;
  /** Path of the compiled program that opens tunnels to proxies. */
  readonly tunnelEntry: string;
  /** Variables for the programs that the crawler starts: PATH, certificates. */
  readonly programs: Readonly<Record<string, string>>;
  /** Path of the browser; empty: the crawler looks on its PATH. */
  readonly chromiumPath: string;
  readonly maxConcurrentBrowsers: number;
  readonly waczRolloverBytes: number;
  /** Whether the service signs WACZs; absent: it doesn't. */
  readonly signs?: boolean;
  /** Settings that crawlers in containers get too. */
  readonly crawler: Pick<
    CrawlerSettings,
    'sessionSeconds' | 'maxPages' | 'diskUsePercent' | 'rateLimitThreshold' | 'requestWaitSeconds'
  >;
  /** Whether crawls may reach private addresses. It does not hold for webhooks or storages. */
  readonly allowPrivate: boolean;
  /** Private addresses and ranges that crawls may always reach. */
  readonly allowAddresses: readonly string[];
  /** Directories below which crawls get control groups. Without any there are no hard limits. */
  readonly cgroups: readonly string[];
}

/**
 * Soft memory limit of a browser. For two windows 609 MiB were measured; the rest is room for heavy pages
 * (design/crawler.md §13).
 */
export const BASE_MEMORY_BYTES = 2 * 1024 ** 3;
const MEMORY_BYTES_PER_WINDOW = 512 * 1024 ** 2;

export function browserMemoryBytes(windows: number): number {
  return BASE_MEMORY_BYTES + windows * MEMORY_BYTES_PER_WINDOW;
}

/**
 * Hard limits of a crawler. The crawler ends pages that take too much memory long before this limit. The kernel ends
 * what the crawler misses.
 */
export function hardLimits(windows: number): ProcessLimits {
  return { memoryBytes: 2 * browserMemoryBytes(windows), cores: 1 + windows };
}

/** Path for the programs that the crawler starts. It comes before the service's own PATH. */
export const CHILD_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The part of the service's clock that the driver needs. */
export interface DriverClock {
  now(): Date;
  nowMs(): number;
}
