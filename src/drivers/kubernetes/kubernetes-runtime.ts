import { indexOf, instanceName } from '../../../crawler/names.js';
import { randomBytes } from 'node:crypto';
import type { CoreV1Api, V1ObjectMeta, V1PersistentVolumeClaim, V1Pod } from '@kubernetes/client-node';
import { ContainerRuntime, EngineUnavailable, type ContainerState } from '../containers/container-runtime.js';
import { SCREENCAST_PORT, type InstancePlan } from '../containers/instance-plan.js';
import type { JobId } from '../crawl-driver.types.js';
import type { Cluster } from './cluster.js';
import { messageOf, statusOf, tolerating } from './api-answers.js';
import {
  CONFIG_VOLUME,
  filesOf,
  instanceManifests,
  JOB_LABEL,
  type InstanceManifests,
  type ManifestSettings,
} from './pod-manifest.js';
import { podState } from './pod-state.js';
import { listPods, PodWatch } from './pod-watch.js';

export interface KubernetesSettings extends ManifestSettings {
  namespace: string;
}

/** Answers to a `create` that ask for another cluster, quota or image, not for another try at once. */
const REFUSALS: ReadonlySet<number> = new Set([400, 403, 413, 422]);
const MAX_REFUSED = 1_000;
/** How long a pod that is removed may take to go before its object is removed whatever its node says. */
const REMOVAL_MS = 8_000;
const REMOVAL_STEP_MS = 200;

/** Crawlers as pods of one namespace, found again by their labels. */
export class KubernetesRuntime extends ContainerRuntime {
  override readonly kind = 'kubernetes';
  private readonly watch: PodWatch;
  private cluster: Promise<Cluster> | null = null;
  /** What the cluster said when it refused an instance, by the instance's name. */
  private readonly refused = new Map<string, { index: number; jobId: JobId; workers: number; trouble: string }>();

  constructor(
    private readonly settings: KubernetesSettings,
    private readonly open: () => Promise<Cluster>,
    private readonly clock: { now(): Date },
  ) {
    super();
    this.watch = new PodWatch(settings.namespace, clock);
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
    const configName = `${plan.name}-${randomBytes(4).toString('hex')}`;
    const manifests = instanceManifests(plan, configName, this.settings);
    try {
      const pod = await this.asked(({ core }) => this.createAll(core, manifests));
      this.refused.delete(plan.name);
      // Another process was first, with a config of its own.
      if (!pod) return await this.removeConfig(configName);
      this.watch.put(pod);
      await this.giveConfig(pod, configName);
    } catch (error) {
      const cause = error instanceof EngineUnavailable ? error.cause : error;
      // An answer that was lost may have been a yes: the config stays, and goes with the job.
      if (!(cause instanceof Refused)) throw error;
      this.rememberRefusal(plan, `The cluster refuses to run the crawler: ${cause.message}`);
      await this.removeConfig(configName);
    }
  }

  override async configure(plan: InstancePlan): Promise<void> {
    const pod = (await this.pods(plan.jobId)).find(({ metadata }) => metadata?.name === plan.name);
    const name = pod && configOf(pod);
    if (!name) return;
    const { config, secret } = filesOf(plan);
    await this.asked(async ({ core }) => {
      const data = [{ op: 'add', path: '/data', value: config }];
      await tolerating([404], core.patchNamespacedConfigMap({ ...this.at, name, body: data }));
      const more = [{ op: 'add', path: '/stringData', value: secret }];
      await tolerating([404], core.patchNamespacedSecret({ ...this.at, name, body: more }));
    });
  }

  /**
   * By a deadline that is over: the kubelet ends the container with SIGTERM and its grace, starts it no more, and the
   * pod stays to tell how it ended, which a deleted one would not.
   */
  override async stop(jobId: JobId, index: number): Promise<void> {
    const name = instanceName(jobId, index);
    const body = [{ op: 'add', path: '/spec/activeDeadlineSeconds', value: 1 }];
    const pod = await this.asked(({ core }) => tolerating([404], core.patchNamespacedPod({ ...this.at, name, body })));
    if (pod) this.watch.put(pod);
  }

  override async removeContainer(jobId: JobId, index: number): Promise<void> {
    const name = instanceName(jobId, index);
    this.refused.delete(name);
    const pod = (await this.pods(jobId)).find(({ metadata }) => metadata?.name === name);
    if (!pod) return;
    // At once: it is over, or on a node that nobody hears of.
    await this.deletePod(pod, 0);
    await this.removeConfig(configOf(pod));
  }

  override async removeJob(jobId: JobId): Promise<void> {
    for (const [name, refusal] of this.refused) if (refusal.jobId === jobId) this.refused.delete(name);
    const labelSelector = `${JOB_LABEL}=${jobId}`;
    const left = await this.listed(labelSelector);
    for (const pod of left) await this.deletePod(pod, 1);
    await this.untilGone(labelSelector, left);
    await this.asked(async ({ core }) => {
      await core.deleteCollectionNamespacedSecret({ ...this.at, labelSelector });
      await core.deleteCollectionNamespacedConfigMap({ ...this.at, labelSelector });
      await core.deleteCollectionNamespacedPersistentVolumeClaim({ ...this.at, labelSelector });
    });
  }

  override async jobs(): Promise<JobId[]> {
    const all = { ...this.at, labelSelector: JOB_LABEL };
    const owned: (V1ObjectMeta | undefined)[] = (await this.listed(JOB_LABEL)).map(({ metadata }) => metadata);
    await this.asked(async ({ core }) => {
      const claims = await core.listNamespacedPersistentVolumeClaim(all);
      const configs = await core.listNamespacedConfigMap(all);
      owned.push(...[...claims.items, ...configs.items].map(({ metadata }) => metadata));
    });
    return [...new Set(owned.map((metadata) => metadata?.labels?.[JOB_LABEL]).filter((id) => id !== undefined))];
  }

  override async screencastUrl(jobId: JobId, index: number): Promise<string | null> {
    const pod = (await this.pods(jobId)).find(({ metadata }) => indexOf(jobId, metadata?.name ?? '') === index);
    const runs = pod && podState(jobId, pod, this.clock.now())?.phase === 'running';
    const address = runs ? pod.status?.podIP : undefined;
    if (!address) return null;
    const host = address.includes(':') ? `[${address}]` : address;
    return `ws://${host}:${String(SCREENCAST_PORT)}/ws`;
  }

  /** Asks what the driver is allowed to ask: other paths may be closed to it. */
  override async ping(): Promise<void> {
    await this.asked(({ core }) => core.listNamespacedPod({ ...this.at, labelSelector: JOB_LABEL, limit: 1 }));
  }

  override close(): void {
    this.watch.close();
  }

  // ---- details

  private get at(): { namespace: string } {
    return { namespace: this.settings.namespace };
  }

  private async pods(jobId: JobId): Promise<V1Pod[]> {
    const cluster = await this.connection();
    return this.watch.podsOf(jobId, cluster) ?? this.listed(`${JOB_LABEL}=${jobId}`);
  }

  private async listed(labelSelector: string): Promise<V1Pod[]> {
    return (await this.asked((cluster) => listPods(cluster, this.settings.namespace, labelSelector))).pods;
  }

  /**
   * In an order in which nothing waits for anything that is not there, and a crash leaves what labels find again.
   * Undefined when there is such a pod already.
   * @throws Refused
   */
  private async createAll(core: CoreV1Api, { pod, config, secret, claim }: InstanceManifests) {
    const { at } = this;
    try {
      if (claim) await this.claim(core, claim);
      await core.createNamespacedConfigMap({ ...at, body: config });
      await core.createNamespacedSecret({ ...at, body: secret });
      return await tolerating([409], core.createNamespacedPod({ ...at, body: pod }));
    } catch (error) {
      throw REFUSALS.has(statusOf(error)) ? new Refused(messageOf(error)) : error;
    }
  }

  /** From here on config map and secret go when the pod goes, whoever removes it. */
  private async giveConfig({ metadata }: V1Pod, name: string): Promise<void> {
    const owner = { apiVersion: 'v1', kind: 'Pod', name: metadata?.name, uid: metadata?.uid };
    const body = [{ op: 'add', path: '/metadata/ownerReferences', value: [owner] }];
    await this.asked(async ({ core }) => {
      await tolerating([404], core.patchNamespacedSecret({ ...this.at, name, body }));
      await tolerating([404], core.patchNamespacedConfigMap({ ...this.at, name, body }));
    });
  }

  private rememberRefusal({ name, index, jobId, workers }: InstancePlan, trouble: string): void {
    this.refused.delete(name);
    this.refused.set(name, { index, jobId, workers, trouble });
    // Jobs that another process took over are never asked for again here.
    const [oldest] = this.refused.keys();
    if (this.refused.size > MAX_REFUSED && oldest !== undefined) this.refused.delete(oldest);
  }

  private async claim(core: CoreV1Api, body: V1PersistentVolumeClaim): Promise<void> {
    if (await tolerating([409], core.createNamespacedPersistentVolumeClaim({ ...this.at, body }))) return;
    const name = body.metadata?.name ?? '';
    const found = await core.readNamespacedPersistentVolumeClaim({ ...this.at, name });
    // A pod that is given such a volume would wait for it without end.
    if (found.metadata?.deletionTimestamp)
      throw new Error(`The volume ${name} of an earlier crawl is still being removed`);
  }

  private async removeConfig(name: string | undefined): Promise<void> {
    if (!name) return;
    await this.asked(async ({ core }) => {
      await tolerating([404], core.deleteNamespacedSecret({ ...this.at, name }));
      await tolerating([404], core.deleteNamespacedConfigMap({ ...this.at, name }));
    });
  }

  /** This pod and no later one of its name. */
  private async deletePod(pod: V1Pod, gracePeriodSeconds: number): Promise<void> {
    const { name = '', uid = '' } = pod.metadata ?? {};
    // In the body: options in the address do not count beside one.
    const body = { gracePeriodSeconds, preconditions: { uid } };
    await this.asked(({ core }) => tolerating([404, 409], core.deleteNamespacedPod({ ...this.at, name, body })));
    this.watch.forget(pod);
  }

  /** A crawler that outlived its job would write into a store that is gone; a node that is gone answers never. */
  private async untilGone(labelSelector: string, pods: V1Pod[]): Promise<void> {
    if (pods.length === 0) return;
    const end = performance.now() + REMOVAL_MS;
    let left = await this.listed(labelSelector);
    while (left.length > 0 && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, REMOVAL_STEP_MS));
      left = await this.listed(labelSelector);
    }
    for (const pod of left) await this.deletePod(pod, 0);
  }

  /** @throws EngineUnavailable with what the API server said */
  private async asked<T>(act: (cluster: Cluster) => Promise<T>): Promise<T> {
    const cluster = await this.connection();
    try {
      return await act(cluster);
    } catch (error) {
      throw new EngineUnavailable(`Kubernetes: ${messageOf(error)}`, { cause: error });
    }
  }

  private async connection(): Promise<Cluster> {
    this.cluster ??= this.open();
    try {
      return await this.cluster;
    } catch (error) {
      this.cluster = null;
      throw new EngineUnavailable(`Kubernetes: ${messageOf(error)}`, { cause: error });
    }
  }
}

/** A `create` that the cluster will not have. */
class Refused extends Error {}

const configOf = ({ spec }: V1Pod): string | undefined =>
  spec?.volumes?.find(({ name }) => name === CONFIG_VOLUME)?.configMap?.name;
