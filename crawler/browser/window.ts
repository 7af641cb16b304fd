import type { CDPSession, Page } from 'playwright-core';
import { settled } from '../base/time.js';
import { describePage, type Browser, type OpenedPage } from './browser.js';

export interface CastFrame {
  readonly url: string;
  readonly data: string;
  readonly width: number;
  readonly height: number;
}

/** At most 4 frames a second: unthrottled, a window sends 17. */
const FRAME_GAP_MS = 250;
const CAST_SIZE = { maxWidth: 640, maxHeight: 480 };

/** One of the crawl's browser windows: knows its frames, can be watched. */
export class BrowserWindow {
  private readonly frameIds = new Set<string>();
  private casting = false;
  private lastFrameAt = 0;
  private frameGapMs = FRAME_GAP_MS;
  private readonly crash = new AbortController();
  private onFrame: (frame: CastFrame) => void = () => undefined;
  private isRetired = false;
  /** Counts the documents its main frame got: while a new one is awaited, the former one is still shown. */
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
    // For what is followed as it comes; nothing is kept for later.
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
  /** Its pages are answered by the site alone, also while a service worker of theirs runs. */
  async bypassWorkers(): Promise<void> {
    await this.session.send('Network.setBypassServiceWorker', { bypass: true });
  }
  /** Its page does not let go of it: no other page is visited in it. */
  retire(): void {
    this.isRetired = true;
  }
  get isSpent(): boolean {
    return this.isRetired || !this.isUsable;
  }
  /** Aborted when its page has crashed: DevTools does not answer then, nor refuse. */
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
      // The next frame comes only after this one was acknowledged.
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
