import { Redis } from 'ioredis';
import type { CoreV1Api } from '@kubernetes/client-node';
import { SystemClock } from '../../src/common/clock/clock.js';
import { ContainerDriver } from '../../src/drivers/containers/container-driver.js';
import { SharedRedis } from '../../src/drivers/containers/run-redis.js';
import { openCluster } from '../../src/drivers/kubernetes/cluster.js';
import { kubernetesEngine } from '../../src/drivers/kubernetes/kubernetes-engine.js';
import { NamespaceClient } from '../../src/drivers/kubernetes/namespace-client.js';
import { CRAWLER } from './crawl-job-spec.js';
import { crawlerImage } from './build-crawler.js';
import { browserDriver, type ContainerStage, type StageOptions } from './container-driver.js';
import { FakeKubelet } from './fake-kubelet.js';
import type { KubeApiserver } from './kube-apiserver.js';
import { MemoryObjectStore } from './memory-object-store.js';
import { MemoryS3 } from './memory-s3.js';
import type { RedisServer } from './redis-server.js';

/** The kubernetes driver over a namespace of a real API server, with a kubelet that runs pods as processes. */
export interface KubernetesStage extends ContainerStage {
  kubelet: FakeKubelet;
  namespace: string;
  /** The administrator's client. */
  core: CoreV1Api;
}

export interface KubernetesStageOptions extends StageOptions {
  /** Another way to the API server than the usual one. */
  kubeconfig?: string;
  /** After so long without an answer the API server is away. */
  timeoutMs?: number;
  clock?: { now(): Date };
  /** Of scratch volumes. */
  storageClass?: string;
  storageRatio?: number;
}

export async function kubernetesStage(
  apiserver: KubeApiserver,
  redis: RedisServer,
  options: KubernetesStageOptions = {},
): Promise<KubernetesStage> {
  const store = new MemoryObjectStore();
  const s3 = await MemoryS3.start(store);
  const namespace = await apiserver.namespace();
  const admin = apiserver.admin();
  const kubelet = await FakeKubelet.start(admin, {
    namespace,
    ...(await crawlerImage(options.crawlerEntry, options.env)),
  });
  const client = new Redis(redis.url, { maxRetriesPerRequest: 1, retryStrategy: () => 100 });
  client.on('error', () => undefined);
  const { clock = new SystemClock(), kubeconfig = apiserver.kubeconfig, timeoutMs } = options;
  const { storageClass = '', storageRatio = 0 } = options;
  const fqdnSuffix = `.${namespace}.svc.cluster.local`;
  const settings = { storageSize: '25Gi', storageClass, storageRatio, priorityClass: '', fqdnSuffix };
  const inNamespace = new NamespaceClient(namespace, () => openCluster(kubeconfig, timeoutMs));
  const { runtime, services } = kubernetesEngine(inNamespace, settings, clock);
  return {
    driver: new ContainerDriver(
      runtime,
      new SharedRedis({ redis: client, url: redis.url }),
      { crawler: CRAWLER },
      clock,
    ),
    browsers: (idleSeconds) => browserDriver('kubernetes', services, client, idleSeconds),
    kubelet,
    namespace,
    core: admin.core,
    redis,
    store,
    s3: { endpointUrl: s3.endpointUrl, accessKey: 'key', secretKey: 'secret', region: 'us-east-1' },
    names: async () => {
      const { items } = await admin.core.listNamespacedPod({ namespace });
      return items.map(({ metadata }) => metadata?.name ?? '');
    },
    close: async () => {
      runtime.close();
      await kubelet.close();
      client.disconnect();
      await s3.close();
    },
  };
}
