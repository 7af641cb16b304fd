import { join } from 'node:path';
import { WORK_FILES, type OutputFile, type ProfileModeConfig, type ToApi } from '../../../crawler/protocol.js';
import type { BrowserInput, BrowserRecord, BrowserSpec, BrowserState, CommitState } from '../browser-driver.js';
import type { ControlResult } from '../crawl-driver.types.js';
import { InProcessDuplex, type DuplexWebSocket } from '../duplex-websocket.js';
import { readInput } from '../browser-input.js';
import type { CrawlerChild } from './crawler-child.js';
import { placeProfile } from './run/run-inputs.js';
import type { LocalRuntime } from './local-runtime.js';
import { BASE_MEMORY_BYTES } from './local-settings.js';
import type { WorkDir } from './work-dir.js';

/** Beginning of the names of profile browsers' directories. Nothing in these outlives the service. */
export const BROWSER_PREFIX = 'prf-';

/** Time for a commit: packing a large profile is slow. */
const COMMIT_TIMEOUT_MS = 120_000;
const NAVIGATE_TIMEOUT_MS = 30_000;
/** Size that is shown until the first frame tells the real one. */
const FIRST_SIZE = { width: 1280, height: 800 };

/** One profile browser: a child in `profile` mode, the people who look at it, and the commit under way. */
export class LocalBrowser {
  lastUsedMs: number;
  /**
   * When a person last looked at the browser or did something in it; null before it has a place. Pings do not count.
   */
  private lastSeenMs: number | null = null;
  private child: CrawlerChild | undefined;
  private hasEnded = false;
  private isReady = false;
  private latest: string | undefined;
  private size = FIRST_SIZE;
  private commitment: { profileId: string; state: CommitState } | undefined;
  private origins: string[] = [];
  private readonly viewers = new Set<InProcessDuplex>();
  private readonly dir: WorkDir;

  constructor(
    private readonly spec: BrowserSpec,
    private readonly runtime: LocalRuntime,
    private readonly ended: () => void,
  ) {
    this.lastUsedMs = runtime.clock.nowMs();
    this.dir = runtime.dirs.of(spec.browserId);
  }

  get record(): BrowserRecord {
    const { browserId, oid, labels } = this.spec;
    return { browserId, oid, labels };
  }

  get isCommitting(): boolean {
    return this.commitment?.state.state === 'saving';
  }

  /** Whether others wait for the browser's place, and nobody has looked at it since `limitMs`. */
  isForgottenSince(limitMs: number): boolean {
    if (this.viewers.size > 0) this.seen();
    return this.lastSeenMs !== null && this.lastSeenMs < limitMs && this.runtime.slots.isAwaited;
  }

  /** Starts the browser as soon as there is a place. */
  begin(): void {
    this.runtime.slots.want({
      id: this.spec.browserId,
      sinceMs: this.lastUsedMs,
      granted: () => {
        this.seen();
        this.launch().catch((error: unknown) => {
          this.runtime.logger.warn({
            event: 'profile_browser_not_started',
            browserId: this.spec.browserId,
            error: String(error),
          });
          this.end();
        });
      },
    });
  }

  async ping(): Promise<BrowserState> {
    const reply = this.isReady ? await this.child?.ask({ t: 'ping' }) : undefined;
    if (reply?.kind !== 'ping' || reply.error) return { state: 'starting' };
    this.origins = reply.origins;
    return { state: 'ready', origins: reply.origins };
  }

  async navigate(url: string): Promise<ControlResult> {
    if (!this.isReady) return 'unavailable';
    this.seen();
    const reply = await this.child?.ask({ t: 'navigate', url }, NAVIGATE_TIMEOUT_MS);
    // A page that does not load is an answer too, because the person sees the error.
    return reply ? 'ok' : 'unavailable';
  }

  frames(): DuplexWebSocket | null {
    if (!this.isReady || !this.child) return null;
    this.seen();
    const duplex = new InProcessDuplex(
      (text) => {
        const event = readInput(text);
        if (event) this.input(event);
      },
      () => this.left(duplex),
    );
    this.viewers.add(duplex);
    duplex.emit(JSON.stringify({ msg: 'init', ...this.size }));
    if (this.latest) duplex.emit(this.latest);
    if (this.viewers.size === 1) this.child.send({ t: 'cast', on: true });
    return duplex;
  }

  input(event: BrowserInput): ControlResult {
    if (!this.isReady || !this.child) return 'unavailable';
    this.lastUsedMs = this.runtime.clock.nowMs();
    this.seen();
    this.child.send({ t: 'input', event });
    return 'ok';
  }

  commit(profileId: string): CommitState {
    if (!this.isReady) return { state: 'saving' };
    this.seen();
    if (this.commitment?.profileId !== profileId) {
      const commitment: NonNullable<LocalBrowser['commitment']> = { profileId, state: { state: 'saving' } };
      this.commitment = commitment;
      void this.save(profileId).then((state) => (commitment.state = state));
    }
    const { state } = this.commitment;
    // A failure is reported once. The next call is another try.
    if (state.state === 'failed') this.commitment = undefined;
    return state;
  }

  /** Ends the browser and deletes its directory. */
  async remove(): Promise<void> {
    this.end();
    await this.dir.destroy();
    await this.runtime.records.delete(this.spec.browserId);
  }

  private async launch(): Promise<void> {
    const { spec, runtime } = this;
    await this.dir.create();
    if (spec.baseProfile)
      await placeProfile(
        this.dir,
        await runtime.storeFor(spec.oid, spec.storage.ref),
        `${spec.oid}/${spec.baseProfile.key}`,
      );
    const way = spec.proxy && (await runtime.launcher.openProxy(spec.browserId, spec.proxy));
    if (this.hasEnded) {
      way?.close();
      return;
    }
    const config: ProfileModeConfig = {
      mode: 'profile',
      jobId: spec.browserId,
      dir: this.dir.path,
      ...(runtime.settings.chromiumPath ? { chromiumPath: runtime.settings.chromiumPath } : {}),
      allowPrivate: runtime.settings.allowPrivate,
      allowAddresses: [...runtime.settings.allowAddresses],
      ...(way ? { proxy: { url: way.url } } : {}),
      hasProfile: spec.baseProfile !== undefined,
      memoryLimitBytes: BASE_MEMORY_BYTES,
      url: spec.url,
    };
    const handlers = { message: (message: ToApi): void => this.received(message), exit: (): void => this.end() };
    const child = await runtime.launcher.start(config, this.dir, handlers, { way });
    this.child = child;
    if (this.hasEnded) child.kill();
    else child.send({ t: 'start', config, resume: false });
  }

  private received(message: ToApi): void {
    if (message.t === 'state' && message.status === 'running') this.isReady = true;
    if (message.t !== 'frame') return;
    this.size = { width: message.width, height: message.height };
    this.latest = JSON.stringify({ msg: 'screencast', url: message.url, data: message.data, ...this.size });
    for (const viewer of this.viewers) viewer.emit(this.latest);
  }

  private async save(profileId: string): Promise<CommitState> {
    const reply = await this.child?.ask({ t: 'commit' }, COMMIT_TIMEOUT_MS);
    if (reply?.kind !== 'commit' || reply.error)
      return { state: 'failed', reason: reply?.error ?? 'the browser did not answer' };
    try {
      const { size, hash } = await this.upload(reply.file, `profiles/profile-${profileId}.tar.gz`);
      this.origins = reply.origins;
      return { state: 'saved', key: `profiles/profile-${profileId}.tar.gz`, size, hash, origins: reply.origins };
    } catch (error) {
      this.runtime.logger.warn({ event: 'profile_not_saved', browserId: this.spec.browserId, error: String(error) });
      return { state: 'failed', reason: 'the profile could not be stored' };
    }
  }

  private async upload(file: OutputFile, key: string): Promise<{ size: number; hash: string }> {
    if (file.file !== file.file.replace(/[^\w.@+-]/g, '')) throw new Error('not a file name');
    const name = join(WORK_FILES.outDir, file.file);
    const handle = await this.dir.open(name);
    if (!handle) throw new Error('the packed profile is gone');
    const { oid, storage } = this.spec;
    const body = handle.createReadStream({ highWaterMark: 1024 * 1024 });
    try {
      const store = await this.runtime.storeFor(oid, storage.ref);
      const stored = await store.put(`${oid}/${key}`, body, { contentType: 'application/gzip', exactSize: file.size });
      return { size: stored.size, hash: stored.sha256 };
    } finally {
      body.destroy();
      await this.dir.delete(name);
      await this.dir.delete(`${name}.json`);
      this.child?.send({ t: 'stored', file: file.file });
    }
  }

  private seen(): void {
    this.lastSeenMs = this.runtime.clock.nowMs();
  }

  private left(duplex: InProcessDuplex): void {
    this.viewers.delete(duplex);
    this.seen();
    if (this.viewers.size === 0) this.child?.send({ t: 'cast', on: false });
  }

  private end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.isReady = false;
    this.child?.kill();
    for (const viewer of [...this.viewers]) viewer.close();
    this.runtime.slots.release(this.spec.browserId);
    this.ended();
  }
}
