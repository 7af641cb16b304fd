import { existsSync } from 'node:fs';
import type { CoreV1Api, KubeConfig, RequestContext, ResponseContext, Watch } from '@kubernetes/client-node';

/** The API server, as the driver asks it. */
export interface Cluster {
  readonly core: CoreV1Api;
  readonly watch: Watch;
}

/** An API server that says nothing for so long is away. */
const TIMEOUT_MS = 15_000;
/** What a pod finds when it may talk to its cluster. */
const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount/token';

/**
 * Reads how the API server is reached: a kubeconfig file, or the service account of the pod that this runs in. The
 * client library is large and loaded only here.
 * @param timeoutMs after so long without an answer the API server is away
 */
export async function openCluster(kubeconfig: string, timeoutMs = TIMEOUT_MS): Promise<Cluster> {
  const k8s = await import('@kubernetes/client-node');
  const config = new k8s.KubeConfig();
  if (kubeconfig) config.loadFromFile(kubeconfig);
  else if (existsSync(SERVICE_ACCOUNT)) config.loadFromCluster();
  else throw new Error('CRAWL_DRIVER=kubernetes needs KUBECONFIG where it does not run in a cluster');
  return { core: coreApi(k8s, config, timeoutMs), watch: new k8s.Watch(config) };
}

function coreApi(k8s: typeof import('@kubernetes/client-node'), config: KubeConfig, timeoutMs: number): CoreV1Api {
  const server = config.getCurrentCluster()?.server;
  if (!server) throw new Error('The kubeconfig names no cluster');
  return new k8s.CoreV1Api(
    k8s.createConfiguration({
      baseServer: new k8s.ServerConfiguration(server, {}),
      authMethods: { default: config },
      promiseMiddleware: [
        {
          pre: (context: RequestContext) => {
            context.setSignal(AbortSignal.timeout(timeoutMs));
            return Promise.resolve(context);
          },
          post: (context: ResponseContext) => Promise.resolve(context),
        },
      ],
    }),
  );
}
