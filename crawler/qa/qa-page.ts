/// <reference lib="dom" />
import type { Page, Response } from 'playwright-core';
import { delay, errorText, withTimeout } from '../base/time.js';
import type { BrowserWindow } from '../browser/window.js';
import { PageInfo, resourceInfo, type ResourceInfo } from '../capture/page-info.js';
import type { Behaviors } from '../page/behaviors.js';
import { stillVideos, thumbnailOf, viewScreenshot } from '../page/screenshots.js';
import { extractText } from '../page/text.js';
import type { QaComparison } from '../protocol.js';
import type { PageRecords } from './page-records.js';
import type { Comparer } from './comparer.js';
import { countResources, originalUrl, replayUrl, type Counts } from './replay-url.js';
import { SourceUnreadable } from './source-file.js';
import type { SourcePage } from './wacz-pages.js';

const LOAD_TIMEOUT_MS = 60_000;
const IDLE_MS = 5_000;
const STEP_TIMEOUT_MS = 30_000;

export interface QaVisit {
  readonly comparison: QaComparison;
  /** Screenshot of the replayed page. */
  readonly view?: Buffer;
  readonly thumbnail?: Buffer;
  readonly text?: string;
  readonly info: object;
  readonly loaded: boolean;
}

interface CrawledInfo {
  readonly urls?: Record<string, { status?: number }>;
}

/** Replays one page in a window and compares it with what the crawl saw. Design crawler.md §10. */
export class QaPage {
  constructor(
    private readonly window: BrowserWindow,
    private readonly origin: string,
    private readonly services: { behaviors: Behaviors; comparer: Comparer; records: PageRecords },
  ) {}

  async visit(row: SourcePage, signal: AbortSignal): Promise<QaVisit> {
    const { page, session } = this.window;
    if (!page.url().startsWith(`${this.origin}/replay/`)) await page.goto(`${this.origin}/replay/host.html`);
    const info = new PageInfo(page);
    const resources = new Map<string, ResourceInfo>();
    const onResponse = (response: Response) => this.note(resources, response);
    page.on('response', onResponse);
    try {
      const loaded = await this.load(page, row);
      await this.idle(info, signal);
      const text = await step(extractText(session), 'text').catch(() => undefined);
      await stillVideos(page);
      const view = await viewScreenshot(this.window).catch(() => undefined);
      const quiet = (): Promise<void> => this.idle(info, signal);
      await this.services.behaviors.run({ page, session, quiet }, silentHost, signal);
      await this.idle(info, signal);
      const crawl = await this.crawled(row);
      const replay = countResources([...resources].map(([url, { status }]) => [url, status] as const));
      const comparison = await this.compare(crawl, { text, view, counts: replay });
      const record = info.record({ pageid: row.id, url: row.url, ts: row.ts, tsStatus: row.status ?? 0 });
      return {
        comparison,
        loaded,
        info: { ...record, urls: Object.fromEntries(resources) },
        ...(text !== undefined ? { text } : {}),
        ...(view ? { view, thumbnail: await thumbnailOf(view) } : {}),
      };
    } finally {
      page.off('response', onResponse);
      info.stop();
    }
  }

  /** Puts the page into the frame. The frame is made anew, so that it has no history to go back to. */
  private async load(page: Page, row: SourcePage): Promise<boolean> {
    const url = replayUrl(this.origin, row.url, row.ts);
    try {
      return await withTimeout(page.evaluate(showInFrame, url), LOAD_TIMEOUT_MS, 'replay');
    } catch {
      return false;
    }
  }

  private async crawled(row: SourcePage): Promise<{ text?: string; view?: Buffer; counts: Counts | null }> {
    const { records } = this.services;
    const [text, view, info] = await Promise.all([
      records.read('text', row.url).catch(orNull),
      records.read('view', row.url).catch(orNull),
      records.read('pageinfo', row.url).catch(orNull),
    ]);
    return {
      ...(text ? { text: text.toString('utf8') } : {}),
      ...(view ? { view } : {}),
      counts: info ? countCrawled(info) : null,
    };
  }

  private async compare(
    crawl: { text?: string; view?: Buffer; counts: Counts | null },
    replay: { text: string | undefined; view: Buffer | undefined; counts: Counts },
  ): Promise<QaComparison> {
    const answer = await this.services.comparer.compare({
      ...(crawl.view && replay.view ? { view: [crawl.view, replay.view] as [Uint8Array, Uint8Array] } : {}),
      ...(crawl.text !== undefined && replay.text !== undefined
        ? { text: [crawl.text, replay.text] as [string, string] }
        : {}),
    });
    // A page without any replayed resource may still look like an empty original.
    const nothing = replay.counts.good === 0 && (crawl.counts?.good ?? 0) > 0;
    const result: QaComparison = {
      resourceCounts: {
        crawlGood: crawl.counts?.good ?? 0,
        crawlBad: crawl.counts?.bad ?? 0,
        replayGood: replay.counts.good,
        replayBad: replay.counts.bad,
      },
    };
    if (answer.screenshotMatch !== undefined) result.screenshotMatch = nothing ? 0 : answer.screenshotMatch;
    if (answer.textMatch !== undefined) result.textMatch = nothing ? 0 : answer.textMatch;
    return result;
  }

  private note(resources: Map<string, ResourceInfo>, response: Response): void {
    const url = originalUrl(this.origin, response.url());
    if (!url) return;
    const key = url.split('#', 1)[0]!;
    const known = resources.get(key);
    if (known === undefined || known.status >= 400) resources.set(key, resourceInfo(response));
  }

  private async idle(info: PageInfo, signal: AbortSignal): Promise<void> {
    const until = Date.now() + IDLE_MS;
    while (Date.now() < until && info.idleMs() < 500 && !signal.aborted) await delay(50, signal);
  }
}

/** Treats a broken record as missing. An error of fetching is thrown: it may succeed the next time. */
function orNull(error: unknown): null {
  if (error instanceof SourceUnreadable) throw error;
  return null;
}

const silentHost = {
  log: () => undefined,
  fetch: () => undefined,
  addLink: () => undefined,
  contentCheckFailed: () => undefined,
};

function countCrawled(info: Buffer): Counts | null {
  try {
    const { urls } = JSON.parse(info.toString('utf8')) as CrawledInfo;
    return countResources(Object.entries(urls ?? {}).map(([url, { status }]) => [url, status ?? 0] as const));
  } catch (error) {
    throw new Error(`page info does not parse: ${errorText(error)}`);
  }
}

/** Runs in the host page. Resolves when the frame has loaded. */
function showInFrame(url: string): Promise<boolean> {
  document.querySelectorAll('iframe').forEach((frame) => frame.remove());
  const frame = document.createElement('iframe');
  return new Promise((resolve) => {
    frame.addEventListener('load', () => resolve(true), { once: true });
    frame.src = url;
    document.body.append(frame);
  });
}

function step<T>(promise: Promise<T>, what: string): Promise<T> {
  return withTimeout(promise, STEP_TIMEOUT_MS, what);
}
