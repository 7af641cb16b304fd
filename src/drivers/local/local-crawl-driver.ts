import { CrawlDriver } from '../crawl-driver.js';
import type {
  ControlResult,
  CrawlJobSpec,
  EventBatch,
  FindOriginals,
  JobId,
  JobObservation,
  QueueWindow,
} from '../crawl-driver.types.js';
import type { DuplexWebSocket } from '../duplex-websocket.js';
import { noEvents, noRun, noQueue } from '../no-run.js';
import { recordInterruption } from './exits.js';
import { newRecord, type RunRecord } from './run/run-record.js';
import type { LocalContext, SignFor } from './run/run-launcher.js';
import { LocalRun } from './run/local-run.js';
import { BROWSER_PREFIX } from './local-browser.js';
import type { LocalRuntime } from './local-runtime.js';

/** Time that a child has to finish its pages in flight and close its files when the service ends. */
const SHUTDOWN_GRACE_MS = 15_000;

/**
 * Crawls as child processes of this one, each with its own browser (design/crawler.md §3). One instance holds all
 * windows of a run. Each DATA_DIR needs exactly one API process.
 */
export class LocalCrawlDriver extends CrawlDriver {
  readonly kind = 'local';
  override readonly usesDedupeIndex = true;
  private readonly runs = new Map<JobId, LocalRun>();
  /** Ids of directories without a record. It is unknown which runs they belonged to. */
  private strays = new Set<JobId>();
  private wake: (id: JobId) => void = () => undefined;
  private find: FindOriginals | undefined;
  private readonly context: LocalContext;

  /** @param sign signs the hashes of packages, or throws while it can't */
  constructor(
    private readonly runtime: LocalRuntime,
    sign: SignFor = () => Promise.resolve(null),
  ) {
    super();
    const { clock, records, slots, logger } = runtime;
    const finder = (): FindOriginals | undefined => this.find;
    this.context = { clock, records, slots, logger, wake: (id) => this.wake(id), finder, sign };
  }

  /** Takes the data directory, and continues the runs that an earlier process left. @throws DataDirInUse */
  async open(): Promise<void> {
    await this.runtime.open();
    const directories = await this.runtime.dirs.list();
    for (const jobId of await this.runtime.records.list()) {
      const record = await this.runtime.records.load(jobId);
      if (!record) continue;
      recordInterruption(record, await this.lastSign(jobId, record));
      const run = this.add(record);
      await run.recall();
      run.kick();
    }
    this.strays = new Set(directories.filter((id) => !this.runs.has(id) && !id.startsWith(BROWSER_PREFIX)));
  }

  /** Lets the children close their files. Their runs are started again from these files the next time. */
  async close(): Promise<void> {
    await Promise.all([...this.runs.values()].map((run) => run.shutDown(SHUTDOWN_GRACE_MS)));
    this.runs.clear();
    await this.runtime.close();
  }

  override instanceCount(_spec: CrawlJobSpec): number {
    return 1;
  }

  override async ensure(spec: CrawlJobSpec, instances: number, opts: { restart?: boolean }): Promise<void> {
    const run = this.runs.get(spec.jobId) ?? this.create(spec);
    await run.ensure(spec, instances, opts.restart ?? false);
  }

  override async observe(id: JobId): Promise<JobObservation> {
    return (await this.runs.get(id)?.observe()) ?? noRun();
  }

  override async drain(id: JobId, max: number): Promise<EventBatch> {
    return (await this.runs.get(id)?.drain(max)) ?? noEvents();
  }

  override async requestStop(id: JobId): Promise<ControlResult> {
    return (await this.runs.get(id)?.ask('stop')) ?? 'not_found';
  }

  override requestStopInstance(id: JobId, _index: number): Promise<ControlResult> {
    return Promise.resolve(this.runs.has(id) ? 'ok' : 'not_found');
  }

  override releaseInstance(_id: JobId, _index: number): Promise<void> {
    return Promise.resolve();
  }

  override async cancel(id: JobId): Promise<ControlResult> {
    return (await this.runs.get(id)?.ask('cancel')) ?? 'not_found';
  }

  override async pause(id: JobId): Promise<ControlResult> {
    return (await this.runs.get(id)?.ask('pause')) ?? 'not_found';
  }

  override async clearPause(id: JobId): Promise<ControlResult> {
    return (await this.runs.get(id)?.clearPause()) ?? 'not_found';
  }

  override async addExclusion(id: JobId, regex: string): Promise<ControlResult> {
    return (await this.runs.get(id)?.exclude(true, regex)) ?? 'not_found';
  }

  override async removeExclusion(id: JobId, regex: string): Promise<ControlResult> {
    return (await this.runs.get(id)?.exclude(false, regex)) ?? 'not_found';
  }

  override async queue(id: JobId, offset: number, count: number): Promise<QueueWindow> {
    return (await this.runs.get(id)?.queue(offset, count)) ?? noQueue();
  }

  override screencast(id: JobId, index: number): Promise<DuplexWebSocket | null> {
    return Promise.resolve(this.runs.get(id)?.screencast(index) ?? null);
  }

  override suspendStore(_id: JobId): Promise<void> {
    return Promise.resolve();
  }

  override async remove(id: JobId): Promise<void> {
    const run = this.runs.get(id);
    if (run) {
      await run.remove();
      this.runs.delete(id);
    }
    if (this.strays.delete(id)) await this.runtime.dirs.of(id).destroy();
  }

  override list(): Promise<JobId[]> {
    return Promise.resolve([...this.runs.keys(), ...this.strays]);
  }

  override onWake(wake: (id: JobId) => void): void {
    this.wake = wake;
  }

  override onOriginals(find: FindOriginals): void {
    this.find = find;
  }

  private create(spec: CrawlJobSpec): LocalRun {
    const { ref, keyPrefix } = spec.storage;
    const record = newRecord({
      jobId: spec.jobId,
      oid: spec.oid,
      storage: { ref, keyPrefix },
      sinceMs: this.runtime.clock.nowMs(),
    });
    if (spec.profile) record.profileKey = spec.profile.key;
    this.strays.delete(spec.jobId);
    return this.add(record);
  }

  private add(record: RunRecord): LocalRun {
    const run = new LocalRun(record, this.runtime.dirs.of(record.jobId), this.context, this.runtime.launcher);
    this.runs.set(record.jobId, run);
    return run;
  }

  /** The time at which a child that died with the service was last seen at work. */
  private async lastSign(jobId: JobId, record: RunRecord): Promise<Date> {
    const written = await this.runtime.dirs.of(jobId).lastWritten();
    const started = new Date(record.run?.startedAt ?? 0);
    return written && written > started ? written : started;
  }
}
