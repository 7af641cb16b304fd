import type { Redis } from 'ioredis';
import {
  BrowserDriver,
  type BrowserInput,
  type BrowserRecord,
  type BrowserSpec,
  type BrowserState,
  type CommitState,
} from '../browser-driver.js';
import { readInput } from '../browser-input.js';
import type { ControlResult } from '../crawl-driver.types.js';
import type { DuplexWebSocket } from '../duplex-websocket.js';
import { BrowserApi, BrowserAway, COMMIT_TIMEOUT_MS } from './browser-api.js';
import { BROWSER_PORT, browserName, browserPlan, recordOf, type BrowserSettings } from './browser-plan.js';
import { openScreencast } from './screencast-socket.js';
import type { ServiceRuntime, ServiceState } from './service-runtime.js';

/** Time between two searches for containers of browsers that are over. */
const SWEEP_MS = 5_000;
/** A browser that did not start within this time, for want of an image or a node, is given up. */
const START_MS = 600_000;
/** How long the result of a commit is kept. Clients ask until they know it. */
const COMMIT_KEPT_SECONDS = 600;

/**
 * Profile browsers in containers of the crawler image. The driver keeps no state itself, so any API process can ask for
 * any browser. The owner is noted at the container. The container ends by itself when no client asks for it any more.
 * Results of commits are in Redis, so that one process begins a commit and all can report it.
 */
export class ContainerBrowserDriver extends BrowserDriver {
  private readonly viewers = new Map<string, Set<DuplexWebSocket>>();
  private sweeper: NodeJS.Timeout | undefined;

  constructor(
    readonly kind: string,
    private readonly services: ServiceRuntime,
    private readonly redis: Redis,
    private readonly settings: BrowserSettings,
    private readonly surroundings: { logger: { warn(line: object): void }; clock: { nowMs(): number } },
  ) {
    super();
  }

  /** Starts removing containers of browsers that are over, whichever process started them. */
  open(): void {
    this.sweeper = setInterval(() => {
      this.sweep().catch((error: unknown) =>
        this.surroundings.logger.warn({ event: 'profile_browsers_not_swept', error: String(error) }),
      );
    }, SWEEP_MS);
    this.sweeper.unref();
  }

  /** Stops removing containers. Browsers keep running, because another process may be asked for them. */
  close(): void {
    clearInterval(this.sweeper);
    for (const id of [...this.viewers.keys()]) this.closeViewers(id);
  }

  override async start(spec: BrowserSpec): Promise<void> {
    await this.services.create(browserPlan(spec, this.settings));
  }

  override async find(browserId: string): Promise<BrowserRecord | null> {
    const found = await this.found(browserId);
    return found && recordOf(found);
  }

  override async ping(browserId: string): Promise<BrowserState> {
    const found = await this.found(browserId);
    if (!found) return { state: 'not_found' };
    const origins = await answerOf(apiOf(found)?.ping());
    return origins ? { state: 'ready', origins } : { state: 'starting' };
  }

  override async navigate(browserId: string, url: string): Promise<ControlResult> {
    return this.tell(browserId, async (api) => {
      // Only a ping keeps the browser alive.
      await api.ping();
      await api.navigate(url);
    });
  }

  override async frames(browserId: string): Promise<DuplexWebSocket | null> {
    const found = await this.found(browserId);
    if (!found?.host) return null;
    const viewers = this.viewersOf(browserId);
    const live = await openScreencast(`ws://${found.host}:${String(BROWSER_PORT)}/frames`, {
      passing: (text) => {
        const event = readInput(text);
        return event && JSON.stringify(event);
      },
      ended: () => live && viewers.delete(live),
    });
    if (live && !live.isClosed) viewers.add(live);
    return live;
  }

  override input(browserId: string, event: BrowserInput): Promise<ControlResult> {
    return this.tell(browserId, (api) => api.input(event));
  }

  override async commit(browserId: string, profileId: string): Promise<CommitState> {
    const found = await this.found(browserId);
    if (!found) return { state: 'not_found' };
    const api = apiOf(found);
    if (!api) return { state: 'saving' };
    const key = commitsKey(browserId);
    const isFirst = (await this.redis.hsetnx(key, profileId, SAVING)) === 1;
    if (isFirst) {
      // If this process dies, the key expires and the next call begins the commit anew.
      await this.redis.pexpire(key, COMMIT_TIMEOUT_MS);
      void this.save(api, { browserId, profileId });
    } else await answerOf(api.ping());
    const state = JSON.parse((await this.redis.hget(key, profileId)) ?? SAVING) as CommitState;
    // A failure is reported once. The next call is another try.
    if (state.state === 'failed') await this.redis.hdel(key, profileId);
    return state;
  }

  override async remove(browserId: string): Promise<void> {
    this.closeViewers(browserId);
    await this.services.remove(browserName(browserId));
    await this.redis.del(commitsKey(browserId));
  }

  override async list(): Promise<BrowserRecord[]> {
    return (await this.services.list('browser')).filter((state) => !this.isOver(state)).map(recordOf);
  }

  /** Removes the containers of browsers that ended, or never started. */
  async sweep(): Promise<void> {
    for (const [id, viewers] of this.viewers) if (viewers.size === 0) this.viewers.delete(id);
    for (const state of await this.services.list('browser'))
      if (this.isOver(state)) await this.services.remove(state.name);
  }

  private async found(browserId: string): Promise<ServiceState | null> {
    const state = await this.services.find(browserName(browserId));
    return state && !this.isOver(state) ? state : null;
  }

  private async tell(browserId: string, act: (api: BrowserApi) => Promise<void>): Promise<ControlResult> {
    const found = await this.found(browserId);
    if (!found) return 'not_found';
    const api = apiOf(found);
    if (!api) return 'unavailable';
    try {
      await act(api);
      return 'ok';
    } catch {
      return 'unavailable';
    }
  }

  private async save(api: BrowserApi, about: { browserId: string; profileId: string }): Promise<void> {
    const key = commitsKey(about.browserId);
    const filename = `profiles/profile-${about.profileId}.tar.gz`;
    const keep = async (state: CommitState): Promise<void> => {
      await this.redis.hset(key, about.profileId, JSON.stringify(state));
      await this.redis.expire(key, COMMIT_KEPT_SECONDS);
    };
    try {
      const { size, hash, origins } = await api.createProfile(filename);
      await keep({ state: 'saved', key: filename, size, hash, origins });
    } catch (error) {
      this.surroundings.logger.warn({ event: 'profile_not_saved', ...about, error: String(error) });
      // The browser was not ready yet, so the next call begins the commit anew.
      const told =
        error instanceof BrowserAway
          ? this.redis.hdel(key, about.profileId)
          : keep({ state: 'failed', reason: 'the profile could not be saved' });
      await Promise.resolve(told).catch(() => undefined);
    }
  }

  private isOver({ phase, createdAt }: ServiceState): boolean {
    if (phase === 'waiting') return this.surroundings.clock.nowMs() - createdAt.getTime() > START_MS;
    return phase !== 'running';
  }

  private viewersOf(browserId: string): Set<DuplexWebSocket> {
    const found = this.viewers.get(browserId) ?? new Set();
    this.viewers.set(browserId, found);
    return found;
  }

  private closeViewers(browserId: string): void {
    for (const live of [...(this.viewers.get(browserId) ?? [])]) live.close();
    this.viewers.delete(browserId);
  }
}

const SAVING = JSON.stringify({ state: 'saving' } satisfies CommitState);

/** Key of a hash with the results of a browser's commits, by profile. */
const commitsKey = (browserId: string): string => `muniment:browser:${browserId}`;

const apiOf = ({ host }: ServiceState): BrowserApi | null =>
  host === null ? null : new BrowserApi(`http://${host}:${String(BROWSER_PORT)}`);

/** The answer, or null when there is none. */
async function answerOf<T>(asked: Promise<T> | undefined): Promise<T | null> {
  try {
    return (await asked) ?? null;
  } catch {
    return null;
  }
}
