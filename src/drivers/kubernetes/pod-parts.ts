import type {
  V1PersistentVolumeClaimSpec,
  V1PodSpec,
  V1ResourceRequirements,
  V1SecurityContext,
} from '@kubernetes/client-node';

/** What pods of crawlers and of services have in common: where they run, and that they may do nothing else there. */
export function podSpec(user: number, spec: V1PodSpec): V1PodSpec {
  const preference = { matchExpressions: [{ key: 'nodeType', operator: 'In', values: ['crawling'] }] };
  return {
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    // Nodes that are kept for crawls take them; others do too.
    tolerations: [{ key: 'nodeType', operator: 'Equal', value: 'crawling', effect: 'NoSchedule' }],
    affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference }] } },
    securityContext: {
      runAsNonRoot: true,
      runAsUser: user,
      runAsGroup: user,
      fsGroup: user,
      // Not the whole volume again with each start.
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

/** Time on a core that nobody else wants is there for whoever has work; memory is not. */
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
