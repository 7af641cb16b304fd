import type { CDPSession, Dialog, Page } from 'playwright-core';
import { delay, errorText, nowIso, settled, unlessAborted, withTimeout } from '../base/time.js';
import type { BrowserWindow } from '../browser/window.js';
import type { DirectFetcher } from '../capture/direct-fetch.js';
import type { CaptureOwner, FetchCapture, MainDocument } from '../capture/fetch-capture.js';
import { PageInfo } from '../capture/page-info.js';
import type { Logger } from '../channel/logger.js';
import type { QueuedPage } from '../crawl/state-log.js';
import type { OriginalCapture } from '../protocol.js';
import { withoutCredentials } from '../scope/url.js';
import type { CaptureWriter } from '../warc/capture-writer.js';
import type { BehaviorHost } from './behavior-library.js';
import type { Behaviors } from './behaviors.js';
import { extractLinks, type LinkSelector } from './links.js';
import { NetworkWait } from './network-wait.js';
import { PageHold } from './page-hold.js';
import { retryAfter } from './retry-after.js';
import { stillVideos, thumbnailOf, viewScreenshot } from './screenshots.js';
import { iconUrl, titleOf } from './head.js';
import type { ServiceWorkers } from './service-workers.js';
import { extractText } from './text.js';
import { VisitTime } from './visit-time.js';

export interface PageSettings {
  readonly loadTimeoutMs: number;
  readonly postLoadMs: number;
  readonly extraDelayMs: number;
  /** The sum of the times above and the behaviors' times. After it a visit reads what is there and ends. */
  readonly limitMs: number;
  /** How long a page is kept for an unanswered request, ms. */
  readonly requestWaitMs: number;
  readonly linkSelectors: readonly LinkSelector[];
  /** Least depth of pages that are not run when their document is known; Infinity: all are run. */
  readonly skipFromDepth: number;
}

export interface PageServices {
  readonly settings: PageSettings;
  readonly capture: FetchCapture;
  readonly direct: DirectFetcher;
  readonly writer: CaptureWriter;
  readonly behaviors: Behaviors;
  readonly workers: ServiceWorkers;
  readonly logger: Logger;
  readonly onLinks: (page: QueuedPage, urls: readonly string[]) => Promise<void>;
  readonly onContentCheck: (reason: string) => void;
  /** Gives the reason why an address is refused; null when it is not. */
  readonly refusalOf: (url: string) => string | null;
}

export interface PageOutcome {
  loadState: 0 | 1 | 2 | 3 | 4;
  readonly ts: string;
  title?: string;
  readonly status?: number;
  readonly mime?: string;
  favIconUrl?: string;
  text?: string;
  readonly retryAfterMs?: number;
  readonly error?: string;
  /** The earlier capture of the same document, for which the page was not run. */
  readonly original?: OriginalCapture;
}

const HTML = /^(?:text\/html|application\/xhtml\+xml)$/;
const WRITES_MS = 15_000;
const LEAVE_MS = 10_000;
/** Most windows taken from a page, which may open them without end. */
const MAX_POPUPS = 50;

/** One visit of one page in one window. Design crawler.md §8. */
export class PageRun implements CaptureOwner {
  readonly pageId: string;
  private readonly info: PageInfo;
  private readonly network: NetworkWait;
  private readonly time: VisitTime;
  private readonly hold: PageHold;
  private readonly abort = new AbortController();
  private readonly leave = new AbortController();
  private document: MainDocument | null = null;
  private documents = 0;
  private original: OriginalCapture | null = null;
  /** Addresses of windows that the page opened. They become links of the page when they are taken. */
  private readonly popups = new Set<string>();
  private popupLinks: string[] = [];

  constructor(
    private readonly queued: QueuedPage,
    private readonly window: BrowserWindow,
    private readonly services: PageServices,
  ) {
    this.pageId = queued.pageId;
    this.info = new PageInfo(window.page);
    const { limitMs, requestWaitMs } = services.settings;
    this.network = new NetworkWait(this.info, requestWaitMs);
    this.time = new VisitTime(limitMs, window.crashed, () => this.stop());
    this.hold = new PageHold(window, this.time, services.logger, () => this.stop());
  }

  get mainFrameId(): string {
    return this.window.mainFrameId;
  }
  get session(): CDPSession {
    return this.window.session;
  }
  get url(): string {
    return this.queued.url;
  }

  ownsFrame(frameId: string): boolean {
    return this.window.ownsFrame(frameId);
  }
  noteDocument(document: MainDocument): void {
    this.document = document;
    this.documents++;
  }

  /** Not for a document that a page went on to by itself: then it has run. Nor where scripts show what follows `#`. */
  get maySkip(): boolean {
    const { status, mime } = this.document ?? {};
    if (this.documents !== 1 || status !== 200 || !HTML.test(mime ?? '')) return false;
    return this.queued.depth >= this.services.settings.skipFromDepth && !this.queued.url.includes('#');
  }
  skip(original: OriginalCapture): void {
    this.original = original;
  }
  noteError(url: string, error: string): void {
    this.info.noteError(url, error);
  }

  /** Ends the visit early; captured content stays. */
  stop(): void {
    this.abort.abort();
  }
  get wasStopped(): boolean {
    return this.abort.signal.aborted;
  }

  /** Ends the visit of a page that is no longer wanted; does not wait for a page that has not loaded. */
  giveUp(): void {
    this.leave.abort();
    this.stop();
  }
  get wasGivenUp(): boolean {
    return this.leave.signal.aborted;
  }

  /** Takes the address of a window that the page opened as a link. */
  addPopup(url: string): void {
    if (!/^https?:/.test(url) || this.popups.has(url) || this.popups.size >= MAX_POPUPS) return;
    this.popups.add(url);
    this.popupLinks.push(url);
  }

  async run(): Promise<PageOutcome> {
    const { page } = this.window;
    const onDialog = (dialog: Dialog) => void this.hold.answer(dialog);
    const onOpen = ({ url }: { url: string }) => this.addPopup(url);
    page.on('dialog', onDialog);
    // The window itself is known only once its address answers, perhaps after this visit.
    this.session.on('Page.windowOpen', onOpen);
    try {
      const outcome = await this.visit(page);
      return outcome;
    } finally {
      page.off('dialog', onDialog);
      this.session.off('Page.windowOpen', onOpen);
      this.info.stop();
      this.time.end();
      await this.services.capture.endStreams(this);
    }
  }

  private async visit(page: Page): Promise<PageOutcome> {
    const started = Date.now();
    const { documents } = this.window;
    let error: string | undefined;
    try {
      const { loadTimeoutMs: timeout } = this.services.settings;
      await unlessAborted(page.goto(this.queued.url, { waitUntil: 'domcontentloaded', timeout }), this.leave.signal);
    } catch (failure) {
      error = errorText(failure);
    }
    this.hold.mayLeave = false;
    if (!this.window.isUsable) throw new Error('page crashed');
    if (error !== undefined) {
      const ended = await this.afterFailedGoto(page, error, this.window.documents > documents);
      if (ended) return ended;
    }
    if (this.original) return this.leaveUnchanged(page, this.original);
    const document = this.document;
    if (document && !HTML.test(document.mime) && document.mime !== '') return this.nonHtml(document);
    let loadState: PageOutcome['loadState'] = 1;
    const left = this.services.settings.loadTimeoutMs - (Date.now() - started);
    const loading = page.waitForLoadState('load', { timeout: Math.max(1_000, left) });
    const loaded = await unlessAborted(loading, this.abort.signal).then(
      () => true,
      () => false,
    );
    if (!this.window.isUsable) throw new Error('page crashed');
    if (loaded) loadState = 2;
    else this.services.logger.warn('pageStatus', 'Page did not finish loading', { page: this.url });
    await this.network.quiet(5_000, this.abort.signal);
    await delay(this.services.settings.postLoadMs, this.abort.signal);
    return this.explore(page, loadState);
  }

  /** Takes text, links and screenshots of a loaded page and runs its behaviors. */
  private async explore(page: Page, loaded: PageOutcome['loadState']): Promise<PageOutcome> {
    const { services, window } = this;
    const outcome: PageOutcome = { loadState: loaded, ...this.basics() };
    const host = this.behaviorHost();
    await this.hold.free();
    await this.time.step(services.behaviors.prepare(page, host), 'behavior').catch(() => undefined);
    outcome.title = await this.time.step(titleOf(page), 'title').catch(() => '');
    await this.extract(page, outcome);
    await this.screenshots(page, outcome.ts);
    if (loaded === 2 && outcome.loadState === 3 && !this.wasStopped) {
      const target = { page, session: window.session, quiet: () => this.network.quiet(5_000, this.abort.signal) };
      const done = await services.behaviors.run(target, host, this.abort.signal);
      if (done) outcome.loadState = 4;
      else await this.hold.free();
      await this.lateLinks(page);
    }
    await this.network.quiet(1_500, this.abort.signal);
    if (loaded === 2) await this.runWorkers(page);
    await services.onLinks(this.queued, this.takePopups());
    await this.written();
    await delay(services.settings.extraDelayMs, this.abort.signal);
    await this.writeInfo(outcome);
    if (!window.isUsable) throw new Error('page crashed');
    return outcome;
  }

  private async runWorkers(page: Page): Promise<void> {
    const { workers, settings } = this.services;
    if (this.wasStopped) return;
    const running = workers.run(page, settings.requestWaitMs, this.abort.signal);
    await this.time.step(running, 'service workers').catch(() => undefined);
  }

  private async extract(page: Page, outcome: PageOutcome): Promise<void> {
    const { services, window, queued } = this;
    try {
      const urls = await this.time.step(extractLinks(page, services.settings.linkSelectors), 'links');
      await services.onLinks(queued, [...urls, ...this.takePopups()]);
      outcome.text = await this.time.step(extractText(window.session), 'text');
      await services.writer.resource(`urn:text:${this.recordUrl}`, 'text/plain', Buffer.from(outcome.text), outcome.ts);
      if (outcome.loadState === 2) outcome.loadState = 3;
      const icon = await this.favicon(page);
      if (icon) outcome.favIconUrl = icon;
    } catch (error) {
      services.logger.warn('pageStatus', 'Extraction failed', { page: this.url, error: errorText(error) });
    }
  }

  private async favicon(page: Page): Promise<string | null> {
    const named = await this.time.step(page.evaluate(iconUrl), 'icon').catch(() => '');
    const url = named || new URL('/favicon.ico', page.url()).href;
    if (!/^https?:/.test(url)) return null;
    const fetching = this.services.direct.fetch({
      url,
      referer: page.url(),
      pageId: this.pageId,
      resourceType: 'image',
    });
    const result = await withTimeout(fetching, 5_000, 'icon').catch(() => null);
    return result && result.status === 200 && !result.mime.startsWith('text/') ? url : null;
  }

  private async screenshots(page: Page, ts: string): Promise<void> {
    const { writer, logger } = this.services;
    try {
      await this.time.step(stillVideos(page), 'videos');
      const png = await this.time.step(viewScreenshot(this.window, this.time.leftMs), 'screenshot');
      const jpeg = await thumbnailOf(png);
      await writer.resource(`urn:view:${this.recordUrl}`, 'image/png', png, ts);
      await writer.resource(`urn:thumbnail:${this.recordUrl}`, 'image/jpeg', jpeg, ts);
    } catch (error) {
      logger.warn('screenshots', 'Screenshot failed', { page: this.url, error: errorText(error) });
    }
  }

  /** Takes links and popups that behaviors brought. */
  private async lateLinks(page: Page): Promise<void> {
    const { onLinks, settings } = this.services;
    const urls = await this.time.step(extractLinks(page, settings.linkSelectors), 'links').catch(() => []);
    await onLinks(this.queued, [...urls, ...this.takePopups()]);
  }

  private takePopups(): string[] {
    return this.popupLinks.splice(0);
  }

  /** Interprets a failed navigation; returns null when the page is there all the same. */
  private async afterFailedGoto(page: Page, error: string, isThere: boolean): Promise<PageOutcome | null> {
    const document = this.document;
    if (this.wasGivenUp) {
      // Left as it is.
    } else if (/Timeout \d+ms exceeded/i.test(error)) {
      if (document && HTML.test(document.mime) && isThere) return null;
    } else if (document && !HTML.test(document.mime) && document.status < 400) {
      // The navigation became a download or a viewer.
      return this.nonHtml(document);
    } else if (document && /ERR_HTTP_RESPONSE_CODE_FAILURE|ERR_INVALID_RESPONSE/.test(error)) {
      await this.leaveErrorPage(page);
      return this.emptyPage(document);
    } else if (/Download is starting|ERR_ABORTED/.test(error)) {
      const ended = await this.downloadInstead();
      if (ended) return ended;
    }
    await this.leaveErrorPage(page);
    const refusal = this.services.refusalOf(this.info.navigation ?? this.url);
    return { loadState: 0, ...this.basics(), error: [error.split('\n', 1)[0], refusal].filter(Boolean).join(': ') };
  }

  /** Fetches a download by itself when it takes longer than a page may. */
  private async downloadInstead(): Promise<PageOutcome | null> {
    const fetching = this.services.direct.fetch({ url: this.url, pageId: this.pageId, resourceType: 'document' });
    const result = await withTimeout(fetching, this.time.leftMs, 'download').catch(() => undefined);
    if (result === undefined && this.document) return this.nonHtml(this.document);
    if (!result || result.status >= 400) return null;
    return { loadState: 2, ts: result.date, status: result.status, mime: result.mime };
  }

  /** Leaves Chrome's error page, because it would interrupt the next navigation. */
  private async leaveErrorPage(page: Page): Promise<void> {
    await delay(300);
    const left = page.goto('about:blank', { timeout: Math.max(1, Math.min(LEAVE_MS, this.time.leftMs)) });
    if (!(await settled(left, LEAVE_MS))) this.window.retire();
  }

  /** Takes the links of a page that is not run: its document is what an earlier item holds. */
  private async leaveUnchanged(page: Page, original: OriginalCapture): Promise<PageOutcome> {
    const { settings, onLinks, logger } = this.services;
    try {
      await onLinks(this.queued, await this.time.step(extractLinks(page, settings.linkSelectors), 'links'));
    } catch (error) {
      logger.warn('pageStatus', 'Extraction failed', { page: this.url, error: errorText(error) });
    }
    return { loadState: 1, ...this.basics(), original };
  }

  private async nonHtml(document: MainDocument): Promise<PageOutcome> {
    await this.written();
    const outcome: PageOutcome = { loadState: 2, ...this.basics() };
    await this.writeInfo(outcome);
    return { ...outcome, mime: document.mime };
  }

  private async emptyPage(document: MainDocument): Promise<PageOutcome> {
    const outcome: PageOutcome = { loadState: 2, ...this.basics(), mime: document.mime || 'text/html' };
    await this.writeInfo(outcome);
    return outcome;
  }

  private basics(): { ts: string; status?: number; mime?: string; retryAfterMs?: number } {
    const document = this.document;
    if (!document) return { ts: nowIso() };
    const { date, status, mime } = document;
    const retryAfterMs = retryAfter(document);
    return { ts: date, status, ...(mime ? { mime } : {}), ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  }

  private async writeInfo(outcome: PageOutcome): Promise<void> {
    const { ts, status } = outcome;
    const record = this.info.record({ pageid: this.pageId, url: this.recordUrl, ts, tsStatus: status ?? 0 });
    const bytes = Buffer.from(JSON.stringify(record, null, 2));
    await this.services.writer.resource(`urn:pageinfo:${this.recordUrl}`, 'application/json', bytes, ts);
  }

  private get recordUrl(): string {
    return withoutCredentials(this.queued.url);
  }

  private behaviorHost(): BehaviorHost {
    const { direct, logger, onLinks, onContentCheck } = this.services;
    return {
      log: (level, context, message, details) => logger.log(level, context, message, details),
      fetch: (url) => {
        if (!/^https?:/.test(url) || this.services.writer.hasCaptured(url)) return;
        void direct.fetch({ url, referer: this.window.page.url(), pageId: this.pageId, resourceType: 'fetch' });
      },
      addLink: (url) => void onLinks(this.queued, [url]).catch(() => undefined),
      contentCheckFailed: onContentCheck,
    };
  }

  private written(): Promise<void> {
    return this.services.capture.idle(Math.min(WRITES_MS, this.time.leftMs));
  }
}
