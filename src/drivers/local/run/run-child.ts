import { setTimeout as delay } from 'node:timers/promises';
import { maySkipPages } from '../../../../formats/page-skip.js';
import type { CrawlerStats, InstanceStatus, ToApi } from '../../../../crawler/protocol.js';
import type { CrawlJobSpec, QueueWindow } from '../../crawl-driver.types.js';
import type { DuplexWebSocket } from '../../duplex-websocket.js';
import { noQueue } from '../../no-run.js';
import type { ChildExit, Command, CrawlerChild } from '../crawler-child.js';
import type { Intent } from '../exits.js';
import type { RunLauncher, LocalContext } from './run-launcher.js';
import { OriginalsDesk } from './originals-desk.js';
import { noteRequired, type RunRecord } from './run-record.js';
import type { LiveState } from './observe-run.js';
import { ScreencastHub } from '../screencast-hub.js';
import { ToldSources } from '../told-sources.js';
import type { WorkDir } from '../work-dir.js';

/** Time after which a cancelled child that has not ended is killed (design/crawler.md §3). */
const CANCEL_GRACE_MS = 5000;
/** Time for a quit: pages in flight may take 30 s to finish, then the writers close. */
const QUIT_GRACE_MS = 60_000;
const KILL_GRACE_MS = 10_000;
const UPLOADING_GRACE_MS = 1000;

/** Set for a child that has no browser and packs what is there. */
export type PackageOnly = 'stopped' | 'paused' | undefined;

export interface ChildEvents {
  /** Called when a file is finished. */
  readonly produced: () => void;
  /** Called when the child is gone. Code that waits for the child's end waits for this callback as well. */
  readonly exited: (exit: ChildExit, intent: Intent) => Promise<void>;
  readonly failed: (error: unknown) => void;
}

/** The child that works for a run, one at a time, with what it was told and what it has said. */
export class RunChild {
  private readonly hub = new ScreencastHub((on) => this.send({ t: 'cast', on }));
  private readonly sources = new ToldSources();
  private child: CrawlerChild | undefined;
  private desk: OriginalsDesk | undefined;
  private status: InstanceStatus | undefined;
  private stats: CrawlerStats | undefined;
  private intent: Intent;
  private told: { request?: RunRecord['request']; windows: number; quitting: boolean } = {
    windows: 0,
    quitting: false,
  };
  private gone: Promise<void> = Promise.resolve();

  constructor(
    private readonly record: RunRecord,
    private readonly dir: WorkDir,
    private readonly context: LocalContext,
    private readonly launcher: RunLauncher,
    private readonly events: ChildEvents,
  ) {}

  get isAlive(): boolean {
    return this.child !== undefined;
  }

  /** Whether the child was told to close its files and end, so that the run is started again from them. */
  get isQuitting(): boolean {
    return this.told.quitting;
  }

  get live(): Pick<LiveState, 'childAlive' | 'status' | 'stats'> {
    return {
      childAlive: this.isAlive,
      ...(this.status ? { status: this.status } : {}),
      ...(this.stats ? { stats: this.stats } : {}),
    };
  }

  /** Starts a child. @throws as `RunLauncher.launch`; the record then has nothing of this start */
  async start(spec: CrawlJobSpec, packageOnly: PackageOnly): Promise<void> {
    let gone: () => void = () => undefined;
    this.gone = new Promise((resolve) => (gone = resolve));
    this.intent = undefined;
    this.status = undefined;
    const ended = (exit: ChildExit): void => void this.ended(exit).catch(this.events.failed).finally(gone);
    let early: ChildExit | undefined;
    this.desk = this.deskFor(spec);
    const about = { packageOnly, asksOriginals: this.desk !== undefined };
    try {
      const child = await this.launcher.launch(spec, this.dir, about, {
        message: (message) => this.received(message),
        exit: (exit) => (this.child ? ended(exit) : (early = exit)),
      });
      this.started(child, spec, packageOnly);
    } catch (error) {
      gone();
      throw error;
    }
    if (early) ended(early);
  }

  /** Sends a command. It is dropped when there is no child: what a child must not miss is kept in files. */
  send(command: Command): void {
    this.child?.send(command);
  }

  /** Tells the child once what users ask of the run. */
  request(request: NonNullable<RunRecord['request']>): void {
    if (!this.child || this.told.request === request) return;
    this.told.request = request;
    this.send({ t: request });
    if (request === 'cancel') this.killAfter(this.child, CANCEL_GRACE_MS);
  }

  /** Lets the child close its files and end. */
  quit(): void {
    if (!this.child) return;
    this.told.quitting = true;
    this.expectEnd();
    this.send({ t: 'quit' });
    this.killAfter(this.child, QUIT_GRACE_MS);
  }

  /** Notes that the driver has asked for the child's end. Any end counts as the one asked for. */
  expectEnd(): void {
    this.intent = 'quit';
  }

  /** Tells the child what has changed in the run's spec since it was last told. */
  update(spec: CrawlJobSpec): void {
    const sources = this.sources.renewed(spec);
    if (sources) this.send({ t: 'sources', sources });
    if (spec.browserWindows === this.told.windows) return;
    this.told.windows = spec.browserWindows;
    this.hub.resize(spec.browserWindows, spec.windowsPerInstance);
    this.send({ t: 'setWindows', n: spec.browserWindows });
  }

  async queue(offset: number, count: number): Promise<QueueWindow> {
    const reply = await this.child?.ask({ t: 'queue', offset, count });
    return reply?.kind === 'queue' && !reply.error ? { total: reply.total, urls: reply.urls } : noQueue();
  }

  screencast(index: number, { browserWindows, windowsPerInstance }: CrawlJobSpec): DuplexWebSocket | null {
    return this.child ? this.hub.open(index, browserWindows, windowsPerInstance) : null;
  }

  /** Ends the child at once. Resolves when the child is gone, or does not end in time. */
  async kill(): Promise<void> {
    this.child?.kill();
    await Promise.race([this.gone, delay(KILL_GRACE_MS, undefined, { ref: false })]);
  }

  /** Waits for the child's end, and ends it when the time is over. */
  async endWithin(graceMs: number): Promise<void> {
    // A child that only waits for its uploads has no files left to close.
    const waitMs = this.status === 'uploading-wacz' ? UPLOADING_GRACE_MS : graceMs;
    await Promise.race([this.gone, delay(waitMs, undefined, { ref: false })]);
    this.child?.kill();
    await this.gone;
  }

  private started(child: CrawlerChild, spec: CrawlJobSpec, packageOnly: PackageOnly): void {
    const { record } = this;
    this.told = {
      windows: spec.browserWindows,
      quitting: false,
      ...(packageOnly === undefined ? {} : { request: record.request }),
    };
    this.sources.told(spec);
    record.run = { startedAt: this.context.clock.now().toISOString() };
    if (child.identity) record.child = child.identity;
    this.child = child;
    for (const { add, regex } of record.exclusions.splice(0)) this.send({ t: 'exclude', add, regex });
  }

  private received(message: ToApi): void {
    switch (message.t) {
      case 'state':
        if (message.status === 'running' && this.status !== 'running') this.opened();
        this.status = message.status;
        this.context.wake(this.record.jobId);
        return;
      case 'stats':
        this.stats = message;
        this.record.found = message.found;
        this.record.done = message.done;
        if (message.failReason) this.record.failReason = message.failReason;
        return;
      case 'wacz':
      case 'profile':
        this.events.produced();
        return;
      case 'original':
        noteRequired(this.record, [message.itemId]);
        return;
      case 'askOriginals':
        void this.answer(message);
        return;
      case 'askSignature':
        void this.sign(message);
        return;
      case 'frame':
        this.hub.frame(message);
        return;
      case 'frameClosed':
        this.hub.closed(message.id);
        return;
      default:
        return;
    }
  }

  private deskFor(spec: CrawlJobSpec): OriginalsDesk | undefined {
    const { kind, oid, crawlId, dedupeCollectionId: collectionId, config } = spec;
    const find = this.context.finder();
    if (kind !== 'crawl' || collectionId === undefined || !find) return undefined;
    const asksPages = maySkipPages(config);
    return new OriginalsDesk(find, { oid, crawlId, collectionId, asksPages }, this.context.logger);
  }

  /** Answers the child that asked, and no later one. */
  private async answer({ rid, digests }: Extract<ToApi, { t: 'askOriginals' }>): Promise<void> {
    const { child, desk } = this;
    if (!child || !desk || !Array.isArray(digests)) return;
    child.send({ t: 'originals', rid, found: await desk.answer(digests) });
  }

  /** Answers that there is no signature when nobody can sign: the child packs without one and waits no longer. */
  private async sign({ rid, hash, created }: Extract<ToApi, { t: 'askSignature' }>): Promise<void> {
    const { child, context, record } = this;
    const signed = await context.sign({ hash, created, oid: record.oid }).catch((error: unknown) => {
      context.logger.warn({ event: 'wacz_not_signed', jobId: record.jobId, error: String(error) });
      return null;
    });
    child?.send({ t: 'signature', rid, signed });
  }

  /** Tells the child again what was said before its browser was there. */
  private opened(): void {
    if (this.hub.isWatched) this.send({ t: 'cast', on: true });
    this.send({ t: 'setWindows', n: this.told.windows });
  }

  private async ended(exit: ChildExit): Promise<void> {
    this.child = undefined;
    this.stats = undefined;
    this.hub.end();
    await this.events.exited(exit, this.intent);
  }

  private killAfter(child: CrawlerChild, graceMs: number): void {
    setTimeout(() => {
      if (this.child === child) child.kill();
    }, graceMs).unref();
  }
}
