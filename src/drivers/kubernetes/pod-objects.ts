import type { V1ConfigMap, V1PersistentVolumeClaim, V1Pod, V1Secret } from '@kubernetes/client-node';

/** A pod with what it reads and keeps. */
export interface PodManifests {
  readonly pod: V1Pod;
  /** Shares its name with the secret. */
  readonly config?: V1ConfigMap;
  /** Credentials, and files with presigned URLs. */
  readonly secret: V1Secret;
  /** Space that outlives the pod. */
  readonly claim: V1PersistentVolumeClaim | null;
}
