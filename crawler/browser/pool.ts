import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Serial } from '../base/serial.js';
import { errorText } from '../base/time.js';
import type { Logger } from '../channel/logger.js';
import { Browser, type LaunchOptions } from './browser.js';
import { watchMemory } from './memory-watch.js';

/** A browser that dies more often than this in this time will not get better. Design crawler.md §3. */
const MAX_CRASHES = 3;
const CRASH_WINDOW_MS = 600_000;

/** Hits of these never reach the capture, so a crawl starts without them. */
const CACHES = ['Default/Cache', 'Default/Code Cache', 'Default/Service Worker', 'GrShaderCache', 'ShaderCache'];

export class BrowserCrashed extends Error {
  constructor() {
    super('the browser crashed too often');
  }
}

/** Keeps one browser running: starts it when asked for and again when it died. */
export class BrowserPool {
  private current: Browser | null = null;
  private readonly starting = new Serial();
  private crashes: number[] = [];
  private closed = false;
  /** Counts the browsers started; a window of an earlier one is gone. */
  generation = 0;

  constructor(
    private readonly options: LaunchOptions,
    private readonly prepare: (browser: Browser) => Promise<void>,
    private readonly logger: Logger,
  ) {}

  get browser(): Browser | null {
    return this.current;
  }

  /** The browser was ended for good: visits that fail now do so through no fault of their pages. */
  get isClosed(): boolean {
    return this.closed;
  }

  /** The running browser. @throws BrowserCrashed */
  ready(): Promise<Browser> {
    return this.starting.run(async () => {
      while (!this.current?.isConnected) {
        if (this.closed) throw new Error('closing');
        this.assertStable();
        try {
          await this.launch();
        } catch (error) {
          this.logger.error('browser', 'Browser did not start', { error: errorText(error) });
          this.noteCrash();
        }
      }
      return this.current;
    });
  }

  /** Ends the browser; the next `ready` starts a new one. For one that has grown too large. */
  async recycle(): Promise<void> {
    const former = this.current;
    this.current = null;
    await former?.close();
  }

  async close(): Promise<void> {
    this.closed = true;
    const former = this.current;
    this.current = null;
    await former?.close();
  }

  /** Ends everything at once. */
  kill(): void {
    this.closed = true;
    this.current?.kill();
  }

  private async launch(): Promise<void> {
    for (const cache of CACHES) await rm(join(this.options.userDataDir, cache), { recursive: true, force: true });
    for (const lock of ['SingletonLock', 'SingletonSocket', 'SingletonCookie']) {
      await rm(join(this.options.userDataDir, lock), { force: true });
    }
    const browser = await Browser.launch(this.options);
    browser.onDisconnected(() => {
      if (this.current !== browser) return;
      this.current = null;
      this.logger.error('browser', 'Browser disconnected, starting it again');
      this.noteCrash();
    });
    if (this.options.memoryLimitBytes > 0) void watchMemory(browser, this.options.memoryLimitBytes, this.logger);
    await this.prepare(browser);
    this.generation++;
    this.current = browser;
  }

  private noteCrash(): void {
    const now = Date.now();
    this.crashes = [...this.crashes.filter((at) => now - at < CRASH_WINDOW_MS), now];
  }

  /** @throws BrowserCrashed when a further start makes no sense */
  private assertStable(): void {
    if (this.crashes.length > MAX_CRASHES) throw new BrowserCrashed();
  }
}
