import { randomBytes } from 'node:crypto';
import type { CoreV1Api, V1PersistentVolumeClaim, V1Pod } from '@kubernetes/client-node';
import { EngineUnavailable } from '../containers/container-runtime.js';
import { isRefusal, messageOf, tolerating } from './api-answers.js';
import type { Cluster } from './cluster.js';
import type { PodManifests } from './pod-objects.js';
import { listPods } from './pod-watch.js';

/** The cluster refuses a `create`. */
export class Refused extends Error {}

/** Calls one namespace of a cluster for the drivers. */
export class NamespaceClient {
  private cluster: Promise<Cluster> | null = null;

  constructor(
    readonly namespace: string,
    private readonly open: () => Promise<Cluster>,
  ) {}

  get at(): { namespace: string } {
    return { namespace: this.namespace };
  }

  /** Calls the API server. @throws EngineUnavailable with what the API server said */
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
   * Creates a pod with what it needs. It does nothing when there is such a pod already, made by another process with a
   * config of its own.
   * @param made called at once with the new pod; later reports of the pod are newer than this
   * @throws EngineUnavailable, its cause `Refused` where the cluster refuses the pod
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
      // Without a clear refusal, the lost answer may have been a success. Then the config stays, and is deleted with
      // the pod.
      if (error instanceof EngineUnavailable && error.cause instanceof Refused) await this.removeConfig(configName);
      throw error;
    }
  }

  /** Deletes this pod, but no later one of its name. */
  async deletePod({ metadata }: V1Pod, gracePeriodSeconds: number): Promise<void> {
    const { name = '', uid = '' } = metadata ?? {};
    // With a body, options in the address are ignored.
    const body = { gracePeriodSeconds, preconditions: { uid } };
    await this.asked(({ core }) => tolerating([404, 409], core.deleteNamespacedPod({ ...this.at, name, body })));
  }

  /** Deletes secrets, config maps and claims. Their pods are deleted one by one. */
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
   * Creates the objects in an order in which none waits for a missing one. What a crash leaves is found again by
   * labels.
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

  /**
   * Makes the pod the owner of config map and secret. From then on they are deleted with the pod, whoever removes it.
   */
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
    // A pod with a volume that is being removed would wait for it without end.
    if (found.metadata?.deletionTimestamp)
      throw new Error(`The volume ${name} of an earlier crawl is still being removed`);
  }
}
