import { createHash } from 'node:crypto';
import { EXIT_CODES } from '../../../crawler/protocol.js';
import { withTrailingSlash } from '../../common/text/trailing-slash.js';
import { CrawlDriver } from '../crawl-driver.js';
import type {
  ControlResult,
  CrawlJobSpec,
  EventBatch,
  InstanceObservation,
  JobId,
  JobObservation,
  QueueWindow,
} from '../crawl-driver.types.js';
import type { OpenIndexCopy } from '../index-copy.js';
import type { DuplexWebSocket } from '../duplex-websocket.js';
import { noEvents, noRun, noQueue } from '../no-run.js';
import type { ContainerRuntime, ContainerState } from './container-runtime.js';
import { instanceAction } from './instance-action.js';
import { instancePlans, type InstancePlan, type PlanSettings } from './instance-plan.js';
import { StoreDown, type RunRedises } from './run-redis.js';
import { RunStore, type EndedInstance } from './run-store.js';
import { mayRecreate, nextRecreation, type Recreation } from './recreation.js';
import { openScreencast } from './screencast-socket.js';

/**
 * Crawls in containers of the crawler image. One Redis serves all runs, or each run has one. The driver keeps no state
 * itself, so any API process can ask for any run (crawling §14.2–14.6).
 */
export class ContainerDriver extends CrawlDriver {
  readonly kind: string;
  override readonly usesDedupeIndex = true;
  override readonly openIndexCopy: OpenIndexCopy = async (id) => {
    const found = await this.redises.index(id);
    return typeof found === 'string' ? found : found.copy;
  };

  constructor(
    private readonly runtime: ContainerRuntime,
    private readonly redises: RunRedises,
    private readonly settings: Omit<PlanSettings, 'redisUrl'>,
    private readonly clock: { now(): Date },
  ) {
    super();
    this.kind = runtime.kind;
  }

  override instanceCount({ browserWindows, windowsPerInstance }: CrawlJobSpec): number {
    return Math.max(1, Math.ceil(browserWindows / windowsPerInstance));
  }

  override async ensure(spec: CrawlJobSpec, instances: number, opts: { restart?: boolean }): Promise<void> {
    const { jobId, browserWindows, windowsPerInstance } = spec;
    const hasIndex = spec.dedupeCollectionId !== undefined;
    const found = await this.redises.ensure(jobId, { wake: instances > 0, hasIndex });
    if (!found) return;
    const store = new RunStore(found.redis, jobId);
    const index = hasIndex ? await this.redises.index(jobId) : 'none';
    const told = typeof index === 'string' ? spec : { ...spec, dedupeIndexUrl: index.url };
    const plans = instancePlans(told, instances, { ...this.settings, redisUrl: found.url });
    const endpointUrl = withTrailingSlash(spec.storage.s3?.endpointUrl ?? '');
    const isNew = await store.open({ endpointUrl, browserWindows, windowsPerInstance });
    // The state of the run is lost, so its old containers are removed. The run starts from its seeds again.
    if (isNew) {
      await this.runtime.removeInstances(jobId);
      await store.forgetQueue();
    }
    const containers = new Map((await this.runtime.containers(jobId)).map((state) => [state.index, state]));
    const [flags, reports, known] = await Promise.all([store.flags(), store.reports(), store.stored()]);
    for (const plan of plans) {
      const container = containers.get(plan.index);
      const report = reports.get(plan.index);
      const isFull = container?.exitCode === EXIT_CODES.out_of_space && !flags.canceled;
      const grown = isFull && (await this.growScratch(store, plan, report?.pendingBytes ?? 0));
      const action = instanceAction({
        container,
        ended: known?.ended.get(plan.index),
        status: report?.status,
        flags,
        workers: plan.workers,
        restart: opts.restart ?? false,
        grown,
      });
      if (action === 'create') await this.create(store, plan);
      else if (action === 'recreate') await this.recreate(store, plan, container, known?.recreated.get(plan.index));
      else if (action === 'stop') await this.stopOnce(store, jobId, container);
      else if (container) await this.configure(store, plan, known?.configs.get(plan.index));
      if (container?.trouble) await store.sayTrouble(plan.index, container.trouble, this.clock.now());
    }
    for (const state of containers.values()) if (state.index >= instances) await this.giveUp(store, jobId, state);
  }

  override async observe(id: JobId): Promise<JobObservation> {
    try {
      const store = await this.store(id);
      if (!store) return { ...noRun(), storeUp: true };
      const [known, counters, reports, flags, containers] = await Promise.all([
        store.stored(),
        store.counters(),
        store.reports(),
        store.flags(),
        this.runtime.containers(id),
      ]);
      if (!known) return { ...noRun(), storeUp: true };
      const instances = [
        ...containers.map((state) => observed(state)),
        ...[...known.ended]
          .filter(([index]) => !containers.some((state) => state.index === index))
          .map(([index, how]) => observedEnd(index, how)),
      ].map((instance) => ({ ...instance, ...reports.get(instance.index) }));
      if (instances.length === 0 && flags.canceled) instances.push(NEVER_STARTED);
      return { exists: true, storeUp: true, instances: instances.sort((a, b) => a.index - b.index), ...counters };
    } catch {
      // Redis or the engine does not answer, which does not mean that the run is lost.
      return { ...noRun(), exists: true };
    }
  }

  override async drain(id: JobId, max: number): Promise<EventBatch> {
    const store = await this.storeIfUp(id);
    const known = await store?.stored();
    return store && known ? store.drain(max, known.endpointUrl) : noEvents();
  }

  override requestStop(id: JobId): Promise<ControlResult> {
    return this.tell(id, (store) => store.raise('stopping'));
  }

  override requestStopInstance(id: JobId, index: number): Promise<ControlResult> {
    return this.tell(id, (store) => store.stopOne(index));
  }

  override async releaseInstance(id: JobId, index: number): Promise<void> {
    await (await this.storeIfUp(id))?.release(index);
  }

  override cancel(id: JobId): Promise<ControlResult> {
    return this.tell(id, (store) => store.raise('canceled'));
  }

  override pause(id: JobId): Promise<ControlResult> {
    return this.tell(id, (store) => store.raise('paused'));
  }

  override clearPause(id: JobId): Promise<ControlResult> {
    return this.tell(id, (store) => store.clearPause());
  }

  override addExclusion(id: JobId, regex: string): Promise<ControlResult> {
    return this.exclude(id, 'addExclusion', regex);
  }

  override removeExclusion(id: JobId, regex: string): Promise<ControlResult> {
    return this.exclude(id, 'removeExclusion', regex);
  }

  override async queue(id: JobId, offset: number, count: number): Promise<QueueWindow> {
    try {
      return (await (await this.store(id))?.queue(offset, count)) ?? noQueue();
    } catch {
      return noQueue();
    }
  }

  override async screencast(id: JobId, index: number): Promise<DuplexWebSocket | null> {
    const url = await this.runtime.screencastUrl(id, index);
    return url ? openScreencast(url) : null;
  }

  override suspendStore(id: JobId): Promise<void> {
    return this.redises.suspend(id);
  }

  override async remove(id: JobId): Promise<void> {
    await this.runtime.removeRun(id);
    await this.redises.remove(id);
  }

  override async list(): Promise<JobId[]> {
    const [known, running] = await Promise.all([this.redises.known(), this.runtime.runs()]);
    return [...new Set([...known, ...running])];
  }

  /** Resolves when Redis and the engine answer. */
  override async ping(): Promise<void> {
    await Promise.all([this.redises.ping(), this.runtime.ping()]);
  }

  /** The run's store. Null when nothing is stored of the run. @throws StoreDown */
  private async store(id: JobId): Promise<RunStore | null> {
    const redis = await this.redises.of(id);
    return redis && new RunStore(redis, id);
  }

  /** The run's store, while its Redis runs. It is null for a suspended Redis too, which keeps its content. */
  private async storeIfUp(id: JobId): Promise<RunStore | null> {
    try {
      return await this.store(id);
    } catch (error) {
      if (error instanceof StoreDown) return null;
      throw error;
    }
  }

  private async tell(id: JobId, act: (store: RunStore) => Promise<void>): Promise<ControlResult> {
    try {
      const store = await this.store(id);
      if (!store || !(await store.exists())) return 'not_found';
      await act(store);
      return 'ok';
    } catch {
      return 'unavailable';
    }
  }

  private exclude(id: JobId, type: 'addExclusion' | 'removeExclusion', regex: string): Promise<ControlResult> {
    return this.tell(id, async (store) => {
      const known = await store.stored();
      const count = known ? Math.ceil(known.browserWindows / known.windowsPerInstance) : 1;
      await store.tellExclusion(
        type,
        regex,
        Array.from({ length: Math.max(1, count) }, (_, index) => index),
      );
    });
  }

  /**
   * Replaces a container that is over. After its node was lost the wait grows with each loss, to let the node recover.
   */
  private async recreate(
    store: RunStore,
    plan: InstancePlan,
    old: ContainerState | undefined,
    last: Recreation | undefined,
  ): Promise<void> {
    if (old?.phase === 'evicted') {
      const now = this.clock.now();
      if (!mayRecreate(last, now)) return;
      await store.keepRecreation(plan.index, nextRecreation(last, old.startedAt, now));
    }
    await this.runtime.removeContainer(plan.jobId, plan.index);
    await this.create(store, plan);
  }

  /** Grows a volume that was full to a multiple of what the instance keeps on it. Contract: crawling §14.2. */
  private async growScratch(store: RunStore, { jobId, index }: InstancePlan, usedBytes: number): Promise<boolean> {
    const { grown, said } = await this.runtime.growScratch(jobId, index, usedBytes);
    if (said) await store.sayTrouble(index, said, this.clock.now());
    return grown;
  }

  private async create(store: RunStore, plan: InstancePlan): Promise<void> {
    await store.forgetEnded(plan.index);
    await this.runtime.create(plan);
    await store.keepConfig(plan.index, digestOf(plan));
  }

  /**
   * Gives a container its workflow's present config, which it reads when the engine starts it again (crawling §14.4).
   */
  private async configure(store: RunStore, plan: InstancePlan, known: string | undefined): Promise<void> {
    const digest = digestOf(plan);
    if (known === digest) return;
    await this.runtime.configure(plan);
    await store.keepConfig(plan.index, digest);
  }

  /** Stops a container. A second signal would end it at once, so each run of a container gets one. */
  private async stopOnce(store: RunStore, id: JobId, container: ContainerState | undefined): Promise<void> {
    if (!container?.startedAt) return;
    if (await store.isFirstStop(container.index, container.startedAt)) await this.runtime.stop(id, container.index);
  }

  /** Gives up a surplus container. One that is over has its end stored. One that runs is asked to end. */
  private async giveUp(store: RunStore, id: JobId, state: ContainerState): Promise<void> {
    const { index, workers, startedAt, exitedAt, exitCode } = state;
    if (state.phase === 'running') return this.stopOnce(store, id, state);
    if (startedAt && exitedAt) {
      await store.keepEnded(index, {
        workers,
        startedAt: startedAt.toISOString(),
        exitedAt: exitedAt.toISOString(),
        exitCode: exitCode ?? 0,
      });
    }
    await this.runtime.removeContainer(id, index);
  }
}

const digestOf = ({ files }: InstancePlan): string =>
  createHash('sha256').update(JSON.stringify(files)).digest('base64url');

const NEVER_STARTED: InstanceObservation = {
  index: 0,
  phase: 'exited',
  status: 'canceled',
  exitCode: 0,
  workers: 0,
  pendingBytes: 0,
};

function observed({ index, phase, workers, startedAt, exitedAt, exitCode, oom }: ContainerState): InstanceObservation {
  return {
    index,
    phase: phase === 'waiting' ? 'pending' : phase,
    workers,
    pendingBytes: 0,
    ...(startedAt ? { startedAt } : {}),
    ...(exitedAt ? { exitedAt } : {}),
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(oom ? { oom } : {}),
  };
}

function observedEnd(index: number, { workers, startedAt, exitedAt, exitCode }: EndedInstance): InstanceObservation {
  return {
    index,
    phase: 'exited',
    workers,
    pendingBytes: 0,
    startedAt: new Date(startedAt),
    exitedAt: new Date(exitedAt),
    exitCode,
  };
}
