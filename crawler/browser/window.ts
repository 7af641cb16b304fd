import type { CDPSession, Page } from 'playwright-core';
import { settled } from '../base/time.js';
import { describePage, type Browser, type OpenedPage } from './browser.js';

export interface CastFrame {
  readonly url: string;
  readonly data: string;
  readonly width: number;
  readonly height: number;
}

/** Gap between frames: at most 4 frames a second. Without it a window sends 17. */
const FRAME_GAP_MS = 250;
const CAST_SIZE = { maxWidth: 640, maxHeight: 480 };

/** One of the crawl's browser windows. It knows its frames and can be watched. */
export class BrowserWindow {
  private readonly frameIds = new Set<string>();
  private casting = false;
  private lastFrameAt = 0;
  private frameGapMs = FRAME_GAP_MS;
  private readonly crash = new AbortController();
  private onFrame: (frame: CastFrame) => void = () => undefined;
  private isRetired = false;
  /** Number of documents in the main frame. The former document is shown until the next one arrives. */
  documents = 0;

  private constructor(
    readonly index: number,
    private readonly opened: OpenedPage,
  ) {
    this.frameIds.add(opened.targetId);
    opened.page.on('crash', () => this.crash.abort());
  }

  static async open(browser: Browser, index: number): Promise<BrowserWindow> {
    return BrowserWindow.of(index, await browser.newWindow());
  }

  /** A window that a page opened. */
  static async adopt(page: Page, index: number): Promise<BrowserWindow> {
    return BrowserWindow.of(index, await describePage(page));
  }

  private static async of(index: number, opened: OpenedPage): Promise<BrowserWindow> {
    const window = new BrowserWindow(index, opened);
    const { session } = window.opened;
    session.on('Page.frameAttached', ({ frameId }) => window.frameIds.add(frameId));
    session.on('Page.frameNavigated', ({ frame }) => {
      window.frameIds.add(frame.id);
      if (!frame.parentId) window.documents++;
    });
    session.on('Page.frameDetached', ({ frameId, reason }) => {
      if (reason === 'remove') window.frameIds.delete(frameId);
    });
    window.listenForFrames();
    await session.send('Page.enable');
    // Events are followed as they come, so the browser keeps no bodies.
    await session.send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 });
    return window;
  }

  get page(): Page {
    return this.opened.page;
  }
  get session(): CDPSession {
    return this.opened.session;
  }
  get mainFrameId(): string {
    return this.opened.targetId;
  }
  get isUsable(): boolean {
    return !this.crash.signal.aborted && !this.page.isClosed();
  }
  /** Lets the site alone answer its pages, even while it has a service worker running. */
  async bypassWorkers(): Promise<void> {
    await this.session.send('Network.setBypassServiceWorker', { bypass: true });
  }
  /** Marks the window as stuck with its page, so that it visits no other. */
  retire(): void {
    this.isRetired = true;
  }
  get isSpent(): boolean {
    return this.isRetired || !this.isUsable;
  }
  /** Aborted when the page has crashed. DevTools then neither answers nor refuses. */
  get crashed(): AbortSignal {
    return this.crash.signal;
  }

  ownsFrame(frameId: string): boolean {
    return this.frameIds.has(frameId);
  }

  /** Sends screencast frames until `stopCast`; `format` as DevTools names it. */
  async startCast(
    format: 'png' | 'jpeg',
    onFrame: (frame: CastFrame) => void,
    { size = CAST_SIZE, gapMs = FRAME_GAP_MS } = {},
  ): Promise<void> {
    if (this.casting) return;
    this.casting = true;
    this.frameGapMs = gapMs;
    this.onFrame = onFrame;
    await this.session.send('Page.startScreencast', { format, quality: 70, ...size }).catch(() => undefined);
  }

  private listenForFrames(): void {
    this.session.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
      const wait = Math.max(0, this.lastFrameAt + this.frameGapMs - Date.now());
      this.lastFrameAt = Date.now() + wait;
      const url = this.page.url();
      if (url !== 'about:blank') {
        this.onFrame({ url, data, width: metadata.deviceWidth, height: metadata.deviceHeight });
      }
      // The browser sends the next frame only after this acknowledgement.
      setTimeout(() => {
        this.session.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
      }, wait);
    });
  }

  async stopCast(): Promise<void> {
    if (!this.casting) return;
    this.casting = false;
    await this.session.send('Page.stopScreencast').catch(() => undefined);
  }

  async close(): Promise<void> {
    await settled(this.page.close({ runBeforeUnload: false }), 5_000);
  }
}
