import { dockerStage, type ContainerStage, type StageOptions } from './container-driver.js';
import { KubeApiserver } from './kube-apiserver.js';
import { kubernetesStage } from './kubernetes-driver.js';
import { RedisServer } from './redis-server.js';

type MakeStage = (options?: StageOptions) => Promise<ContainerStage>;

/** Engines that containers can be run by here; what is missing for one, its `start` has said loudly. */
export interface ContainerEngines {
  docker: MakeStage | null;
  kubernetes: MakeStage | null;
  stop(): Promise<void>;
}

export async function containerEngines(): Promise<ContainerEngines> {
  const redis = await RedisServer.start();
  const apiserver = redis ? await KubeApiserver.start() : null;
  return {
    docker: redis && ((options) => dockerStage(redis, options)),
    kubernetes: redis && apiserver && ((options) => kubernetesStage(apiserver, redis, options)),
    stop: async () => {
      await apiserver?.stop();
      await redis?.stop();
    },
  };
}
