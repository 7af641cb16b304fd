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

/** The state of a crawl on disk and in memory; it needs no browser. */
export interface CrawlStore {
  readonly config: CrawlModeConfig;
  readonly channel: Channel;
  readonly logger: Logger;
  readonly state: StateLog;
  readonly pages: AppendLog;
  readonly cdx: AppendLog;
  readonly segments: Segments;
  readonly writer: CaptureWriter;
  readonly seeds: Seeds;
  readonly frontier: PageQueue;
  readonly exclusions: ExcludedUrls;
  readonly links: LinkQueue;
  readonly limiter: RateLimiter;
  /** Signalled when pages were queued or finished, windows changed, or the crawl is ending. */
  readonly changed: Condition;
}

/** The further tools that a crawl needs to visit pages. */
export interface CrawlTools {
  readonly pool: BrowserPool;
  readonly direct: DirectFetcher;
  readonly streams: StreamFetcher;
  readonly robots: RobotsRules | null;
  /** Gives the capture of the browser that runs now. */
  readonly capture: () => FetchCapture;
  /** Memory of the browser's processes, bytes. */
  readonly memory: () => Promise<number>;
  readonly page: Pick<PageServices, 'settings' | 'behaviors' | 'workers' | 'refusalOf'>;
}

/** Ends a running crawl from within. The first reason counts. */
export type EndCrawl = (reason: ExitReason, failReason?: string) => void;
