import type { Env } from './env.js';

/** What single drivers are told beside what all are. */
export const ownSettings = (env: Env) => ({
  docker: { host: env.DOCKER_HOST, network: env.CRAWLER_NETWORK },
  kubernetes: {
    kubeconfig: env.KUBECONFIG,
    storageSize: env.CRAWLER_STORAGE,
    storageClass: env.CRAWLER_STORAGE_CLASS,
    storageRatio: env.CRAWLER_MIN_AVAIL_STORAGE_RATIO,
    priorityClass: env.CRAWLER_PRIORITY_CLASS,
    /** End of the host names of pods. */
    fqdnSuffix: env.CRAWLER_FQDN_SUFFIX || `.${env.CRAWLER_NAMESPACE}.svc.cluster.local`,
  },
});
