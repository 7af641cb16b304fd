import type { V1ConfigMap, V1PersistentVolumeClaim, V1Pod, V1Secret } from '@kubernetes/client-node';

/** A pod with the objects that it reads, and the volume that it keeps. */
export interface PodManifests {
  readonly pod: V1Pod;
  /** The config map. It shares its name with the secret. */
  readonly config?: V1ConfigMap;
  /** The secret: credentials, and files with presigned URLs. */
  readonly secret: V1Secret;
  /** The claim for space that outlives the pod. */
  readonly claim: V1PersistentVolumeClaim | null;
}
