import type {
  V1PersistentVolumeClaimSpec,
  V1PodSpec,
  V1ResourceRequirements,
  V1SecurityContext,
} from '@kubernetes/client-node';

/**
 * The common part of pods of crawlers and services: the nodes that they run on, and that they have no further rights
 * there.
 */
export function podSpec(user: number, spec: V1PodSpec): V1PodSpec {
  const preference = { matchExpressions: [{ key: 'nodeType', operator: 'In', values: ['crawling'] }] };
  return {
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    // Nodes that are reserved for crawls accept these pods. Other nodes do too.
    tolerations: [{ key: 'nodeType', operator: 'Equal', value: 'crawling', effect: 'NoSchedule' }],
    affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference }] } },
    securityContext: {
      runAsNonRoot: true,
      runAsUser: user,
      runAsGroup: user,
      fsGroup: user,
      // The group of the whole volume is not set again at each start.
      fsGroupChangePolicy: 'OnRootMismatch',
      seccompProfile: { type: 'RuntimeDefault' },
    },
    ...spec,
  };
}

export const NO_RIGHTS: V1SecurityContext = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

/**
 * Resources of a container. CPU has no limit, because idle time on a core may be used by any container. Memory has one.
 */
export function resourcesOf(plan: { cpuMillis: number; memoryBytes: number }): V1ResourceRequirements {
  const memory = String(plan.memoryBytes);
  return { requests: { cpu: `${String(plan.cpuMillis)}m`, memory }, limits: { memory } };
}

/** @param storageClass empty: the cluster's default */
export function claimSpec(storage: string, storageClass: string): V1PersistentVolumeClaimSpec {
  return {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage } },
    ...(storageClass ? { storageClassName: storageClass } : {}),
  };
}
