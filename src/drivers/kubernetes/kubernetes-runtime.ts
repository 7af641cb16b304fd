import { setTimeout as delay } from 'node:timers/promises';
import type { V1ObjectMeta, V1Pod } from '@kubernetes/client-node';
import { indexOf, instanceName } from '../../../formats/redis-keys/run-keys.js';
import {
  ContainerRuntime,
  EngineUnavailable,
  type ContainerState,
  type Growth,
} from '../containers/container-runtime.js';
import { SCREENCAST_PORT, type InstancePlan } from '../containers/instance-plan.js';
import type { JobId } from '../crawl-driver.types.js';
import { tolerating } from './api-answers.js';
import { Refused, type NamespaceClient } from './namespace-client.js';
import type { PodManifests } from './pod-objects.js';
import { CONFIG_VOLUME, filesOf, instanceManifests, RUN_LABEL, type ManifestSettings } from './pod-manifest.js';
import { hostOf, podState } from './pod-state.js';
import { PodWatch } from './pod-watch.js';
import { growClaim } from './volume-growth.js';

const MAX_REFUSED = 1_000;
/** Time that a removed pod has to end. After it the pod's object is removed, whatever its node says. */
const REMOVAL_MS = 8_000;
const REMOVAL_STEP_MS = 200;

export interface RuntimeSettings extends ManifestSettings {
  /** Factor by which the used space of a full volume is multiplied for its new size; 0: volumes are not grown. */
  readonly storageRatio: number;
}

/** Runs crawlers as pods of one namespace. The driver finds them again by their labels. */
export class KubernetesRuntime extends ContainerRuntime {
  override readonly kind = 'kubernetes';
  private readonly watch: PodWatch;
  /** What the cluster said when it refused an instance, by the instance's name. */
  private readonly refused = new Map<string, { index: number; jobId: JobId; workers: number; trouble: string }>();

  constructor(
    private readonly client: NamespaceClient,
    private readonly settings: RuntimeSettings,
    private readonly clock: { now(): Date },
  ) {
    super();
    this.watch = new PodWatch(client.namespace, clock);
  }

  override async containers(jobId: JobId): Promise<ContainerState[]> {
    const now = this.clock.now();
    const pods = await this.pods(jobId);
    const states = pods.map((pod) => podState(jobId, pod, now)).filter((state) => state !== null);
    for (const { index, workers, trouble, ...refusal } of this.refused.values()) {
      if (refusal.jobId === jobId && !states.some((state) => state.index === index))
        states.push({ index, phase: 'waiting', workers, unstarted: true, trouble });
    }
    return states;
  }

  override async create(plan: InstancePlan): Promise<void> {
    try {
      const manifests = (name: string): PodManifests => instanceManifests(plan, name, this.settings);
      await this.client.create(plan.name, manifests, (pod) => this.watch.put(pod));
      this.refused.delete(plan.name);
    } catch (error) {
      const cause = error instanceof EngineUnavailable ? error.cause : error;
      if (!(cause instanceof Refused)) throw error;
      this.rememberRefusal(plan, `The cluster refuses to run the crawler: ${cause.message}`);
    }
  }

  override async configure(plan: InstancePlan): Promise<void> {
    const pod = (await this.pods(plan.jobId)).find(({ metadata }) => metadata?.name === plan.name);
    const name = pod && configOf(pod);
    if (!name) return;
    const { config, secret } = filesOf(plan);
    await this.client.asked(async ({ core }) => {
      const data = [{ op: 'add', path: '/data', value: config }];
      await tolerating([404], core.patchNamespacedConfigMap({ ...this.client.at, name, body: data }));
      const more = [{ op: 'add', path: '/stringData', value: secret }];
      await tolerating([404], core.patchNamespacedSecret({ ...this.client.at, name, body: more }));
    });
  }

  /**
   * Stops a pod by a deadline that is over. The kubelet then ends the container with SIGTERM and its grace, and does
   * not start it again. The pod stays and shows how it ended; a deleted pod would not.
   */
  override async stop(jobId: JobId, index: number): Promise<void> {
    const name = instanceName(jobId, index);
    const body = [{ op: 'add', path: '/spec/activeDeadlineSeconds', value: 1 }];
    const pod = await this.client.asked(({ core }) =>
      tolerating([404], core.patchNamespacedPod({ ...this.client.at, name, body })),
    );
    if (pod) this.watch.put(pod);
  }

  override async growScratch(jobId: JobId, index: number, usedBytes: number): Promise<Growth> {
    const bytes = usedBytes * this.settings.storageRatio;
    return bytes > 0 ? growClaim(this.client, instanceName(jobId, index), bytes) : { grown: false };
  }

  override async removeContainer(jobId: JobId, index: number): Promise<void> {
    const name = instanceName(jobId, index);
    this.refused.delete(name);
    const pod = (await this.pods(jobId)).find(({ metadata }) => metadata?.name === name);
    if (!pod) return;
    // The pod is removed without grace: it is over, or on a node that does not answer.
    await this.deletePod(pod, 0);
    await this.client.removeConfig(configOf(pod));
  }

  override async removeInstances(jobId: JobId): Promise<void> {
    await this.removeAll(`${RUN_LABEL}=${jobId},role=crawler`);
  }

  override async removeRun(jobId: JobId): Promise<void> {
    for (const [name, refusal] of this.refused) if (refusal.jobId === jobId) this.refused.delete(name);
    await this.removeAll(`${RUN_LABEL}=${jobId}`);
  }

  override async runs(): Promise<JobId[]> {
    const all = { ...this.client.at, labelSelector: RUN_LABEL };
    const owned: (V1ObjectMeta | undefined)[] = (await this.client.pods(RUN_LABEL)).map(({ metadata }) => metadata);
    await this.client.asked(async ({ core }) => {
      const claims = await core.listNamespacedPersistentVolumeClaim(all);
      const configs = await core.listNamespacedConfigMap(all);
      owned.push(...[...claims.items, ...configs.items].map(({ metadata }) => metadata));
    });
    return [...new Set(owned.map((metadata) => metadata?.labels?.[RUN_LABEL]).filter((id) => id !== undefined))];
  }

  override async screencastUrl(jobId: JobId, index: number): Promise<string | null> {
    const pod = (await this.pods(jobId)).find(({ metadata }) => indexOf(jobId, metadata?.name ?? '') === index);
    const runs = pod && podState(jobId, pod, this.clock.now())?.phase === 'running';
    const host = runs ? hostOf(pod) : null;
    return host ? `ws://${host}:${String(SCREENCAST_PORT)}/ws` : null;
  }

  /** Asks for something that the driver is allowed to read. Other paths may be closed to it. */
  override async ping(): Promise<void> {
    await this.client.asked(({ core }) =>
      core.listNamespacedPod({ ...this.client.at, labelSelector: RUN_LABEL, limit: 1 }),
    );
  }

  override close(): void {
    this.watch.close();
  }

  private async pods(jobId: JobId): Promise<V1Pod[]> {
    const cluster = await this.client.connection();
    return this.watch.podsOf(jobId, cluster) ?? this.client.pods(`${RUN_LABEL}=${jobId}`);
  }

  private rememberRefusal({ name, index, jobId, workers }: InstancePlan, trouble: string): void {
    this.refused.delete(name);
    this.refused.set(name, { index, jobId, workers, trouble });
    // The oldest entry is deleted, because this process is never asked again for runs that another one took over.
    const [oldest] = this.refused.keys();
    if (this.refused.size > MAX_REFUSED && oldest !== undefined) this.refused.delete(oldest);
  }

  private async deletePod(pod: V1Pod, gracePeriodSeconds: number): Promise<void> {
    await this.client.deletePod(pod, gracePeriodSeconds);
    this.watch.forget(pod);
  }

  private async removeAll(labelSelector: string): Promise<void> {
    const left = await this.client.pods(labelSelector);
    for (const pod of left) await this.deletePod(pod, 1);
    await this.untilGone(labelSelector, left);
    await this.client.deleteBelongings(labelSelector);
  }

  /**
   * Waits until the pods are gone. A crawler that outlived its run would write into a store that is gone. The wait is
   * bounded, because a lost node never answers.
   */
  private async untilGone(labelSelector: string, pods: V1Pod[]): Promise<void> {
    if (pods.length === 0) return;
    const end = performance.now() + REMOVAL_MS;
    let left = await this.client.pods(labelSelector);
    while (left.length > 0 && performance.now() < end) {
      await delay(REMOVAL_STEP_MS);
      left = await this.client.pods(labelSelector);
    }
    for (const pod of left) await this.deletePod(pod, 0);
  }
}

const configOf = ({ spec }: V1Pod): string | undefined =>
  spec?.volumes?.find(({ name }) => name === CONFIG_VOLUME)?.configMap?.name;
