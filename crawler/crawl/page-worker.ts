import { errorText, nowIso, withTimeout } from '../base/time.js';
import type { BrowserWindow } from '../browser/window.js';
import { PageRun, type PageOutcome } from '../page/page-run.js';
import { VISIT_SLACK_MS } from '../page/visit-time.js';
import type { OriginalCapture, PageRow } from '../protocol.js';
import { hostOf, httpUrl, withoutCredentials } from '../scope/url.js';
import type { CrawlStore, CrawlTools, EndCrawl } from './context.js';
import { isLastTry, isWornOut, type RetryOptions } from './page-queue.js';
import { RATE_RETRIES } from './rate-limit.js';
import { isFailedSeed, type QueuedPage } from './state-log.js';

/** Most characters of a page's text in the list of pages, read by line; its `urn:text` has them all. */
const MAX_TEXT = 1_000_000;

/** Visits one page in a window and records the result. */
export class PageWorker {
  private readonly running = new Set<PageRun>();
  private succeeded = 0;

  constructor(
    private readonly store: CrawlStore,
    private readonly tools: CrawlTools,
    private readonly end: EndCrawl,
  ) {}

  /** Number of this process's pages that were reached, whatever their status. */
  get successes(): number {
    return this.succeeded;
  }

  get runs(): Iterable<PageRun> {
    return this.running;
  }

  /** The visit of a frame. Requests of workers name no known frame; they count for the page being visited. */
  ownerOf(frameId: string | undefined): PageRun | null {
    let any: PageRun | null = null;
    for (const run of this.running) {
      if (frameId !== undefined && run.ownsFrame(frameId)) return run;
      any ??= run;
    }
    return any;
  }

  stopMatching(matches: (url: string) => boolean): void {
    for (const run of this.running) if (matches(run.url)) run.giveUp();
  }

  /** Visits the page. @throws when the window has become unusable (crash, hang); the page is queued again */
  async process(page: QueuedPage, window: BrowserWindow): Promise<void> {
    const { frontier, exclusions, logger } = this.store;
    // The check is repeated right before the visit, because the browser itself would open file: and chrome: addresses.
    if (!httpUrl(page.url)) return frontier.abandon(page);
    if (exclusions.excludes(page.url)) return frontier.abandon(page);
    if (isWornOut(page)) return this.afterCrash(page, 'the process died each time the page was visited');
    if (this.tools.robots && !(await this.tools.robots.allows(page.url))) {
      logger.info('robots', 'Page disallowed by robots.txt', { url: page.url });
      return frontier.abandon(page);
    }
    logger.debug('worker', 'Starting page', { page: page.url, window: window.index });
    const run = new PageRun(page, window, this.pageServices());
    this.running.add(run);
    let outcome: PageOutcome;
    try {
      outcome = await withTimeout(run.run(), this.tools.page.settings.limitMs + VISIT_SLACK_MS, 'page');
    } catch (error) {
      run.stop();
      if (this.wasInterrupted(run)) await this.leave(page);
      else await this.afterCrash(page, errorText(error));
      throw error;
    } finally {
      this.running.delete(run);
    }
    const unwanted = run.wasGivenUp && exclusions.excludes(page.url);
    if (unwanted || (outcome.loadState === 0 && this.wasInterrupted(run))) return this.leave(page);
    await this.conclude(page, window, outcome);
  }

  private wasInterrupted(run: PageRun): boolean {
    return run.wasGivenUp || this.tools.pool.isClosed;
  }

  /** Leaves a page without a fault of its own to a later process, unless it is excluded now. */
  private leave(page: QueuedPage): Promise<void> {
    const { frontier, exclusions } = this.store;
    return exclusions.excludes(page.url) ? frontier.abandon(page) : frontier.giveBack(page);
  }

  private async conclude(page: QueuedPage, window: BrowserWindow, outcome: PageOutcome): Promise<void> {
    const { frontier, limiter, logger } = this.store;
    const { status, retryAfterMs } = outcome;
    if (!(await frontier.owns(page))) {
      logger.info('worker', 'Page was given to another instance', { page: page.url });
      return;
    }
    const backoff = limiter.judge({ host: hostOf(page.url), status, retryAfterMs });
    if (backoff !== null) {
      logger.warn('pageStatus', 'Page rate limited', { page: page.url, status, backoffMs: backoff });
      await this.retry(page, { ...outcome, loadState: 0 }, { delayMs: backoff, most: RATE_RETRIES });
      if (limiter.isLimited) this.end('rate_limited');
      return;
    }
    if (outcome.loadState === 0) {
      const final = isLastTry(page);
      logger.log(final ? 'error' : 'warn', 'pageStatus', 'Page load failed', {
        page: page.url,
        msg: outcome.error,
        status,
        retry: page.retries,
      });
      return this.retry(page, outcome);
    }
    this.succeeded++;
    if (page.seed) this.followRedirect(page, window);
    if (outcome.original) return this.finishUnchanged(page, outcome.original);
    await this.writeRow(page, outcome);
    await frontier.finish(page);
    logger.info('pageStatus', 'Page finished', { page: page.url, loadState: outcome.loadState, status });
  }

  /** Finishes a page that was not run. It is not in the list of pages: there is nothing to compare it with. */
  private async finishUnchanged(page: QueuedPage, { date, itemId }: OriginalCapture): Promise<void> {
    const { frontier, logger } = this.store;
    await this.syncRecords();
    await frontier.finish(page);
    logger.info('pageStatus', 'Page unchanged, skipped', { page: page.url, since: date, item: itemId });
  }

  /** Records and links of a page are on disk before the page counts as done: lost in a crash, they would not come back. */
  private async syncRecords(): Promise<void> {
    const { segments, cdx, state } = this.store;
    await Promise.all([segments.sync(), cdx.sync(), state.sync()]);
  }

  /** Counts a failed try. The last failed try writes the page's row. */
  private async retry(page: QueuedPage, outcome: PageOutcome, options: RetryOptions = {}): Promise<void> {
    if (isLastTry(page, options.most)) await this.writeRow(page, outcome);
    await this.store.frontier.retry(page, options);
  }

  /** Ends the crawl when no seed may fail. */
  failSeed(url: string): void {
    const { config, logger } = this.store;
    if (!config.config.failOnFailedSeed) return;
    logger.log('fatal', 'general', 'Seed page failed, failing crawl', { url });
    this.end('failed');
  }

  /**
   * Writes a page's row, after its records and links. The row is on disk and in the journal before the page counts as
   * done.
   */
  private async writeRow(page: QueuedPage, outcome: PageOutcome): Promise<void> {
    const { pages, channel, segments } = this.store;
    const { title, mime, status, favIconUrl, loadState, ts, text } = outcome;
    const html = mime === undefined || /html/.test(mime);
    const row: PageRow = {
      id: page.pageId,
      url: withoutCredentials(page.url),
      ...(html && title !== undefined ? { title } : {}),
      loadState,
      ts: ts || nowIso(),
      ...(mime ? { mime } : {}),
      ...(status !== undefined ? { status } : {}),
      ...(page.depth === 0 ? { seed: true as const } : {}),
      depth: page.depth,
      ...(favIconUrl ? { favIconUrl } : {}),
      filename: segments.wacz,
    };
    await this.syncRecords();
    await pages.append({ ...row, ...(text ? { text: text.slice(0, MAX_TEXT) } : {}) });
    await pages.sync();
    await channel.journal({ t: 'page', row });
    await channel.sync();
    if (isFailedSeed(row)) this.failSeed(row.url);
  }

  private async afterCrash(page: QueuedPage, message: string): Promise<void> {
    const level = isLastTry(page) ? 'error' : 'warn';
    this.store.logger.log(level, 'pageStatus', 'Page crashed', { page: page.url, msg: message });
    await this.retry(page, { loadState: 0, ts: nowIso() });
  }

  /** Adds the scope of the site to which a seed was redirected: that site is what the user asked for. */
  private followRedirect(page: QueuedPage, window: BrowserWindow): void {
    const { seeds, frontier } = this.store;
    const url = window.page.url();
    if (!httpUrl(url) || seeds.judge(page.seedId, url, 0, 0).inScope) return;
    seeds.addRedirect(page.seedId, url);
    frontier.keepRedirect(page.seedId, url).catch(() => undefined);
  }

  private pageServices() {
    const { writer, logger, links, changed, config } = this.store;
    return {
      ...this.tools.page,
      capture: this.tools.capture(),
      direct: this.tools.direct,
      writer,
      logger,
      onLinks: async (from: QueuedPage, urls: readonly string[]) => {
        if ((await links.addFrom(from, urls)) > 0) changed.notify();
      },
      onContentCheck: (reason: string) => {
        logger.error('behavior', 'Content check failed', { reason });
        if (config.config.failOnContentCheck) this.end('content_check', reason);
      },
    };
  }
}
