import type { V1Container, V1Pod, V1Volume, V1VolumeMount } from '@kubernetes/client-node';
import type { ServicePlan } from '../containers/service-runtime.js';
import type { PodManifests } from './pod-objects.js';
import { RUN_LABEL, proxiesOf, variables, withoutSecrets } from './pod-manifest.js';
import { claimSpec, NO_RIGHTS, podSpec, resourcesOf } from './pod-parts.js';

export const SERVICE_LABEL = 'muniment.net/service';
/** Annotation with the notes of a service, as JSON. */
export const NOTES_ANNOTATION = 'muniment.net/notes';

/** The manifests of a profile browser or a run's Redis. `storageClass`: empty for the cluster's default. */
export function serviceManifests(plan: ServicePlan, configName: string, storageClass: string): PodManifests {
  const { args, env, secrets } = withoutSecrets(plan);
  const { volumes, mounts } = volumesOf(plan);
  const labels = labelsOf(plan);
  const container: V1Container = {
    name: plan.role,
    image: plan.image,
    imagePullPolicy: plan.imagePullPolicy,
    command: args,
    env: variables(env, secrets, configName),
    ports: Object.entries(plan.ports).map(([name, containerPort]) => ({ name, containerPort, protocol: 'TCP' })),
    resources: resourcesOf(plan),
    securityContext: NO_RIGHTS,
    volumeMounts: mounts,
  };
  return {
    pod: podOf(plan, container, volumes),
    secret: { metadata: { name: configName, labels }, type: 'Opaque', stringData: secrets },
    claim: plan.data
      ? {
          metadata: { name: plan.name, labels, annotations: notesOf(plan) },
          spec: claimSpec(plan.data.size, storageClass),
        }
      : null,
  };
}

function podOf(plan: ServicePlan, container: V1Container, volumes: V1Volume[]): V1Pod {
  return {
    metadata: { name: plan.name, labels: labelsOf(plan), annotations: notesOf(plan) },
    spec: podSpec(plan.user, {
      hostname: plan.name,
      // The headless service of this name makes `<name>.redis<CRAWLER_FQDN_SUFFIX>` known to the crawlers.
      subdomain: plan.role,
      restartPolicy: plan.restarts ? 'Always' : 'Never',
      containers: [container],
      volumes,
    }),
  };
}

function labelsOf({ name, role, jobId }: ServicePlan): Record<string, string> {
  return {
    role,
    [SERVICE_LABEL]: name,
    ...(role === 'browser' ? { 'network-policy': 'limit-crawler-egress' } : {}),
    ...(jobId ? { crawl: jobId, [RUN_LABEL]: jobId } : {}),
  };
}

const notesOf = ({ notes }: ServicePlan): Record<string, string> => ({ [NOTES_ANNOTATION]: JSON.stringify(notes) });

function volumesOf(plan: ServicePlan): { volumes: V1Volume[]; mounts: V1VolumeMount[] } {
  const volumes: V1Volume[] = [{ name: 'tmp', emptyDir: {} }];
  const mounts: V1VolumeMount[] = [{ name: 'tmp', mountPath: '/tmp' }];
  if (plan.role === 'browser') {
    volumes.push({ name: 'crawls', emptyDir: {} });
    mounts.push({ name: 'crawls', mountPath: '/crawls' });
  }
  if (plan.data) {
    volumes.push({ name: 'data', persistentVolumeClaim: { claimName: plan.name } });
    mounts.push({ name: 'data', mountPath: plan.data.folder });
  }
  const proxies = proxiesOf({ files: {}, command: plan.command });
  return { volumes: [...volumes, ...proxies.volumes], mounts: [...mounts, ...proxies.mounts] };
}
