import { randomUUID } from 'node:crypto';
import type {
  ControlResult,
  CrawlerPage,
  CrawlJobSpec,
  DriverEvent,
  EventBatch,
  JobObservation,
  QueueWindow,
} from '../crawl-driver.types.js';
import { noQueue } from '../no-run.js';
import { crawlUrls, patterns, type FakeScript, type FakeUrl } from './fake-script.js';
import { exitInstance, FakeInstances } from './fake-instances.js';
import { FakeOutbox } from './fake-outbox.js';
import { FakeSegment, type StoreWacz } from './fake-segment.js';
import type { InstanceStatus } from '../../../crawler/protocol.js';

type Ending = { status: 'done' | 'interrupted'; sinceMs: number };

/**
 * One scripted crawl. It changes only when asked (`advance`), to the moment asked for, so that a test's clock decides.
 * The public methods below `controls` are for tests.
 */
export class FakeRun {
  readonly instances: FakeInstances;
  storeUp = true;
  rateLimited = false;
  failReason: string | undefined;
  requiredCrawls: string[] = [];
  profileUpload: JobObservation['profileUpload'];
  /** Overrides the computed `pendingBytes` of the first instance. */
  pendingBytes: number | undefined;
  /** Overrides the computed counters. */
  foundOverride: number | undefined;
  doneOverride: number | undefined;

  private queued: FakeUrl[];
  private seen: number;
  private visited = 0;
  private good = 0;
  private readonly allPages: CrawlerPage[] = [];
  private readonly outbox = new FakeOutbox();
  private readonly segment: FakeSegment;
  private cursorMs = 0;
  private ending: Ending | undefined;
  private stopping = false;
  private pausing = false;
  private canceled = false;
  private resumed = false;
  private readonly stopOne = new Set<number>();

  constructor(
    private spec: CrawlJobSpec,
    readonly script: FakeScript,
    store: StoreWacz,
    sourcePages: readonly CrawlerPage[],
  ) {
    this.queued = spec.kind === 'qa' ? qaUrls(script.qaPages ?? sourcePages) : crawlUrls(spec, script);
    this.seen = this.queued.length;
    this.instances = new FakeInstances(script);
    this.segment = new FakeSegment(script, store, this.outbox);
  }

  get jobSpec(): CrawlJobSpec {
    return this.spec;
  }

  // ---- the driver's verbs

  ensure(spec: CrawlJobSpec, wanted: number, restart: boolean, nowMs: number): void {
    this.spec = spec;
    const anew = (restart || this.resumed) && !this.canceled;
    if (wanted > 0) this.resumed = false;
    this.instances.ensure(spec, wanted, anew, nowMs);
  }

  observe(): JobObservation {
    return {
      exists: true,
      storeUp: this.storeUp,
      instances: this.instances.observe(this.pendingBytes ?? this.heldBytes()),
      found: this.foundOverride ?? this.seen,
      done: this.doneOverride ?? this.visited,
      rateLimited: this.rateLimited,
      ...(this.failReason === undefined ? {} : { failReason: this.failReason }),
      requiredCrawls: [...this.requiredCrawls],
      ...(this.profileUpload ? { profileUpload: this.profileUpload } : {}),
    };
  }

  drain(max: number): EventBatch {
    return this.outbox.drain(max);
  }

  requestStop(): ControlResult {
    return this.command(() => (this.stopping = true));
  }

  requestStopInstance(index: number): ControlResult {
    return this.command(() => this.stopOne.add(index));
  }

  releaseInstance(index: number): void {
    this.stopOne.delete(index);
    this.instances.release(index);
  }

  pause(): ControlResult {
    return this.command(() => (this.pausing = true));
  }

  clearPause(): ControlResult {
    return this.command(() => {
      if (this.pausing) this.resumed = true;
      this.pausing = false;
    });
  }

  cancel(): ControlResult {
    return this.command(() => (this.canceled = true));
  }

  addExclusion(regex: string): ControlResult {
    return this.command(() => {
      const [re] = patterns(regex);
      const kept = this.queued.filter(({ url }) => !re?.test(url));
      this.seen -= this.queued.length - kept.length;
      this.queued = kept;
    });
  }

  removeExclusion(): ControlResult {
    return this.command(() => undefined);
  }

  queue(offset: number, count: number): QueueWindow {
    if (!this.storeUp) return noQueue();
    return { total: this.queued.length, urls: this.queued.slice(offset, offset + count).map(({ url }) => url) };
  }

  get isRunning(): boolean {
    return this.instances.running().length > 0;
  }

  /** Whether the run was asked to stop, pause or cancel. The rest of its work needs no place. */
  get isEnding(): boolean {
    return this.stopping || this.pausing || this.canceled;
  }

  // ---- time

  /** Does everything that the script has up to `nowMs`. */
  async advance(nowMs: number): Promise<void> {
    if (this.canceled) {
      for (const instance of this.instances.alive()) exitInstance(instance, 0, 'canceled', nowMs);
      return;
    }
    if (this.isEnding) this.instances.hurry(nowMs);
    this.cursorMs = Math.max(this.cursorMs, this.instances.startDue(nowMs));
    if (!this.script.held) this.visitUntil(nowMs);
    this.stopSingle(nowMs);
    await this.finish(nowMs);
  }

  private visitUntil(nowMs: number): void {
    while (!this.ending && !this.stopping && !this.pausing && this.queued.length > 0) {
      const windows = this.instances.running().reduce((sum, { workers }) => sum + workers, 0);
      if (windows === 0) return;
      const nextMs = this.cursorMs + (this.script.pageSeconds * 1000) / windows;
      if (nextMs > nowMs) return;
      this.cursorMs = nextMs;
      this.visitOne(nextMs);
    }
  }

  private visitOne(atMs: number): void {
    const next = this.queued.shift();
    if (!next) return;
    const filename = this.segment.nameAt(atMs, this.spec);
    const changes = this.script.page?.(next.url) ?? {};
    const page: CrawlerPage = next.original
      ? { ...next.original, ...changes }
      : {
          id: randomUUID(),
          url: next.url,
          title: `Page ${next.url}`,
          loadState: 4,
          ts: new Date(atMs).toISOString(),
          mime: 'text/html',
          status: 200,
          depth: next.depth,
          filename,
          ...(next.depth === 0 ? { seed: true } : {}),
          ...changes,
        };
    this.visited += 1;
    if (page.loadState > 0) this.good += 1;
    this.allPages.push(page);
    this.segment.add(page);
    const comparison = next.original ? this.script.comparison(page) : undefined;
    this.emit({ type: 'page', page: comparison ? { ...page, comparison } : page });
  }

  private stopSingle(nowMs: number): void {
    for (const instance of this.instances.running()) {
      const others = this.instances.alive().length > 1;
      if (this.stopOne.has(instance.index) && others) exitInstance(instance, 0, 'done', nowMs);
    }
  }

  /** Packs, uploads and exits, one status after the other. */
  private async finish(nowMs: number): Promise<void> {
    if (!this.isRunning) return;
    if (!this.ending) {
      const interrupted = this.pausing && !this.stopping;
      if (!this.stopping && !this.pausing && (this.queued.length > 0 || this.script.held)) return;
      const sinceMs = this.stopping || this.pausing ? nowMs : this.cursorMs;
      this.ending = { status: interrupted ? 'interrupted' : 'done', sinceMs };
    }
    const packedMs = this.ending.sinceMs + this.script.packSeconds * 1000;
    const uploadedMs = packedMs + this.script.uploadSeconds * 1000;
    for (const instance of this.instances.running())
      instance.status = nowMs < packedMs ? 'generate-wacz' : 'uploading-wacz';
    if (nowMs < uploadedMs) return;
    if (this.good === 0 && this.visited > 0 && this.ending.status === 'done') {
      this.endAll(9, 'failed', uploadedMs);
      return;
    }
    if (!(await this.pack(new Date(uploadedMs)))) return;
    this.endAll(0, this.ending.status, uploadedMs);
  }

  private endAll(code: number, status: InstanceStatus, atMs: number): void {
    this.ending = undefined;
    for (const instance of this.instances.running()) exitInstance(instance, code, status, atMs);
  }

  /** Stores the visited pages as one WACZ. @returns false when the store refused it; the pages stay for another try */
  pack(at: Date): Promise<boolean> {
    return this.segment.pack(at, this.spec);
  }

  // ---- controls

  /** Visits the next `count` pages now. */
  visit(count: number, atMs: number): void {
    for (let i = 0; i < count; i += 1) this.visitOne(atMs);
  }

  emit(event: DriverEvent): void {
    if (event.type === 'error' || event.type === 'behavior') this.segment.log(event.line);
    this.outbox.put(event);
  }

  /** Puts URLs at the end of the queue. */
  find(urls: readonly string[]): void {
    this.queued.push(...urls.map((url) => ({ url, depth: 1 })));
    this.seen += urls.length;
  }

  /** Pages visited so far; a QA run of this crawl compares them. */
  get pages(): readonly CrawlerPage[] {
    return this.allPages;
  }

  /** Bytes of pages that are not packed yet, and of files that are not acknowledged. */
  private heldBytes(): number {
    return this.segment.pageBytes + this.outbox.fileBytes;
  }

  private command(act: () => unknown): ControlResult {
    if (!this.storeUp) return 'unavailable';
    act();
    return 'ok';
  }
}

function qaUrls(pages: readonly CrawlerPage[]): FakeUrl[] {
  return pages
    .filter((page) => page.mime === undefined || page.mime === 'text/html')
    .map((original) => ({ url: original.url, depth: original.depth ?? 0, original }));
}
