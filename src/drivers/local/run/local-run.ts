import { EXIT_CODES, WORK_FILES } from '../../../../crawler/protocol.js';
import type { ControlResult, CrawlJobSpec, EventBatch, JobObservation, QueueWindow } from '../../crawl-driver.types.js';
import type { DuplexWebSocket } from '../../duplex-websocket.js';
import type { ChildExit } from '../crawler-child.js';
import { countFruitless, endHopeless, isFinished, isHopeless, recordEnd, recordExit, type Intent } from '../exits.js';
import { RunChild, type PackageOnly } from './run-child.js';
import { isOutOfSpace, RunInputUnavailable } from './run-inputs.js';
import type { RunLauncher, LocalContext } from './run-launcher.js';
import { RunOutput } from './run-output.js';
import { RecordFile, type RunRecord } from './run-record.js';
import { ProxyUnreachable } from '../proxy-way.js';
import { observeRun } from './observe-run.js';
import { StepLoop } from '../step-loop.js';
import type { WorkDir } from '../work-dir.js';

const DISK_FULL = 'No space left on the disk of the work directory';
const HOPELESS = 'The crawler died at every start without a page more';
const NO_PROXY = 'The proxy could not be reached';

/**
 * One crawl or QA run, with its record, its directory, and the child that works in it. Every change of the desired
 * state kicks the loop. The loop then takes the next step towards that state.
 */
export class LocalRun {
  private readonly output: RunOutput;
  private readonly child: RunChild;
  private readonly file: RecordFile;
  private readonly loop: StepLoop;
  private spec: CrawlJobSpec | undefined;
  private wanted = 0;
  private restart = false;
  /** Whether so many files wait for the object store that no child is started. */
  private waitsForStore = false;
  private saidFull = false;

  constructor(
    private readonly record: RunRecord,
    private readonly dir: WorkDir,
    private readonly context: LocalContext,
    launcher: RunLauncher,
  ) {
    this.file = new RecordFile(context.records, record);
    const failed = (error: unknown): void => this.failed(error);
    this.loop = new StepLoop(() => this.step(), failed);
    this.child = new RunChild(record, dir, context, launcher, {
      produced: () => this.kick(),
      exited: (exit, intent) => this.exited(exit, intent),
      failed,
    });
    this.output = new RunOutput(record, dir, context, {
      target: (file) => launcher.target(record, file),
      save: () => this.file.save(),
      acknowledged: (file) => this.child.send({ t: 'stored', file }),
    });
  }

  /** Learns what a child of an earlier process has said. What can't be read now is learnt when it is drained. */
  recall(): Promise<void> {
    return this.output.recall().catch((error: unknown) => this.failed(error));
  }

  // ---- the driver's verbs

  async ensure(spec: CrawlJobSpec, wanted: number, restart: boolean): Promise<void> {
    this.spec = spec;
    this.wanted = wanted;
    if (restart) {
      const stopped =
        this.record.run?.status === 'interrupted' || this.record.run?.exitCode === EXIT_CODES.config_refused;
      if (this.child.isAlive) this.restart = true;
      else if (isFinished(this.record) && stopped) this.record.resumed = true;
    }
    this.kick();
    await this.file.save().catch((error: unknown) => this.failed(error));
  }

  async observe(): Promise<JobObservation> {
    // Failed uploads are tried again, also for a run that should not be running.
    this.kick();
    const { files: filesLeft, bytes: pendingBytes } = await this.output.pending();
    const capacityWait = this.context.slots.waitOf(this.record.jobId);
    const seen = observeRun(this.record, {
      nowMs: this.context.clock.nowMs(),
      wanted: this.wanted,
      windows: this.spec?.browserWindows ?? 0,
      pendingBytes,
      filesLeft,
      ...this.child.live,
    });
    return capacityWait ? { ...seen, capacityWait } : seen;
  }

  drain(max: number): Promise<EventBatch> {
    return this.output.drain(max);
  }

  async ask(request: NonNullable<RunRecord['request']>): Promise<ControlResult> {
    const order = ['pause', 'stop', 'cancel'];
    if (this.record.request && order.indexOf(request) <= order.indexOf(this.record.request)) return 'ok';
    this.record.request = request;
    if (request === 'cancel') void this.output.close();
    if (request === 'stop' && this.record.run?.exitCode === 0 && this.record.run.status === 'interrupted')
      this.record.run.status = 'done';
    await this.file.save();
    this.kick();
    return 'ok';
  }

  async clearPause(): Promise<ControlResult> {
    if (this.record.request !== 'pause') return 'ok';
    delete this.record.request;
    this.record.resumed = true;
    await this.file.save();
    return 'ok';
  }

  async exclude(add: boolean, regex: string): Promise<ControlResult> {
    if (this.child.isAlive) {
      this.child.send({ t: 'exclude', add, regex });
      return 'ok';
    }
    this.record.exclusions.push({ add, regex });
    await this.file.save();
    return 'ok';
  }

  queue(offset: number, count: number): Promise<QueueWindow> {
    return this.child.queue(offset, count);
  }

  screencast(index: number): DuplexWebSocket | null {
    return this.spec ? this.child.screencast(index, this.spec) : null;
  }

  /** Ends the child at once and deletes everything. */
  async remove(): Promise<void> {
    this.close();
    this.context.slots.release(this.record.jobId);
    await this.child.kill();
    await this.output.close();
    await this.loop.settled();
    await this.file.settled();
    await this.output.discardStored();
    await this.dir.destroy();
    await this.context.records.delete(this.record.jobId);
  }

  /**
   * Ends the child because the service ends. The child closes its files, and the run is started again from them the
   * next time.
   */
  async shutDown(graceMs: number): Promise<void> {
    this.wanted = 0;
    this.child.expectEnd();
    await this.loop.settled();
    this.child.send({ t: 'quit' });
    await this.output.close();
    await this.child.endWithin(graceMs);
    this.close();
    await this.file.settled();
  }

  /** Asks for a step. The reason may be a free place, the end of a wait, or a run found at the start. */
  kick(): void {
    this.loop.kick();
  }

  // ---- steps

  /**
   * Logs a failed step. No caller waits for a step or an exit. The failed work, most often on a full disk, is tried
   * again at the next tick.
   */
  private failed(error: unknown): void {
    this.context.logger.error({ event: 'local_job_step_failed', jobId: this.record.jobId, error: String(error) });
    if (isOutOfSpace(error) && !this.saidFull) this.output.complain(DISK_FULL, {});
    this.saidFull = isOutOfSpace(error);
  }

  private async step(): Promise<void> {
    if (this.record.request !== 'cancel') await this.output.upload(() => this.caughtUp());
    if (this.child.isAlive) {
      this.steer();
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
      this.waitsForStore = this.wanted > 0;
      slots.release(this.record.jobId);
    } else {
      this.waitsForStore = false;
      slots.want({ id: this.record.jobId, sinceMs: this.record.sinceMs, granted: () => this.kick() });
      if (slots.holds(this.record.jobId)) await this.launch(this.spec, undefined);
    }
  }

  /** Tells a running child the desired state. */
  private steer(): void {
    const { request } = this.record;
    if (request) {
      this.child.request(request);
    } else if (this.child.isQuitting) {
      return;
    } else if (this.wanted === 0 || this.restart || this.output.isBehind) {
      this.restart = false;
      this.child.quit();
    } else if (this.spec) {
      this.child.update(this.spec);
    }
  }

  /** Stops or pauses a run without a child. A child without a browser packs what is there. */
  private async finishWithoutBrowser(spec: CrawlJobSpec, request: 'stop' | 'pause'): Promise<void> {
    const hasPages =
      (await this.dir.exists(WORK_FILES.state)) && (await this.dir.folderBytes(WORK_FILES.archiveDir)) > 0;
    if (hasPages) {
      await this.launch(spec, request === 'stop' ? 'stopped' : 'paused');
      return;
    }
    recordEnd(this.record, request === 'stop' ? 'done' : 'interrupted', this.context.clock.now());
    await this.file.save();
    this.context.wake(this.record.jobId);
  }

  private async finishCanceled(): Promise<void> {
    if (this.record.run?.status === 'canceled') return;
    await this.output.close();
    await this.dir.clear();
    await this.output.discardStored();
    recordEnd(this.record, 'canceled', this.context.clock.now());
    await this.file.save();
    this.context.wake(this.record.jobId);
  }

  // ---- the child

  private async launch(spec: CrawlJobSpec, packageOnly: PackageOnly): Promise<void> {
    delete this.record.resumed;
    delete this.record.failReason;
    try {
      await this.child.start(spec, packageOnly);
    } catch (error) {
      this.notStarted(error);
    }
    await this.file.save();
    this.kick();
  }

  private notStarted(error: unknown): void {
    const outOfSpace = isOutOfSpace(error);
    const noProxy = error instanceof ProxyUnreachable;
    const said = error instanceof RunInputUnavailable ? error.message : 'The crawler could not be started';
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    this.output.complain(outOfSpace ? DISK_FULL : noProxy ? NO_PROXY : said, {
      error: cause instanceof Error ? cause : new Error(String(cause)),
    });
    const at = this.context.clock.now();
    this.record.run = { startedAt: at.toISOString() };
    const code = outOfSpace ? EXIT_CODES.out_of_space : noProxy ? EXIT_CODES.proxy : EXIT_CODES.error;
    this.context.slots.release(this.record.jobId);
    this.recordExit({ code }, at, undefined);
  }

  private async exited(exit: ChildExit, intent: Intent): Promise<void> {
    const { record } = this;
    this.context.slots.release(record.jobId);
    const at = this.context.clock.now();
    this.recordExit(exit, at, intent);
    if (this.loop.isClosed) return;
    this.kick();
    this.context.wake(record.jobId);
    await this.file.save();
  }

  /**
   * Records a child's end. A bounded number of starts that added no page ends the run; starts that made no child count
   * too.
   */
  private recordExit(exit: ChildExit, at: Date, intent: Intent): void {
    const { record } = this;
    recordExit(record, exit, at, intent);
    countFruitless(record);
    if (!isHopeless(record)) return;
    const why = record.run?.exitCode === EXIT_CODES.proxy ? `${NO_PROXY}, however often it was tried` : HOPELESS;
    this.output.complain(why, endHopeless(record, at));
  }

  /** Continues a crawl that waited for a slow store, once the store has caught up. */
  private caughtUp(): void {
    if (this.waitsForStore && !this.output.isBehind) this.kick();
  }

  /** Ends the loop and the file: from now on no step begins and nothing is written. */
  private close(): void {
    this.loop.close();
    this.file.close();
  }
}
