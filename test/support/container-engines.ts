import { dockerStage, type ContainerStage, type StageOptions } from './container-driver.js';
import { KubeApiserver } from './kube-apiserver.js';
import { kubernetesStage } from './kubernetes-driver.js';
import { realDockerStage } from './real-docker.js';
import { RedisServer } from './redis-server.js';

/** Whether a real Docker engine is there, which alone is tested then (`npm test -- engines`). */
export const IS_REAL_ENGINE = process.env['MUNIMENT_TEST_DOCKER'] !== undefined;

type MakeStage = (options?: StageOptions) => Promise<ContainerStage>;

/** Engines that containers can be run by here; what is missing for one, its `start` has said loudly. */
export interface ContainerEngines {
  docker: MakeStage | null;
  kubernetes: MakeStage | null;
  stop(): Promise<void>;
}

export async function containerEngines(): Promise<ContainerEngines> {
  const redis = await RedisServer.start();
  if (IS_REAL_ENGINE) {
    return {
      docker: redis && ((options) => realDockerStage(redis, options)),
      kubernetes: null,
      stop: async () => redis?.stop(),
    };
  }
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
