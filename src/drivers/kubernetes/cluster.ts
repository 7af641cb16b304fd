import { existsSync } from 'node:fs';
import type { CoreV1Api, KubeConfig, RequestContext, ResponseContext, Watch } from '@kubernetes/client-node';

/** The API server, in the form that the drivers call. */
export interface Cluster {
  readonly core: CoreV1Api;
  readonly watch: Watch;
}

/** An API server that says nothing for this long counts as away. */
const TIMEOUT_MS = 15_000;
/** File that a pod has when it may talk to its cluster. */
const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount/token';

/**
 * Reads how the API server is reached: from a kubeconfig file, or from the service account of the pod that this process
 * runs in. The client library is large and loaded only here.
 * @param timeoutMs an API server without an answer for this long counts as away
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
