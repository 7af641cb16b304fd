import { isStorageFull } from '../base/synced-file.js';
import { errorText, settled } from '../base/time.js';
import { BrowserNotFound } from '../browser/executable.js';
import { BrowserCrashed } from '../browser/pool.js';
import type { Channel } from '../channel/channel.js';
import type { Logger } from '../channel/logger.js';
import { UpstreamFailed } from '../guard/dialer.js';
import { Network } from '../guard/network.js';
import {
  ASKED_ENDINGS,
  type CrawlerStats,
  type CrawlModeConfig,
  type ExitReason,
  type InstanceStatus,
  type ToChild,
} from '../protocol.js';
import { compilePattern, InvalidPattern } from '../../formats/pattern/pattern.js';
import type { CrawlStore, EndCrawl } from './context.js';
import { diskUsePercent, memoryBytes } from './machine.js';
import { closeStore, openStore } from './open-store.js';
import { openTools, type Environment, type OpenedTools } from './open-tools.js';
import { Output } from './output.js';
import { QueueLost, type FoundPage } from './page-queue.js';
import { PageWorker } from './page-worker.js';
import { BadProfileArchive, ProfileFolder } from '../profile/profile-files.js';
import { SitemapTask } from './sitemap-task.js';
import type { RestoredState } from './state-log.js';
import { Windows } from './windows.js';

const STATS_MS = 2_000;
const MEMORY_EVERY = 5;
const QUEUE_CHUNK = 1_000;
/** How long direct fetches (large media) may go on after the last page. After a stop the time is much shorter. */
const FETCH_GRACE_MS = 300_000;
const STOP_FETCH_GRACE_MS = 30_000;

/** Reasons that end in finished WACZ files. After any other reason the directory waits to be resumed or deleted. */
const PACKED: ReadonlySet<ExitReason> = new Set(['finished', 'stopped', 'paused', 'disk_use']);
/** Reasons that leave no time for pages in flight. */
const AT_ONCE: ReadonlySet<ExitReason> = new Set(['canceled', 'disconnected', 'browser_crashed', 'out_of_space']);

/** One crawl from start to exit. */
export class CrawlRun {
  private ending: ExitReason | null = null;
  private failReason: string | undefined;
  private windows: Windows | null = null;
  private worker: PageWorker | null = null;
  private opened: OpenedTools | null = null;
  private sitemaps: SitemapTask | null = null;
  /** The number of windows asked for last. The message may come before there are windows. */
  private wantedWindows: number;
  private casting = false;
  private memory = 0;
  private ticks = 0;
  private stopping: Promise<void> | null = null;
  private readonly output: Output;

  private constructor(
    private readonly config: CrawlModeConfig,
    private readonly channel: Channel,
    private readonly logger: Logger,
    private readonly environment: Environment,
    private readonly store: CrawlStore,
    private readonly restored: RestoredState,
  ) {
    this.output = new Output(config.dir);
    this.wantedWindows = config.windows;
  }

  /** @throws InvalidSeed, InvalidPattern when the config can't be used. */
  static async open(
    config: CrawlModeConfig,
    channel: Channel,
    logger: Logger,
    environment: Environment,
  ): Promise<CrawlRun> {
    const { store, restored } = await openStore(config, channel, logger);
    return new CrawlRun(config, channel, logger, environment, store, restored);
  }

  /** Runs to the end and returns the reason. Everything is written and closed by then. */
  async run(): Promise<{ reason: ExitReason; failReason?: string }> {
    await this.output.prepare();
    const timer = setInterval(() => void this.sendStats(), STATS_MS);
    try {
      await this.crawl();
    } catch (error) {
      this.logger.log('fatal', 'general', 'Crawl failed', { error: errorText(error) });
      this.end(reasonOf(error));
    }
    let reason = this.ending ?? 'error';
    try {
      reason = await this.conclude(reason);
    } catch (error) {
      this.logger.error('general', 'Packing failed', { error: errorText(error) });
      reason = reasonOf(error);
    }
    clearInterval(timer);
    await this.sendStats();
    await closeStore(this.store);
    return { reason, ...(this.failReason ? { failReason: this.failReason } : {}) };
  }

  /** Packs the directory's content without a browser. */
  async packOnly(reason: 'stopped' | 'paused'): Promise<ExitReason> {
    await this.output.prepare();
    this.sendStatus('generate-wacz');
    await this.store.segments.packLeftovers(this.restored.segments);
    await this.untilStored();
    await this.sendStats();
    await closeStore(this.store);
    return reason;
  }

  handle(message: ToChild): void {
    switch (message.t) {
      case 'pause':
      case 'stop':
      case 'quit':
      case 'cancel':
        return this.end(ASKED_ENDINGS[message.t]);
      case 'setWindows':
        this.wantedWindows = message.n;
        return this.windows?.setCount(message.n);
      case 'cast':
        this.casting = message.on;
        return void this.windows?.cast(message.on).catch(() => undefined);
      case 'exclude':
        return void this.exclude(message.add, message.regex).catch(() => undefined);
      case 'queue':
        return this.reply(message);
      case 'stored':
        return this.output.markStored(message.file);
      case 'signature':
        return this.store.segments.signatures.received(message);
      default:
        return;
    }
  }

  /** Ends the run when the API is gone. A later process continues from the directory. */
  disconnected(): void {
    this.end('disconnected');
  }

  private readonly end: EndCrawl = (reason, failReason) => {
    // A crawl that is packing can still be cancelled or left. All other later reasons are ignored.
    if (this.ending !== null && !(AT_ONCE.has(reason) && !AT_ONCE.has(this.ending))) return;
    this.ending = reason;
    this.failReason ??= failReason;
    this.sitemaps?.stop();
    if (AT_ONCE.has(reason)) this.opened?.tools.pool.kill();
    if (this.windows) this.stopping = this.windows.stop(AT_ONCE.has(reason) ? 500 : undefined);
    this.store.changed.notify();
  };

  private async crawl(): Promise<void> {
    const { store, config } = this;
    await store.segments.open(this.restored.segments);
    this.logger.info('general', 'Crawl starting', { resumed: this.restored.seeded, seeds: store.seeds.count });
    const network = await Network.start(config, this.logger, () => this.end('proxy'));
    try {
      await new ProfileFolder(config.dir).restore(config.hasProfile === true);
      await this.store.frontier.open();
      if (!(await this.store.frontier.isSeeded())) await this.queueSeeds();
      await this.visitPages(network);
    } finally {
      await this.opened?.tools.direct.close();
      await this.opened?.tools.pool.close();
      await this.opened?.fetcher.close();
      await network.close();
    }
  }

  private async visitPages(network: Network): Promise<void> {
    const { store } = this;
    const hooks = {
      ownerOf: (frameId: string | undefined) => this.worker?.ownerOf(frameId) ?? null,
      onPopup: (url: string) => this.worker?.ownerOf(undefined)?.addPopup(url),
    };
    const opened = await openTools(store, network, this.environment, hooks);
    this.opened = opened;
    store.segments.browser = `Chromium ${opened.browserVersion}`;
    this.worker = new PageWorker(store, opened.tools, this.end);
    // A former process may have died before it could end the crawl.
    if (this.restored.failedSeed !== null) this.worker.failSeed(this.restored.failedSeed);
    if (this.ending) return;
    this.channel.send({ t: 'hello', pid: process.pid, browserVersion: opened.browserVersion });
    await opened.tools.pool.ready();
    if (this.ending) return;
    this.sendStatus('running');
    this.sitemaps = new SitemapTask(store, opened.fetcher);
    const reading = this.sitemaps.run();
    const mayGrow = () => this.sitemaps?.isRunning === true;
    this.windows = new Windows(store, opened.tools, this.worker, this.end, mayGrow, () => this.afterPage());
    await this.windows.cast(this.casting);
    this.windows.setCount(this.wantedWindows);
    await this.windows.done();
    await this.stopping;
    this.end('finished');
    await settled(reading, 5_000);
    const grace = this.ending === 'finished' ? FETCH_GRACE_MS : STOP_FETCH_GRACE_MS;
    if (this.ending && PACKED.has(this.ending)) {
      const until = Date.now() + grace;
      await opened.tools.streams.finish(grace);
      await opened.tools.direct.finish(Math.max(0, until - Date.now()));
      await this.saveProfile();
    }
  }

  private async queueSeeds(): Promise<void> {
    const { seeds, frontier } = this.store;
    for (let from = 0; from < seeds.count; from += QUEUE_CHUNK) {
      const pages: FoundPage[] = [];
      for (let id = from; id < Math.min(seeds.count, from + QUEUE_CHUNK); id++) {
        const { url, allowHash } = seeds.scope(id);
        const queued = seeds.scope(id).queueForm(url);
        pages.push({ url: queued, depth: 0, hops: 0, seedId: id, seed: true, allowHash });
      }
      await frontier.add(pages);
    }
    await frontier.markSeeded();
  }

  /** Checks limits and roll-over after each page. */
  private async afterPage(): Promise<void> {
    const { config, store } = this;
    if (store.segments.packFailure) throw store.segments.packFailure;
    const tooOld = config.sessionSeconds > 0 && store.segments.ageMs > config.sessionSeconds * 1000;
    if (this.ending === null && (store.segments.bytes >= config.rolloverBytes || tooOld))
      await store.segments.rollOver();
    if (config.diskUsePercent > 0 && (await diskUsePercent(config.dir)) > config.diskUsePercent) {
      this.logger.log('interrupt', 'general', 'Disk use over the limit, ending', {
        limitPercent: config.diskUsePercent,
      });
      this.end('disk_use');
    }
  }

  private async saveProfile(): Promise<void> {
    if (!this.config.saveProfile || this.ending !== 'finished') return;
    const browser = this.opened?.tools.pool.browser;
    const files = new ProfileFolder(this.config.dir);
    if (browser) await files.keepSessionCookies(browser);
    await this.opened?.tools.pool.close();
    const file = await files.pack(`profile-${this.config.jobId}.tar.gz`);
    await this.channel.journal({ t: 'profile', file });
  }

  /** Finishes the run after the last page. */
  private async conclude(reason: ExitReason): Promise<ExitReason> {
    const { segments, frontier } = this.store;
    if (PACKED.has(reason)) {
      if (reason === 'finished' && !this.hasAnyPage()) {
        this.logger.log('fatal', 'general', 'No page could be crawled');
        await segments.suspend();
        return 'failed';
      }
      await this.store.writer.idle();
      this.sendStatus('generate-wacz');
      this.logger.info('general', 'Crawl ended', { reason, found: frontier.found, done: frontier.done });
      await segments.finish();
      await this.untilStored();
      return this.ending ?? reason;
    }
    await this.store.writer.idle();
    this.logger.log('interrupt', 'general', 'Crawl ended', { reason });
    await segments.suspend();
    return reason;
  }

  private hasAnyPage(): boolean {
    const { done, failed } = this.store.frontier;
    return (this.worker?.successes ?? 0) > 0 || this.restored.done.size > 0 || done > failed;
  }

  private async untilStored(): Promise<void> {
    if ((await this.output.waiting()).length === 0) return;
    this.sendStatus('uploading-wacz');
    const leaving = () => this.ending === 'canceled' || this.ending === 'disconnected' || this.ending === 'quit';
    await this.output.allStored(leaving);
  }

  private async exclude(add: boolean, regex: string): Promise<void> {
    const { exclusions, frontier, state, changed, logger } = this.store;
    try {
      const pattern = add ? exclusions.add(regex) : null;
      if (!add) exclusions.remove(regex);
      await state.append({ t: 'exclusion', add, regex });
      if (!pattern) return;
      const matches = (url: string) => pattern.test(url);
      const dropped = await frontier.drop(matches);
      this.worker?.stopMatching(matches);
      logger.info('general', 'Exclusion added', { regex, dropped });
      changed.notify();
    } catch (error) {
      if (!(error instanceof InvalidPattern)) throw error;
      logger.warn('general', 'Exclusion refused', { regex, error: error.message });
    }
  }

  private reply({ rid, offset, count, regex }: Extract<ToChild, { t: 'queue' }>): void {
    const { frontier } = this.store;
    const urls = frontier.list(Math.max(0, offset), Math.max(0, count));
    let matched: string[] = [];
    try {
      const pattern = regex ? compilePattern(regex) : null;
      if (pattern) matched = urls.filter((url) => pattern.test(url));
    } catch {
      // A pattern that does not compile matches nothing.
    }
    this.channel.send({ t: 'reply', rid, kind: 'queue', total: frontier.pending, urls, matched });
  }

  private sendStatus(status: InstanceStatus): void {
    this.channel.send({ t: 'state', status });
  }

  private async sendStats(): Promise<void> {
    const { frontier, limiter } = this.store;
    if (this.ticks++ % MEMORY_EVERY === 0) {
      const browser = (await this.opened?.tools.memory().catch(() => 0)) ?? 0;
      this.memory = browser + (await memoryBytes([process.pid]));
    }
    const stats: CrawlerStats = {
      found: frontier.found,
      done: frontier.done,
      failed: frontier.failed,
      pendingBytes: await this.output.pendingBytes(),
      rateLimited: limiter.isLimited,
      ...(limiter.isLimited ? { rateLimitMs: limiter.backoffMs } : {}),
      ...(this.failReason ? { failReason: this.failReason } : {}),
      windows: this.windows?.count ?? 0,
      memoryBytes: this.memory,
    };
    this.channel.send({ t: 'stats', ...stats });
  }
}

function reasonOf(error: unknown): ExitReason {
  if (isStorageFull(error)) return 'out_of_space';
  if (error instanceof QueueLost) return 'store_lost';
  if (error instanceof BrowserCrashed) return 'browser_crashed';
  if (error instanceof UpstreamFailed) return 'proxy';
  // Another try would find neither a browser nor a better archive.
  return error instanceof BrowserNotFound || error instanceof BadProfileArchive ? 'config_refused' : 'error';
}
