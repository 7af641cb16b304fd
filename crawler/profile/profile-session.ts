import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { Condition } from '../base/condition.js';
import { Serial } from '../base/serial.js';
import { errorText } from '../base/time.js';
import type { Browser } from '../browser/browser.js';
import { chromiumVersion, findChromium, plainUserAgent } from '../browser/executable.js';
import { BrowserCrashed, BrowserPool } from '../browser/pool.js';
import { BrowserWindow } from '../browser/window.js';
import type { Channel } from '../channel/channel.js';
import type { Logger } from '../channel/logger.js';
import type { Environment } from '../crawl/open-tools.js';
import { Network } from '../guard/network.js';
import { WORK_FILES, type ExitReason, type InputEvent, type ProfileModeConfig, type ToChild } from '../protocol.js';
import { httpUrl } from '../scope/url.js';
import { drawSelects } from './draw-selects.js';
import { dispatchInput } from './input.js';
import { ProfileFolder } from './profile-files.js';

/** The viewport is small enough to send unscaled, because people work in its frames. */
const VIEWPORT = { width: 1280, height: 800 };
/** Gap between frames, ms. People notice a slower view. */
const FRAME_GAP_MS = 80;
const NAVIGATION_TIMEOUT_MS = 30_000;
const LIMITS = { min: 200, max: 2_560 };

/** Runs a browser for a person: shows its frames, takes input, saves its profile. Design crawler.md §11. */
export class ProfileSession {
  private ending: ExitReason | null = null;
  private readonly changed = new Condition();
  private readonly origins = new Set<string>();
  private readonly actions = new Serial();
  private readonly inputs = new Serial();
  private pool: BrowserPool | null = null;
  /** Windows of the browser. The person sees the last one, because a log-in may open a window of its own. */
  private windows: BrowserWindow[] = [];
  private casting = false;
  private size = VIEWPORT;
  private commits = 0;
  private readonly files: ProfileFolder;

  constructor(
    private readonly config: ProfileModeConfig,
    private readonly channel: Channel,
    private readonly logger: Logger,
    private readonly environment: Environment,
  ) {
    this.files = new ProfileFolder(config.dir);
  }

  async run(): Promise<{ reason: ExitReason }> {
    await this.logger.switchTo(join(this.config.dir, WORK_FILES.logsDir, 'profile.log'));
    const network = await Network.start(this.config, this.logger, () => this.end('proxy'));
    try {
      await this.files.restore(this.config.hasProfile === true);
      this.pool = await this.openPool(network.proxyUrl);
      await this.open(this.config.url);
      this.channel.send({ t: 'state', status: 'running' });
      while (this.ending === null) await this.changed.wait(60_000);
    } catch (error) {
      this.logger.error('browser', 'Profile browser failed', { error: errorText(error) });
      this.end(error instanceof BrowserCrashed ? 'browser_crashed' : 'error');
    } finally {
      await this.pool?.close();
      await network.close();
      await this.logger.close();
    }
    return { reason: this.ending ?? 'error' };
  }

  handle(message: ToChild): void {
    switch (message.t) {
      case 'input':
        return this.input(message.event);
      case 'cast':
        this.casting = message.on;
        return void this.applyCast().catch(() => undefined);
      case 'ping':
        return void this.ping(message.rid);
      case 'navigate':
        return this.act(message.rid, () => this.navigate(message.rid, message.url));
      case 'commit':
        return this.act(message.rid, () => this.commit(message.rid));
      case 'stop':
      case 'quit':
        return this.end('stopped');
      case 'cancel':
        return this.end('canceled');
      default:
        return;
    }
  }

  disconnected(): void {
    this.pool?.kill();
    this.end('disconnected');
  }

  private end(reason: ExitReason): void {
    this.ending ??= reason;
    this.changed.notify();
  }

  /** Runs one action after the other. A failed action is answered with its error. */
  private act(rid: number, action: () => Promise<void>): void {
    this.actions.run(action).catch((error: unknown) => {
      this.channel.send({ t: 'reply', rid, kind: 'error', error: errorText(error) });
    });
  }

  private async openPool(proxyUrl: string): Promise<BrowserPool> {
    const { config, environment } = this;
    const executable = await findChromium(config.chromiumPath, environment.searchPath);
    const version = await chromiumVersion(executable);
    this.channel.send({ t: 'hello', pid: process.pid, browserVersion: version });
    const options = {
      executable,
      proxyUrl,
      userAgent: config.userAgent || plainUserAgent(version),
      userDataDir: join(config.dir, WORK_FILES.profileDir),
      ...(config.lang ? { lang: config.lang } : {}),
      webSecurity: true,
      viewport: VIEWPORT,
      sandbox: environment.sandbox,
      memoryLimitBytes: config.memoryLimitBytes ?? 0,
    };
    const prepare = async (browser: Browser) => {
      browser.onPopup((page) => void this.adopt(page).catch(() => undefined));
      await browser.context.addInitScript(drawSelects);
    };
    return new BrowserPool(options, prepare, this.logger);
  }

  /** Starts the browser if it does not run, and shows the address. */
  private async open(url: string): Promise<void> {
    const browser = await this.pool!.ready();
    browser.onDisconnected(() => void this.actions.run(() => this.open(url)).catch(() => this.end('browser_crashed')));
    const window = await BrowserWindow.open(browser, 0);
    this.windows = [window];
    this.follow(window.page);
    await this.applyCast();
    await this.load(window.page, url);
  }

  private async adopt(page: Page): Promise<void> {
    const window = await BrowserWindow.adopt(page, this.windows.length);
    this.follow(page);
    await this.current?.stopCast();
    this.windows.push(window);
    page.once('close', () => {
      this.windows = this.windows.filter((other) => other !== window);
      void this.applyCast().catch(() => undefined);
    });
    await this.applyCast();
  }

  private follow(page: Page): void {
    page.on('framenavigated', (frame) => {
      const url = httpUrl(frame.url());
      if (url && frame === page.mainFrame()) this.origins.add(`${url.origin}/`);
    });
  }

  private get current(): BrowserWindow | undefined {
    return this.windows.at(-1);
  }

  private async applyCast(): Promise<void> {
    const window = this.current;
    if (!window?.isUsable) return;
    if (!this.casting) return window.stopCast();
    const size = { maxWidth: this.size.width, maxHeight: this.size.height };
    await window.startCast('jpeg', (frame) => this.channel.send({ t: 'frame', id: 0, ...frame }), {
      size,
      gapMs: FRAME_GAP_MS,
    });
  }

  private input(event: InputEvent): void {
    this.inputs
      .run(async () => {
        const window = this.current;
        if (!window?.isUsable) return;
        if (event.type === 'resize') return this.resize(window, event);
        // Typing and clicking do not wait for a page to load.
        if (event.type === 'navigate') return void this.move(() => this.load(window.page, event.url));
        if (event.type === 'go') return void this.move(() => go(window.page, event.to));
        await dispatchInput(window.session, event);
      })
      .catch((error: unknown) => this.logger.debug('browser', 'Input not taken', { error: errorText(error) }));
  }

  private move(act: () => Promise<unknown>): void {
    this.actions
      .run(act)
      .catch((error: unknown) => this.logger.debug('browser', 'Page not reached', { error: errorText(error) }));
  }

  private async resize(window: BrowserWindow, event: { width: number; height: number }): Promise<void> {
    const bound = (value: number) => Math.round(Math.min(LIMITS.max, Math.max(LIMITS.min, value)));
    this.size = { width: bound(event.width), height: bound(event.height) };
    await window.page.setViewportSize(this.size);
    await window.stopCast();
    await this.applyCast();
  }

  private async ping(rid: number): Promise<void> {
    const page = this.current?.page;
    const title = (await page?.title().catch(() => '')) ?? '';
    this.channel.send({ t: 'reply', rid, kind: 'ping', origins: [...this.origins], url: page?.url() ?? '', title });
  }

  private async navigate(rid: number, url: string): Promise<void> {
    const page = this.current?.page;
    if (!page) throw new Error('the browser is starting');
    const failure = await this.load(page, url);
    this.channel.send({ t: 'reply', rid, kind: 'navigate', ...(failure ? { error: failure } : {}) });
  }

  /** Returns why the address did not load. The person then sees the browser's own error page. */
  private async load(page: Page, address: string): Promise<string | null> {
    const url = httpUrl(address);
    if (!url) return 'only http and https addresses can be opened';
    try {
      await page.goto(url.href, { waitUntil: 'commit', timeout: NAVIGATION_TIMEOUT_MS });
      return null;
    } catch (error) {
      return errorText(error).split('\n', 1)[0]!;
    }
  }

  /** Closes the browser, because only then the profile on disk is whole. Then starts it at the same address. */
  private async commit(rid: number): Promise<void> {
    const browser = await this.pool!.ready();
    const url = this.windows[0]?.page.url() ?? this.config.url;
    await this.files.keepSessionCookies(browser);
    await this.pool!.recycle();
    const file = await this.files.pack(`profile-${this.config.jobId}-${++this.commits}.tar.gz`);
    await this.channel.journal({ t: 'profile', file });
    this.channel.send({ t: 'reply', rid, kind: 'commit', file, origins: [...this.origins] });
    await this.open(url);
  }
}

async function go(page: Page, to: 'back' | 'forward' | 'reload'): Promise<void> {
  const options = { waitUntil: 'commit', timeout: NAVIGATION_TIMEOUT_MS } as const;
  if (to === 'back') await page.goBack(options);
  else if (to === 'forward') await page.goForward(options);
  else await page.reload(options);
}
