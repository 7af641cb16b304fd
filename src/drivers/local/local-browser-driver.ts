import {
  BROWSER_IDLE_SECONDS,
  BrowserDriver,
  type BrowserInput,
  type BrowserRecord,
  type BrowserSpec,
  type BrowserState,
  type CommitState,
} from '../browser-driver.js';
import type { ControlResult } from '../crawl-driver.types.js';
import type { DuplexWebSocket } from '../duplex-websocket.js';
import { BROWSER_PREFIX, LocalBrowser } from './local-browser.js';
import type { LocalRuntime } from './local-runtime.js';

/** Time between two searches for forgotten browsers. */
const SWEEP_MS = 5000;

/** Profile browsers as child processes. They end with the service, and need places just as crawls do. */
export class LocalBrowserDriver extends BrowserDriver {
  readonly kind = 'local';
  private readonly browsers = new Map<string, LocalBrowser>();
  /** Removals that are under way. */
  private readonly leaving = new Set<Promise<void>>();
  private sweeper: NodeJS.Timeout | undefined;

  constructor(private readonly runtime: LocalRuntime) {
    super();
  }

  /** Deletes what browsers of an earlier process left. */
  async open(): Promise<void> {
    await this.runtime.open();
    for (const id of await this.runtime.dirs.list()) {
      if (id.startsWith(BROWSER_PREFIX)) await this.runtime.dirs.of(id).destroy();
    }
    this.sweeper = setInterval(() => this.sweep(), SWEEP_MS);
    this.sweeper.unref();
  }

  async close(): Promise<void> {
    clearInterval(this.sweeper);
    for (const id of [...this.browsers.keys()]) this.forget(id);
    await Promise.allSettled(this.leaving);
  }

  override start(spec: BrowserSpec): Promise<void> {
    if (!this.browsers.has(spec.browserId)) {
      const browser = new LocalBrowser(spec, this.runtime, () => this.forget(spec.browserId));
      this.browsers.set(spec.browserId, browser);
      browser.begin();
    }
    return Promise.resolve();
  }

  override find(browserId: string): Promise<BrowserRecord | null> {
    return Promise.resolve(this.browsers.get(browserId)?.record ?? null);
  }

  override async ping(browserId: string): Promise<BrowserState> {
    return (await this.used(browserId)?.ping()) ?? { state: 'not_found' };
  }

  override async navigate(browserId: string, url: string): Promise<ControlResult> {
    return (await this.used(browserId)?.navigate(url)) ?? 'not_found';
  }

  override frames(browserId: string): Promise<DuplexWebSocket | null> {
    return Promise.resolve(this.used(browserId)?.frames() ?? null);
  }

  override input(browserId: string, event: BrowserInput): Promise<ControlResult> {
    return Promise.resolve(this.used(browserId)?.input(event) ?? 'not_found');
  }

  override commit(browserId: string, profileId: string): Promise<CommitState> {
    return Promise.resolve(this.used(browserId)?.commit(profileId) ?? { state: 'not_found' });
  }

  override async remove(browserId: string): Promise<void> {
    const browser = this.browsers.get(browserId);
    if (!browser) return;
    this.browsers.delete(browserId);
    const leaving = browser.remove().finally(() => this.leaving.delete(leaving));
    this.leaving.add(leaving);
    await leaving;
  }

  override list(): Promise<BrowserRecord[]> {
    return Promise.resolve([...this.browsers.values()].map(({ record }) => record));
  }

  /** Removes a browser without waiting for the removal. */
  private forget(browserId: string): void {
    this.remove(browserId).catch((error: unknown) => {
      this.runtime.logger.warn({ event: 'profile_browser_not_removed', browserId, error: String(error) });
    });
  }

  private used(browserId: string): LocalBrowser | undefined {
    const browser = this.browsers.get(browserId);
    if (browser) browser.lastUsedMs = this.runtime.clock.nowMs();
    return browser;
  }

  /** Ends browsers that no client asks for, and browsers that nobody looks at while a crawl waits for their place. */
  sweep(): void {
    const limitMs = this.runtime.clock.nowMs() - BROWSER_IDLE_SECONDS * 1000;
    for (const [id, browser] of [...this.browsers]) {
      const isOver = browser.lastUsedMs < limitMs || browser.isForgottenSince(limitMs);
      if (isOver && !browser.isCommitting) this.forget(id);
    }
  }
}
