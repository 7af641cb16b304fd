import {
  EXIT_CODES,
  WORK_FILES,
  type CrawlerStats,
  type InstanceStatus,
  type ToApi,
} from '../../../crawler/protocol.js';
import type { ControlResult, CrawlJobSpec, EventBatch, JobObservation, QueueWindow } from '../crawl-driver.types.js';
import type { DuplexWebSocket } from '../duplex-websocket.js';
import type { ChildExit, CrawlerChild } from './crawler-child.js';
import { elapsed } from './elapsed.js';
import { endHopeless, isFinished, isHopeless, recordEnd, recordExit, type Intent } from './exits.js';
import { isOutOfSpace, JobInputUnavailable } from './job-inputs.js';
import type { JobRecord } from './job-record.js';
import { JobOutput } from './job-output.js';
import type { JobLauncher, LocalContext } from './job-launcher.js';
import { observeJob } from './observe-job.js';
import { ScreencastHub } from './screencast-hub.js';
import { ToldSources } from './told-sources.js';
import type { WorkDir } from './work-dir.js';

/** A cancelled child that has not ended by then is killed (design/crawler.md §3). */
const CANCEL_GRACE_MS = 5000;
/** Pages in flight may take 30 s to finish, then the writers close. */
const QUIT_GRACE_MS = 60_000;
const REMOVE_GRACE_MS = 10_000;
const UPLOADING_GRACE_MS = 1000;
const DISK_FULL = 'No space left on the disk of the work directory';
const HOPELESS = 'The crawler died at every start without a page more';

/**
 * One crawl or QA run: its record, its directory, and the child that works in it. Every change of what is wanted sets
 * `kick`, which takes the next step towards it; steps never overlap.
 */
export class LocalJob {
  private readonly output: JobOutput;
  private readonly hub: ScreencastHub;
  private child: CrawlerChild | undefined;
  private spec: CrawlJobSpec | undefined;
  private wanted = 0;
  private status: InstanceStatus | undefined;
  private stats: CrawlerStats | undefined;
  private intent: Intent;
  private told: { request?: JobRecord['request']; windows: number; quitting: boolean } = {
    windows: 0,
    quitting: false,
  };
  private readonly sources = new ToldSources();
  private restart = false;
  /** Waits for the object store to catch up. */
  private held = false;
  private removed = false;
  private saidFull = false;
  private dirty = false;
  private stepping: Promise<void> | undefined;
  private saving: Promise<void> = Promise.resolve();
  private childGone: Promise<void> = Promise.resolve();

  constructor(
    readonly record: JobRecord,
    private readonly dir: WorkDir,
    private readonly context: LocalContext,
    private readonly launcher: JobLauncher,
  ) {
    this.hub = new ScreencastHub((on) => this.child?.send({ t: 'cast', on }));
    this.output = new JobOutput(record, dir, context, {
      target: (file) => launcher.target(record, file),
      save: () => this.save(),
      acknowledged: (file) => this.child?.send({ t: 'stored', file }),
    });
  }

  // ---- the driver's verbs

  async ensure(spec: CrawlJobSpec, wanted: number, restart: boolean): Promise<void> {
    this.spec = spec;
    this.wanted = wanted;
    if (restart) {
      const stopped =
        this.record.run?.status === 'interrupted' || this.record.run?.exitCode === EXIT_CODES.config_refused;
      if (this.child) this.restart = true;
      else if (isFinished(this.record) && stopped) this.record.resumed = true;
    }
    this.kick();
    await this.save().catch((error: unknown) => this.failed(error));
  }

  async observe(): Promise<JobObservation> {
    // Uploads that failed are tried again, also for a job that nobody wants to run.
    this.kick();
    const { files: filesLeft, bytes: pendingBytes } = await this.output.pending();
    return observeJob(this.record, {
      nowMs: this.context.clock.nowMs(),
      wanted: this.wanted,
      windows: this.spec?.browserWindows ?? 0,
      childAlive: this.child !== undefined,
      pendingBytes,
      filesLeft,
      ...(this.status ? { status: this.status } : {}),
      ...(this.stats ? { stats: this.stats } : {}),
    });
  }

  drain(max: number): Promise<EventBatch> {
    return this.output.drain(max);
  }

  async ask(request: NonNullable<JobRecord['request']>): Promise<ControlResult> {
    const order = ['pause', 'stop', 'cancel'];
    if (this.record.request && order.indexOf(request) <= order.indexOf(this.record.request)) return 'ok';
    this.record.request = request;
    if (request === 'cancel') void this.output.close();
    if (request === 'stop' && this.record.run?.exitCode === 0 && this.record.run.status === 'interrupted')
      this.record.run.status = 'done';
    await this.save();
    this.kick();
    return 'ok';
  }

  async clearPause(): Promise<ControlResult> {
    if (this.record.request !== 'pause') return 'ok';
    delete this.record.request;
    this.record.resumed = true;
    await this.save();
    return 'ok';
  }

  async exclude(add: boolean, regex: string): Promise<ControlResult> {
    if (this.child) {
      this.child.send({ t: 'exclude', add, regex });
      return 'ok';
    }
    this.record.exclusions.push({ add, regex });
    await this.save();
    return 'ok';
  }

  async queue(offset: number, count: number): Promise<QueueWindow> {
    const reply = await this.child?.ask({ t: 'queue', offset, count });
    return reply?.kind === 'queue' && !reply.error ? { total: reply.total, urls: reply.urls } : { total: 0, urls: [] };
  }

  screencast(index: number): DuplexWebSocket | null {
    return this.child && this.spec
      ? this.hub.open(index, this.spec.browserWindows, this.spec.windowsPerInstance)
      : null;
  }

  /** Ends the child at once and deletes everything. */
  async remove(): Promise<void> {
    this.removed = true;
    this.context.slots.release(this.record.jobId);
    this.child?.kill();
    await Promise.race([this.childGone, elapsed(REMOVE_GRACE_MS)]);
    await this.output.close();
    await this.stepping?.catch(() => undefined);
    await this.saving.catch(() => undefined);
    await this.output.discardStored();
    await this.dir.destroy();
    await this.context.records.delete(this.record.jobId);
  }

  /** The service ends: the child closes its files and is started again from them the next time. */
  async shutDown(graceMs: number): Promise<void> {
    this.wanted = 0;
    this.intent = 'quit';
    await this.stepping?.catch(() => undefined);
    this.child?.send({ t: 'quit' });
    await this.output.close();
    // A child that only waits for its uploads has nothing left to close.
    await Promise.race([this.childGone, elapsed(this.status === 'uploading-wacz' ? UPLOADING_GRACE_MS : graceMs)]);
    this.child?.kill();
    await this.childGone;
    this.removed = true;
    await this.saving.catch(() => undefined);
  }

  /** Looks again at what is to be done: a turn came, a wait is over, the job was found at start. */
  kick(): void {
    this.dirty = true;
    // Never at once: a step may cause the next one before it has returned.
    this.stepping ??= Promise.resolve()
      .then(() => this.steps())
      .finally(() => {
        this.stepping = undefined;
        if (this.dirty && !this.removed) this.kick();
      });
  }

  // ---- steps

  private async steps(): Promise<void> {
    while (this.dirty && !this.removed) {
      this.dirty = false;
      try {
        await this.step();
      } catch (error) {
        this.failed(error);
      }
    }
  }

  /** Nothing waits for a step or an exit: what failed, a full disk first of all, is tried again at the next tick. */
  private failed(error: unknown): void {
    this.context.logger.error({ event: 'local_job_step_failed', jobId: this.record.jobId, error: String(error) });
    if (isOutOfSpace(error) && !this.saidFull) this.output.complain(DISK_FULL, {});
    this.saidFull = isOutOfSpace(error);
  }

  private async step(): Promise<void> {
    if (this.record.request !== 'cancel') await this.output.upload(() => this.caughtUp());
    if (this.child) {
      this.steer(this.child);
      return;
    }
    const { request } = this.record;
    const { slots, clock } = this.context;
    if (request === 'cancel') await this.finishCanceled();
    if (isFinished(this.record) || request === 'cancel' || !this.spec || clock.nowMs() < this.record.retryAtMs) {
      slots.release(this.record.jobId);
    } else if (request) {
      slots.release(this.record.jobId);
      await this.finishWithoutBrowser(this.spec, request);
    } else if (this.wanted === 0 || this.output.isBehind) {
      this.held = this.wanted > 0;
      slots.release(this.record.jobId);
    } else {
      this.held = false;
      slots.want({ id: this.record.jobId, sinceMs: this.record.sinceMs, granted: () => this.kick() });
      if (slots.holds(this.record.jobId)) await this.launch(this.spec, undefined);
    }
  }

  /** Brings a running child to what is wanted now. */
  private steer(child: CrawlerChild): void {
    const { request } = this.record;
    if (request && this.told.request !== request) {
      this.told.request = request;
      child.send({ t: request });
      if (request === 'cancel') this.killAfter(child, CANCEL_GRACE_MS);
    }
    if (request || this.told.quitting) return;
    if (this.wanted === 0 || this.restart || this.output.isBehind) {
      this.told.quitting = true;
      this.restart = false;
      this.intent = 'quit';
      child.send({ t: 'quit' });
      this.killAfter(child, QUIT_GRACE_MS);
      return;
    }
    const sources = this.sources.renewed(this.spec);
    if (sources) child.send({ t: 'sources', sources });
    const windows = this.spec?.browserWindows ?? this.told.windows;
    if (windows === this.told.windows) return;
    this.told.windows = windows;
    child.send({ t: 'setWindows', n: windows });
  }

  /** Stop or pause of a job without a child: what is there is packed, by a child that has no browser. */
  private async finishWithoutBrowser(spec: CrawlJobSpec, request: 'stop' | 'pause'): Promise<void> {
    const hasPages =
      (await this.dir.exists(WORK_FILES.state)) && (await this.dir.folderBytes(WORK_FILES.archiveDir)) > 0;
    if (hasPages) {
      await this.launch(spec, request === 'stop' ? 'stopped' : 'paused');
      return;
    }
    recordEnd(this.record, request === 'stop' ? 'done' : 'interrupted', this.context.clock.now());
    await this.save();
    this.context.wake(this.record.jobId);
  }

  private async finishCanceled(): Promise<void> {
    if (this.record.run?.status === 'canceled') return;
    await this.output.close();
    await this.dir.clear();
    await this.output.discardStored();
    recordEnd(this.record, 'canceled', this.context.clock.now());
    await this.save();
    this.context.wake(this.record.jobId);
  }

  // ---- the child

  private async launch(spec: CrawlJobSpec, packageOnly: 'stopped' | 'paused' | undefined): Promise<void> {
    let gone: () => void = () => undefined;
    this.childGone = new Promise((resolve) => (gone = resolve));
    const ended = (exit: ChildExit): void =>
      void this.exited(exit)
        .catch((error: unknown) => this.failed(error))
        .finally(gone);
    let early: ChildExit | undefined;
    delete this.record.resumed;
    delete this.record.failReason;
    this.intent = undefined;
    this.status = undefined;
    try {
      const child = await this.launcher.launch(spec, this.dir, packageOnly, {
        message: (message) => this.received(message),
        exit: (exit) => (this.child ? ended(exit) : (early = exit)),
      });
      this.told = {
        windows: spec.browserWindows,
        quitting: false,
        ...(packageOnly === undefined ? {} : { request: this.record.request }),
      };
      this.sources.told(spec);
      this.record.run = { startedAt: this.context.clock.now().toISOString() };
      if (child.identity) this.record.child = child.identity;
      this.child = child;
      for (const { add, regex } of this.record.exclusions.splice(0)) child.send({ t: 'exclude', add, regex });
      if (early) ended(early);
    } catch (error) {
      this.notStarted(error);
      gone();
    }
    await this.save();
    this.dirty = true;
  }

  private notStarted(error: unknown): void {
    const outOfSpace = isOutOfSpace(error);
    const said = error instanceof JobInputUnavailable ? error.message : 'The crawler could not be started';
    this.output.complain(outOfSpace ? DISK_FULL : said, {
      error: String(error instanceof Error ? (error.cause ?? error) : error),
    });
    const at = this.context.clock.now();
    this.record.run = { startedAt: at.toISOString() };
    recordExit(this.record, { code: outOfSpace ? EXIT_CODES.out_of_space : EXIT_CODES.error }, at, undefined);
    this.context.slots.release(this.record.jobId);
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
        this.kick();
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

  /** The browser is there: what was said before it was open is said again. */
  private opened(): void {
    if (this.hub.isWatched) this.child?.send({ t: 'cast', on: true });
    if (this.spec) this.child?.send({ t: 'setWindows', n: this.spec.browserWindows });
  }

  private async exited(exit: ChildExit): Promise<void> {
    const { record } = this;
    this.child = undefined;
    this.stats = undefined;
    this.hub.end();
    this.context.slots.release(record.jobId);
    const at = this.context.clock.now();
    recordExit(record, exit, at, this.intent);
    if (isHopeless(record)) this.output.complain(HOPELESS, endHopeless(record, at));
    if (this.removed) return;
    this.kick();
    this.context.wake(record.jobId);
    await this.save();
  }

  private killAfter(child: CrawlerChild, graceMs: number): void {
    setTimeout(() => {
      if (this.child === child) child.kill();
    }, graceMs).unref();
  }

  /** A slow store holds a crawl back; once it caught up the crawl goes on. */
  private caughtUp(): void {
    if (this.held && !this.output.isBehind) this.kick();
  }

  private save(): Promise<void> {
    const next = this.saving
      .catch(() => undefined)
      .then(() => (this.removed ? undefined : this.context.records.save(this.record)));
    this.saving = next;
    return next;
  }
}
