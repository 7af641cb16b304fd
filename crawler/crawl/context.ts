import type { AppendLog } from '../base/append-log.js';
import type { Condition } from '../base/condition.js';
import type { BrowserPool } from '../browser/pool.js';
import type { DirectFetcher } from '../capture/direct-fetch.js';
import type { FetchCapture } from '../capture/fetch-capture.js';
import type { StreamFetcher } from '../capture/stream-fetch.js';
import type { Channel } from '../channel/channel.js';
import type { Logger } from '../channel/logger.js';
import type { PageServices } from '../page/page-run.js';
import type { CrawlModeConfig, ExitReason } from '../protocol.js';
import type { ExcludedUrls } from '../scope/scope.js';
import type { CaptureWriter } from '../warc/capture-writer.js';
import type { Segments } from '../wacz/segments.js';
import type { LinkQueue } from './links.js';
import type { PageQueue } from './page-queue.js';
import type { RateLimiter } from './rate-limit.js';
import type { RobotsRules } from './robots.js';
import type { Seeds } from './seeds.js';
import type { StateLog } from './state-log.js';

/** What a crawl keeps on disk and in mind; needs no browser. */
export interface CrawlStore {
  config: CrawlModeConfig;
  channel: Channel;
  logger: Logger;
  state: StateLog;
  pages: AppendLog;
  cdx: AppendLog;
  segments: Segments;
  writer: CaptureWriter;
  seeds: Seeds;
  frontier: PageQueue;
  exclusions: ExcludedUrls;
  links: LinkQueue;
  limiter: RateLimiter;
  /** Signalled when pages were queued or finished, windows changed, or the crawl is ending. */
  changed: Condition;
}

/** What it needs beside that to visit pages. */
export interface CrawlTools {
  pool: BrowserPool;
  direct: DirectFetcher;
  streams: StreamFetcher;
  robots: RobotsRules | null;
  /** The capture of the browser that runs now. */
  capture: () => FetchCapture;
  /** Memory of the browser's processes, bytes. */
  memory: () => Promise<number>;
  page: Pick<PageServices, 'settings' | 'behaviors' | 'workers' | 'refusalOf'>;
}

/** How parts of a running crawl end it. The first reason counts. */
export type EndCrawl = (reason: ExitReason, failReason?: string) => void;
