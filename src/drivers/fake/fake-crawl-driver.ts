import { CrawlDriver } from '../crawl-driver.js';
import type {
  ControlResult,
  CrawlerPage,
  CrawlJobSpec,
  EventBatch,
  FindOriginals,
  JobId,
  JobObservation,
  QueueWindow,
} from '../crawl-driver.types.js';
import { InProcessDuplex, type DuplexWebSocket } from '../duplex-websocket.js';
import type { StoreFor } from '../run-stores.js';
import { noEvents, noRun, noQueue } from '../no-run.js';
import type { OpenIndexCopy } from '../index-copy.js';
import { FakeRun } from './fake-run.js';
import { fakeScript, type FakeScript } from './fake-script.js';

/** One grey pixel, PNG. */
const FRAME = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==';

/** Number of crawls whose pages are kept for a later QA run. */
const MAX_REMEMBERED_CRAWLS = 1000;

interface ScriptRule {
  readonly applies: (spec: CrawlJobSpec) => boolean;
  readonly script: FakeScript;
}

/**
 * Scripted crawls in memory, on the service's clock. They visit nothing and end with a small real WACZ. The driver is
 * for tests, and for trying the API without a browser (CRAWL_DRIVER=fake).
 */
export class FakeCrawlDriver extends CrawlDriver {
  readonly kind = 'fake';
  override usesDedupeIndex = true;
  /** Number of runs that may run at once. The others stay `pending`. */
  capacity = Number.POSITIVE_INFINITY;
  /**
   * Reason that runs without a place report; undefined: they report none, like an engine that does not know the reason.
   */
  capacityWait: string | undefined;
  /** While true, no call of the driver is answered. */
  down = false;
  /** Set by tests of crawlers that read a copy of their index instead of asking. */
  override openIndexCopy: OpenIndexCopy | undefined = undefined;
  /** What crawls would ask for originals. */
  findOriginals: FindOriginals = () => Promise.resolve([]);
  /** Number of instances that each run should have. */
  instances = 1;

  private readonly runs = new Map<JobId, FakeRun>();
  private readonly remembered = new Map<string, readonly CrawlerPage[]>();
  private readonly turns = new Map<JobId, Promise<unknown>>();
  private readonly viewers = new Map<JobId, Set<InProcessDuplex>>();
  private readonly waiting = new WeakSet<FakeRun>();
  private readonly rules: ScriptRule[] = [];
  private defaultScript = fakeScript();

  constructor(
    private readonly storeFor: StoreFor,
    private readonly clock: { nowMs(): number },
  ) {
    super();
  }

  // ---- controls

  /** Sets what runs created from now on do: those that `applies` picks, or all. The newest rule that applies wins. */
  script(changes: Partial<FakeScript>, applies?: (spec: CrawlJobSpec) => boolean): void {
    if (applies) this.rules.unshift({ applies, script: fakeScript(changes) });
    else this.defaultScript = fakeScript(changes);
  }

  run(id: JobId): FakeRun | undefined {
    return this.runs.get(id);
  }

  /** Forgets a run as if its state had been lost, or the service restarted. */
  lose(id: JobId): void {
    this.runs.delete(id);
  }

  // ---- the port

  override instanceCount(_spec: CrawlJobSpec): number {
    return this.instances;
  }

  override async ping(): Promise<void> {
    await this.answer();
  }

  override async ensure(spec: CrawlJobSpec, instances: number, opts: { restart?: boolean }): Promise<void> {
    await this.answer();
    let run = this.runs.get(spec.jobId);
    if (!run) {
      const rule = this.rules.find(({ applies }) => applies(spec));
      run = new FakeRun(
        spec,
        rule?.script ?? this.defaultScript,
        this.storing(spec),
        this.remembered.get(spec.crawlId) ?? this.runs.get(spec.crawlId)?.pages ?? [],
      );
      this.runs.set(spec.jobId, run);
    }
    const ensured = run;
    await this.inTurn(spec.jobId, async () => {
      ensured.ensure(spec, instances, opts.restart ?? false, this.clock.nowMs());
      await this.advance(ensured);
    });
  }

  override async observe(id: JobId): Promise<JobObservation> {
    const run = await this.advanced(id);
    if (!run) return noRun();
    const waits = this.waiting.has(run) && this.capacityWait !== undefined;
    return { ...run.observe(), ...(waits ? { capacityWait: this.capacityWait } : {}) };
  }

  override async drain(id: JobId, max: number): Promise<EventBatch> {
    const run = await this.advanced(id);
    return run?.drain(max) ?? noEvents();
  }

  override async requestStop(id: JobId): Promise<ControlResult> {
    return (await this.advanced(id))?.requestStop() ?? 'not_found';
  }

  override async requestStopInstance(id: JobId, index: number): Promise<ControlResult> {
    return (await this.advanced(id))?.requestStopInstance(index) ?? 'not_found';
  }

  override async releaseInstance(id: JobId, index: number): Promise<void> {
    (await this.advanced(id))?.releaseInstance(index);
  }

  override async cancel(id: JobId): Promise<ControlResult> {
    return (await this.advanced(id))?.cancel() ?? 'not_found';
  }

  override async pause(id: JobId): Promise<ControlResult> {
    return (await this.advanced(id))?.pause() ?? 'not_found';
  }

  override async clearPause(id: JobId): Promise<ControlResult> {
    return (await this.advanced(id))?.clearPause() ?? 'not_found';
  }

  override async addExclusion(id: JobId, regex: string): Promise<ControlResult> {
    return (await this.advanced(id))?.addExclusion(regex) ?? 'not_found';
  }

  override async removeExclusion(id: JobId, _regex: string): Promise<ControlResult> {
    return (await this.advanced(id))?.removeExclusion() ?? 'not_found';
  }

  override async queue(id: JobId, offset: number, count: number): Promise<QueueWindow> {
    return (await this.advanced(id))?.queue(offset, count) ?? noQueue();
  }

  override async screencast(id: JobId, index: number): Promise<DuplexWebSocket | null> {
    const run = await this.advanced(id);
    if (!run?.isRunning) return null;
    const { browserWindows, windowsPerInstance } = run.jobSpec;
    const first = index * windowsPerInstance;
    const browsers = Math.min(windowsPerInstance, browserWindows - first);
    if (index < 0 || browsers <= 0) return null;
    const viewers = this.viewers.get(id) ?? new Set();
    this.viewers.set(id, viewers);
    const duplex = new InProcessDuplex(
      () => undefined,
      () => viewers.delete(duplex),
    );
    viewers.add(duplex);
    duplex.emit(JSON.stringify({ msg: 'init', width: 640, height: 360, browsers }));
    for (let i = 0; i < browsers; i += 1) {
      const url = run.pages.at(-1 - i)?.url;
      if (url) duplex.emit(JSON.stringify({ msg: 'screencast', id: first + i, url, data: FRAME }));
    }
    return duplex;
  }

  override onOriginals(find: FindOriginals): void {
    this.findOriginals = find;
  }

  override suspendStore(_id: JobId): Promise<void> {
    return Promise.resolve();
  }

  override async remove(id: JobId): Promise<void> {
    await this.inTurn(id, () => {
      const run = this.runs.get(id);
      if (run?.jobSpec.kind === 'crawl') this.remember(id, run.pages);
      this.runs.delete(id);
      return Promise.resolve();
    });
  }

  override list(): Promise<JobId[]> {
    return Promise.resolve([...this.runs.keys()]);
  }

  /** @throws Error while it is down */
  private answer(): Promise<void> {
    return this.down ? Promise.reject(new Error('the fake driver is down')) : Promise.resolve();
  }

  private async advanced(id: JobId): Promise<FakeRun | undefined> {
    await this.answer();
    const run = this.runs.get(id);
    if (run) await this.inTurn(id, () => this.advance(run));
    return this.runs.get(id);
  }

  private async advance(run: FakeRun): Promise<void> {
    const nowMs = this.clock.nowMs();
    const hasPlace = run.isRunning || run.isEnding || this.countOthers(run) < this.capacity;
    // A run takes a place when the place is found free, not at the moment when it first wanted one.
    if (!hasPlace) this.waiting.add(run);
    if (this.waiting.has(run)) run.instances.postpone(nowMs);
    if (!hasPlace) return;
    this.waiting.delete(run);
    await run.advance(nowMs);
  }

  private countOthers(run: FakeRun): number {
    if (this.capacity === Number.POSITIVE_INFINITY) return 0;
    return [...this.runs.values()].filter((other) => other !== run && other.isRunning).length;
  }

  /**
   * Does one action after the other for each run. Storing takes time, and a page must not be visited twice meanwhile.
   */
  private async inTurn(id: JobId, act: () => Promise<void>): Promise<void> {
    const turn = (this.turns.get(id) ?? Promise.resolve()).then(act, act);
    this.turns.set(id, turn);
    try {
      await turn;
    } finally {
      if (this.turns.get(id) === turn) this.turns.delete(id);
      if (!this.runs.get(id)?.isRunning) this.endViews(id);
    }
  }

  /** Ends live views, as a real browser does when it ends. */
  private endViews(id: JobId): void {
    for (const viewer of [...(this.viewers.get(id) ?? [])]) viewer.close();
    this.viewers.delete(id);
  }

  private storing(spec: CrawlJobSpec) {
    return async (bytes: Buffer, name: string): Promise<{ key: string; size: number; hash: string }> => {
      const key = spec.storage.keyPrefix + name;
      const store = await this.storeFor(spec.oid, spec.storage.ref);
      const stored = await store.put(key, bytes, { contentType: 'application/wacz+zip', exactSize: bytes.length });
      return { key, size: stored.size, hash: stored.sha256 };
    };
  }

  private remember(crawlId: string, pages: readonly CrawlerPage[]): void {
    this.remembered.set(crawlId, pages);
    const [oldest] = this.remembered.keys();
    if (oldest !== undefined && this.remembered.size > MAX_REMEMBERED_CRAWLS) this.remembered.delete(oldest);
  }
}
