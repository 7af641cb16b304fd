import type { ExcludedUrls } from '../scope/scope.js';
import { httpUrl } from '../scope/url.js';
import type { FoundPage, PageQueue } from './page-queue.js';
import type { Seeds } from './seeds.js';
import type { QueuedPage } from './state-log.js';

/** Links judged without a pause for other work; a page may hold 200,000 links. */
const CHUNK = 500;

/** Decides which URLs become pages. */
export class LinkQueue {
  constructor(
    private readonly seeds: Seeds,
    private readonly frontier: PageQueue,
    private readonly exclusions: ExcludedUrls,
  ) {}

  /** Queues the links of a page that are in scope; returns how many are new. */
  async addFrom(page: QueuedPage, urls: readonly string[]): Promise<number> {
    return this.add(urls, { seedId: page.seedId, depth: page.depth + 1, hops: page.hops });
  }

  /** Queues URLs of a sitemap: depth 1, in scope only. */
  async addFromSitemap(seedId: number, urls: readonly string[]): Promise<number> {
    return this.add(urls, { seedId, depth: 1, hops: 0 }, true);
  }

  private async add(
    urls: readonly string[],
    from: { seedId: number; depth: number; hops: number },
    withinScopeOnly = false,
  ): Promise<number> {
    const scope = this.seeds.scope(from.seedId);
    let added = 0;
    for (let at = 0; at < urls.length; at += CHUNK) {
      if (this.frontier.isFull) break;
      const pages: FoundPage[] = [];
      for (const text of urls.slice(at, at + CHUNK)) {
        const href = httpUrl(text)?.href;
        if (!href) continue;
        const url = scope.queueForm(href);
        if (this.frontier.hasSeen(url, scope.allowHash)) continue;
        const verdict = this.seeds.judge(from.seedId, url, from.depth, from.hops);
        if (!verdict.inScope || (withinScopeOnly && verdict.hops > from.hops)) continue;
        if (this.exclusions.excludes(url)) continue;
        const { seedId, depth } = from;
        pages.push({ url, depth, hops: verdict.hops, seedId, seed: false, allowHash: scope.allowHash });
      }
      added += await this.frontier.add(pages);
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    return added;
  }
}
