import { chromium, type BrowserContext, type CDPSession, type Page } from 'playwright-core';
import { Serial } from '../base/serial.js';
import { settled, withTimeout } from '../base/time.js';
import { browserArguments } from './arguments.js';

export interface LaunchOptions {
  readonly executable: string;
  readonly userDataDir: string;
  readonly proxyUrl: string;
  readonly userAgent: string;
  readonly lang?: string;
  readonly webSecurity: boolean;
  readonly viewport?: { width: number; height: number };
  /** False for root: Chromium's sandbox can't run as root. */
  readonly sandbox: boolean;
  /** Soft limit of the memory of all its processes, bytes; 0: none. */
  readonly memoryLimitBytes: number;
}

export const VIEWPORT = { width: 1920, height: 1080 };
const CLOSE_TIMEOUT_MS = 5_000;
const LAUNCH_TIMEOUT_MS = 60_000;

/** A page in its own window, with a DevTools session to it. */
export interface OpenedPage {
  readonly page: Page;
  readonly session: CDPSession;
  /** Id of the target and of its main frame. */
  readonly targetId: string;
}

export interface BrowserProcess {
  readonly id: number;
  /** Chromium's name for the process type: browser, renderer, GPU, … */
  readonly type: string;
}

/** A running Chromium with one cookie jar. */
export class Browser {
  private readonly ownTargets = new Map<string, (page: OpenedPage) => void>();
  /** Windows that `newWindow` did not open, by target. */
  private readonly unasked = new Set<string>();
  private readonly opening = new Serial();
  private popupHandler: (page: Page) => void = (page) => void page.close().catch(() => undefined);
  private closing = false;
  private firstPage: Page | null;

  private constructor(
    readonly context: BrowserContext,
    /** DevTools session of the whole browser. It sees every window, frame and worker. */
    readonly session: CDPSession,
    readonly version: string,
    private readonly pid: number | null,
  ) {
    this.firstPage = context.pages()[0] ?? null;
    context.on('page', (page) => void this.placePage(page).catch(() => undefined));
    session.on('Target.targetCreated', ({ targetInfo }) => {
      if (targetInfo.type === 'page') this.unasked.add(targetInfo.targetId);
    });
    session.on('Target.targetDestroyed', ({ targetId }) => this.unasked.delete(targetId));
  }

  static async launch(options: LaunchOptions): Promise<Browser> {
    const context = await chromium.launchPersistentContext(options.userDataDir, {
      executablePath: options.executable,
      headless: true,
      chromiumSandbox: options.sandbox,
      viewport: options.viewport ?? VIEWPORT,
      ignoreHTTPSErrors: true,
      acceptDownloads: false,
      ignoreDefaultArgs: ['--enable-automation'],
      args: browserArguments(options),
      handleSIGHUP: false,
      handleSIGINT: false,
      handleSIGTERM: false,
      timeout: LAUNCH_TIMEOUT_MS,
      ...(options.lang ? { locale: options.lang } : {}),
    });
    const browser = context.browser();
    if (!browser) throw new Error('the browser has no connection of its own');
    const session = await browser.newBrowserCDPSession();
    const main = (await processesOf(session).catch(() => [])).find(({ type }) => type === 'browser');
    const launched = new Browser(context, session, browser.version(), main?.id ?? null);
    await session.send('Target.setDiscoverTargets', { discover: true, filter: [{ type: 'page' }] });
    return launched;
  }

  /** Called for windows that a page opened; the default closes them. */
  onPopup(handler: (page: Page) => void): void {
    this.popupHandler = handler;
  }

  onDisconnected(handler: () => void): void {
    this.context.browser()?.once('disconnected', () => {
      if (!this.closing) handler();
    });
  }

  get isConnected(): boolean {
    return this.context.browser()?.isConnected() ?? false;
  }

  /** Opens a window. A background tab would be hidden: observers and scroll handlers do not fire in it. */
  newWindow(): Promise<OpenedPage> {
    return this.opening.run(async () => {
      const first = this.firstPage;
      this.firstPage = null;
      if (first && !first.isClosed()) return this.ownWindow(await describePage(first));
      const waiting: { found?: OpenedPage; resolve?: (page: OpenedPage) => void } = {};
      const opened = new Promise<OpenedPage>((resolve) => (waiting.resolve = resolve));
      const { targetId } = await this.session.send('Target.createTarget', { url: 'about:blank', newWindow: true });
      this.ownTargets.set(targetId, waiting.resolve!);
      const known = this.unplaced.get(targetId);
      if (known) this.claim(known);
      return withTimeout(opened, 20_000, 'new window');
    });
  }

  /** Whether the frame is the main one of a window that a page opened. */
  isUnasked(frameId: string): boolean {
    return this.unasked.has(frameId);
  }
  closeTarget(targetId: string): void {
    this.session.send('Target.closeTarget', { targetId }).catch(() => undefined);
  }

  processes(): Promise<BrowserProcess[]> {
    return processesOf(this.session);
  }

  async close(): Promise<void> {
    this.closing = true;
    const closed = await settled(this.context.close(), CLOSE_TIMEOUT_MS);
    if (!closed) this.kill();
  }

  /** Ends a browser that no longer answers. Its helpers end with it. */
  kill(): void {
    if (this.pid === null) return;
    try {
      process.kill(this.pid, 'SIGKILL');
    } catch {
      // The process has ended already.
    }
  }

  private readonly unplaced = new Map<string, OpenedPage>();

  /** A new page is ours when we asked for its target; otherwise a page opened it. */
  private async placePage(page: Page): Promise<void> {
    const opened = await describePage(page);
    this.unplaced.set(opened.targetId, opened);
    if (this.ownTargets.has(opened.targetId)) return this.claim(opened);
    // The answer to a pending createTarget may come after its page.
    await this.opening.idle();
    if (!this.unplaced.delete(opened.targetId)) return;
    this.popupHandler(page);
  }

  private claim(opened: OpenedPage): void {
    const resolve = this.ownTargets.get(opened.targetId);
    this.ownTargets.delete(opened.targetId);
    this.unplaced.delete(opened.targetId);
    resolve?.(this.ownWindow(opened));
  }

  private ownWindow(opened: OpenedPage): OpenedPage {
    this.unasked.delete(opened.targetId);
    return opened;
  }
}

async function processesOf(session: CDPSession): Promise<BrowserProcess[]> {
  return (await session.send('SystemInfo.getProcessInfo')).processInfo;
}

/** Opens a DevTools session to the page. */
export async function describePage(page: Page): Promise<OpenedPage> {
  const session = await page.context().newCDPSession(page);
  const { targetInfo } = await session.send('Target.getTargetInfo');
  return { page, session, targetId: targetInfo.targetId };
}
