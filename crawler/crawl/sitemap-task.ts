import { delay, errorText } from '../base/time.js';
import type { CrawlStore } from './context.js';
import type { PlainFetcher } from './plain-fetch.js';
import { RobotsRules } from './robots.js';
import { SitemapReader } from './sitemap.js';
import { httpUrl } from '../scope/url.js';

/** Interval in ms for asking whether another instance has read them. */
const POLL_MS = 1_000;

/** Reads the sitemaps of all seeds that ask for it while the crawl runs. */
export class SitemapTask {
  private running = false;
  private readonly abort = new AbortController();

  constructor(
    private readonly store: CrawlStore,
    private readonly fetcher: PlainFetcher,
  ) {}

  get isRunning(): boolean {
    return this.running;
  }

  stop(): void {
    this.abort.abort();
  }

  async run(): Promise<void> {
    const { seeds, frontier, changed, logger } = this.store;
    this.running = true;
    try {
      if (!(await this.isMine())) return;
      const robots = new RobotsRules(this.fetcher, '*');
      const reader = new SitemapReader(this.fetcher, this.abort.signal);
      for (let id = 0; id < seeds.count && !this.abort.signal.aborted; id++) await this.readSeed(id, robots, reader);
      if (!this.abort.signal.aborted) await frontier.sitemapsRead();
    } catch (error) {
      logger.warn('sitemap', 'Reading sitemaps failed', { error: errorText(error) });
    } finally {
      this.running = false;
      changed.notify();
    }
  }

  /** Waits until nobody else reads them. When an instance dies, the next one reads them. */
  private async isMine(): Promise<boolean> {
    const { frontier } = this.store;
    for (;;) {
      const answer = this.abort.signal.aborted ? 'done' : await frontier.sitemaps();
      if (answer !== 'wait') return answer === 'read';
      await delay(POLL_MS, this.abort.signal);
    }
  }

  private async readSeed(id: number, robots: RobotsRules, reader: SitemapReader): Promise<void> {
    const { seeds, links, frontier, changed, logger } = this.store;
    const { sitemap, url } = seeds.scope(id);
    if (!sitemap) return;
    const sink = {
      urls: async (urls: readonly string[]) => {
        if ((await links.addFromSitemap(id, urls)) > 0) changed.notify();
        return !frontier.isFull && !this.abort.signal.aborted;
      },
      failed: (address: string, message: string) =>
        logger.warn('sitemap', 'Sitemap not read', { url: address, message }),
    };
    const named = typeof sitemap === 'string' ? httpUrl(sitemap, url)?.href : undefined;
    const addresses = named ? [named] : [...(await robots.sitemaps(url)), new URL('/sitemap.xml', url).href];
    const count = await reader.readAll(addresses, sink);
    logger.info('sitemap', 'Sitemap read', { seed: url, urls: count });
  }
}
