import { randomBytes } from 'node:crypto';
import type { CoreV1Api, V1PersistentVolumeClaim, V1Pod } from '@kubernetes/client-node';
import { EngineUnavailable } from '../containers/container-runtime.js';
import { isRefusal, messageOf, tolerating } from './api-answers.js';
import type { Cluster } from './cluster.js';
import type { PodManifests } from './pod-objects.js';
import { listPods } from './pod-watch.js';

/** The cluster refuses a `create`. */
export class Refused extends Error {}

/** One namespace of a cluster, as the drivers ask it. */
export class NamespaceClient {
  private cluster: Promise<Cluster> | null = null;

  constructor(
    readonly namespace: string,
    private readonly open: () => Promise<Cluster>,
  ) {}

  get at(): { namespace: string } {
    return { namespace: this.namespace };
  }

  /** @throws EngineUnavailable with what the API server said */
  async asked<T>(act: (cluster: Cluster) => Promise<T>): Promise<T> {
    const cluster = await this.connection();
    try {
      return await act(cluster);
    } catch (error) {
      throw new EngineUnavailable(`Kubernetes: ${messageOf(error)}`, { cause: error });
    }
  }

  async connection(): Promise<Cluster> {
    this.cluster ??= this.open();
    try {
      return await this.cluster;
    } catch (error) {
      this.cluster = null;
      throw new EngineUnavailable(`Kubernetes: ${messageOf(error)}`, { cause: error });
    }
  }

  async pods(labelSelector: string): Promise<V1Pod[]> {
    return (await this.asked((cluster) => listPods(cluster, this.namespace, labelSelector))).pods;
  }

  /**
   * Does nothing when there is such a pod already, made by another process with a config of its own.
   * @param made called at once with the new pod: what is heard of it later is newer
   * @throws EngineUnavailable, its cause `Refused` where the cluster will not have it
   */
  async create(
    name: string,
    manifestsOf: (configName: string) => PodManifests,
    made: (pod: V1Pod) => void = () => undefined,
  ): Promise<void> {
    const configName = `${name}-${randomBytes(4).toString('hex')}`;
    const manifests = manifestsOf(configName);
    try {
      const pod = await this.asked(({ core }) => this.createAll(core, manifests));
      if (!pod) return await this.removeConfig(configName);
      made(pod);
      await this.giveConfig(pod, configName);
    } catch (error) {
      // Without a clear no the answer that was lost may have been a yes: the config stays, and goes with the pod.
      if (error instanceof EngineUnavailable && error.cause instanceof Refused) await this.removeConfig(configName);
      throw error;
    }
  }

  /** Deletes this pod, but no later one of its name. */
  async deletePod({ metadata }: V1Pod, gracePeriodSeconds: number): Promise<void> {
    const { name = '', uid = '' } = metadata ?? {};
    // Options in the address do not count beside a body.
    const body = { gracePeriodSeconds, preconditions: { uid } };
    await this.asked(({ core }) => tolerating([404, 409], core.deleteNamespacedPod({ ...this.at, name, body })));
  }

  /** Secrets, config maps and claims; their pods are deleted one by one. */
  async deleteBelongings(labelSelector: string): Promise<void> {
    await this.asked(async ({ core }) => {
      await core.deleteCollectionNamespacedSecret({ ...this.at, labelSelector });
      await core.deleteCollectionNamespacedConfigMap({ ...this.at, labelSelector });
      await core.deleteCollectionNamespacedPersistentVolumeClaim({ ...this.at, labelSelector });
    });
  }

  async removeConfig(name: string | undefined): Promise<void> {
    if (!name) return;
    await this.asked(async ({ core }) => {
      await tolerating([404], core.deleteNamespacedSecret({ ...this.at, name }));
      await tolerating([404], core.deleteNamespacedConfigMap({ ...this.at, name }));
    });
  }

  /**
   * In an order in which nothing waits for anything that is not there, and a crash leaves what labels find again.
   * @throws Refused
   */
  private async createAll(core: CoreV1Api, { pod, config, secret, claim }: PodManifests): Promise<V1Pod | undefined> {
    const { at } = this;
    try {
      if (claim) await this.claim(core, claim);
      if (config) await core.createNamespacedConfigMap({ ...at, body: config });
      await core.createNamespacedSecret({ ...at, body: secret });
      return await tolerating([409], core.createNamespacedPod({ ...at, body: pod }));
    } catch (error) {
      throw isRefusal(error) ? new Refused(messageOf(error)) : error;
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

  private async claim(core: CoreV1Api, body: V1PersistentVolumeClaim): Promise<void> {
    if (await tolerating([409], core.createNamespacedPersistentVolumeClaim({ ...this.at, body }))) return;
    const name = body.metadata?.name ?? '';
    const found = await core.readNamespacedPersistentVolumeClaim({ ...this.at, name });
    // A pod that is given such a volume would wait for it without end.
    if (found.metadata?.deletionTimestamp)
      throw new Error(`The volume ${name} of an earlier crawl is still being removed`);
  }
}
