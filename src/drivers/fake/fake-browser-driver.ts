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
import { InProcessDuplex, type DuplexWebSocket } from '../duplex-websocket.js';
import type { StoreFor } from '../run-stores.js';

const FRAME =
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AN//Z';

interface FakeBrowser {
  readonly spec: BrowserSpec;
  url: string;
  readonly origins: string[];
  expiresAtMs: number;
  readonly readyAtMs: number;
  commit?: undefined | { profileId: string; dueAtMs: number; state: CommitState };
  readonly inputs: BrowserInput[];
  readonly viewers: Set<InProcessDuplex>;
}

const FAILED: CommitState = { state: 'failed', reason: 'the profile could not be stored' };

/**
 * Profile browsers without a browser, for tests. They record the pages they are sent to, and save a made-up profile.
 */
export class FakeBrowserDriver extends BrowserDriver {
  readonly kind = 'fake';
  /** Seconds until a browser is reachable, and seconds until a commit is done. */
  startSeconds = 0;
  commitSeconds = 0;
  /** Bytes of the profiles it saves. */
  profileBytes = 1000;

  private readonly browsers = new Map<string, FakeBrowser>();

  constructor(
    private readonly storeFor: StoreFor,
    private readonly clock: { nowMs(): number },
  ) {
    super();
  }

  /** The inputs that a test's browser received. */
  inputsOf(browserId: string): readonly BrowserInput[] {
    return this.browsers.get(browserId)?.inputs ?? [];
  }

  override start(spec: BrowserSpec): Promise<void> {
    if (!this.alive(spec.browserId)) {
      const nowMs = this.clock.nowMs();
      this.browsers.set(spec.browserId, {
        spec,
        url: spec.url,
        origins: [],
        expiresAtMs: nowMs + BROWSER_IDLE_SECONDS * 1000,
        readyAtMs: nowMs + this.startSeconds * 1000,
        inputs: [],
        viewers: new Set(),
      });
    }
    return Promise.resolve();
  }

  override find(browserId: string): Promise<BrowserRecord | null> {
    const browser = this.alive(browserId);
    return Promise.resolve(browser ? recordOf(browser) : null);
  }

  override ping(browserId: string): Promise<BrowserState> {
    const browser = this.touch(browserId);
    if (!browser) return Promise.resolve({ state: 'not_found' });
    if (!this.isReady(browser)) return Promise.resolve({ state: 'starting' });
    visit(browser, browser.url);
    return Promise.resolve({ state: 'ready', origins: [...browser.origins] });
  }

  override navigate(browserId: string, url: string): Promise<ControlResult> {
    const browser = this.touch(browserId);
    if (!browser) return Promise.resolve('not_found');
    if (!this.isReady(browser)) return Promise.resolve('unavailable');
    visit(browser, url);
    for (const viewer of browser.viewers) viewer.emit(frame(browser));
    return Promise.resolve('ok');
  }

  override frames(browserId: string): Promise<DuplexWebSocket | null> {
    const browser = this.touch(browserId);
    if (!browser || !this.isReady(browser)) return Promise.resolve(null);
    const duplex = new InProcessDuplex(
      (text) => browser.inputs.push(JSON.parse(text) as BrowserInput),
      () => browser.viewers.delete(duplex),
    );
    browser.viewers.add(duplex);
    duplex.emit(JSON.stringify({ msg: 'init', width: 1280, height: 800 }));
    duplex.emit(frame(browser));
    return Promise.resolve(duplex);
  }

  override input(browserId: string, event: BrowserInput): Promise<ControlResult> {
    const browser = this.touch(browserId);
    if (!browser) return Promise.resolve('not_found');
    browser.inputs.push(event);
    return Promise.resolve('ok');
  }

  override async commit(browserId: string, profileId: string): Promise<CommitState> {
    const browser = this.touch(browserId);
    if (!browser) return { state: 'not_found' };
    if (browser.commit?.profileId !== profileId) {
      browser.commit = {
        profileId,
        dueAtMs: this.clock.nowMs() + this.commitSeconds * 1000,
        state: { state: 'saving' },
      };
    }
    const { commit } = browser;
    if (commit.state.state === 'saving' && this.clock.nowMs() >= commit.dueAtMs)
      commit.state = await this.save(browser, profileId).catch((): CommitState => FAILED);
    if (commit.state.state === 'failed') browser.commit = undefined;
    return commit.state;
  }

  override remove(browserId: string): Promise<void> {
    for (const viewer of [...(this.browsers.get(browserId)?.viewers ?? [])]) viewer.close();
    this.browsers.delete(browserId);
    return Promise.resolve();
  }

  override list(): Promise<BrowserRecord[]> {
    return Promise.resolve([...this.browsers.keys()].flatMap((id) => this.alive(id) ?? []).map(recordOf));
  }

  private async save(browser: FakeBrowser, profileId: string): Promise<CommitState> {
    const key = `profiles/profile-${profileId}.tar.gz`;
    const { oid, storage } = browser.spec;
    const store = await this.storeFor(oid, storage.ref);
    const { size, sha256 } = await store.put(`${oid}/${key}`, Buffer.alloc(this.profileBytes, browser.url));
    visit(browser, browser.url);
    return { state: 'saved', key, size, hash: sha256, origins: [...browser.origins] };
  }

  private isReady(browser: FakeBrowser): boolean {
    return this.clock.nowMs() >= browser.readyAtMs;
  }

  private touch(browserId: string): FakeBrowser | undefined {
    const browser = this.alive(browserId);
    if (browser) browser.expiresAtMs = this.clock.nowMs() + BROWSER_IDLE_SECONDS * 1000;
    return browser;
  }

  private alive(browserId: string): FakeBrowser | undefined {
    const browser = this.browsers.get(browserId);
    if (browser && this.clock.nowMs() < browser.expiresAtMs) return browser;
    if (browser) void this.remove(browserId);
    return undefined;
  }
}

function visit(browser: FakeBrowser, url: string): void {
  browser.url = url;
  const origin = `${new URL(url).origin}/`;
  if (!browser.origins.includes(origin)) browser.origins.push(origin);
}

function frame(browser: FakeBrowser): string {
  return JSON.stringify({ msg: 'screencast', url: browser.url, data: FRAME });
}

function recordOf({ spec }: FakeBrowser): BrowserRecord {
  return { browserId: spec.browserId, oid: spec.oid, labels: spec.labels };
}
