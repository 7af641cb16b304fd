import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Serial } from '../base/serial.js';
import { errorText } from '../base/time.js';
import type { Logger } from '../channel/logger.js';
import { Browser, type LaunchOptions } from './browser.js';
import { watchMemory } from './memory-watch.js';

/** A browser that crashes more often than this in `CRASH_WINDOW_MS` is given up. Design crawler.md §3. */
const MAX_CRASHES = 3;
const CRASH_WINDOW_MS = 600_000;

/** Caches of the profile. Cache hits never reach the capture, so a crawl starts without them. */
const CACHES = ['Default/Cache', 'Default/Code Cache', 'Default/Service Worker', 'GrShaderCache', 'ShaderCache'];

export class BrowserCrashed extends Error {
  constructor() {
    super('the browser crashed too often');
  }
}

/** Keeps one browser running: starts it when needed and again after a crash. */
export class BrowserPool {
  private current: Browser | null = null;
  private readonly starting = new Serial();
  private crashes: number[] = [];
  private closed = false;
  /** Number of browsers started. Windows of an earlier generation are gone. */
  generation = 0;

  constructor(
    private readonly options: LaunchOptions,
    private readonly prepare: (browser: Browser) => Promise<void>,
    private readonly logger: Logger,
  ) {}

  get browser(): Browser | null {
    return this.current;
  }

  /** True when the browser was ended for good. Visits that fail now are not the fault of their pages. */
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

  /** Ends a browser that has grown too large. The next `ready` starts a new one. */
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

  /** @throws BrowserCrashed when another start makes no sense */
  private assertStable(): void {
    if (this.crashes.length > MAX_CRASHES) throw new BrowserCrashed();
  }
}
