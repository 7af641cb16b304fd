/** See kube-apiserver.mjs. */
export function findKubeApiserver(
  log?: (line: string) => void,
): Promise<{ kubeApiserver: string; etcd: string } | null>;
