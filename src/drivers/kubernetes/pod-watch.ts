import type { V1Pod, V1PodList } from '@kubernetes/client-node';
import type { Cluster } from './cluster.js';
import { RUN_LABEL } from './pod-manifest.js';

/** A watch that says nothing for this long, not even a bookmark, is taken for dead. */
const SILENCE_MS = 120_000;
/** All pods are listed anew this often, whatever the watch said. */
const RESYNC_MS = 600_000;
/** Time between a failed try to open a watch and the next one. */
const RETRY_MS = 5_000;
const PAGE_SIZE = 500;

type Live = { pods: Map<string, V1Pod>; heardAt: number; listedAt: number; abort: AbortController | null };

/**
 * The crawlers' pods, as the API server reported them. They are listed once and then watched, so that looking at a
 * thousand crawls every few seconds costs no requests. While there is no watch that can be trusted, the pods are
 * unknown, and the caller has to ask the server.
 */
export class PodWatch {
  private live: Live | null = null;
  private opening: Promise<void> | null = null;
  private closed = false;
  private retryAt = 0;
  /** Ids of pods that this process removed. Later reports of the watch about them are outdated. */
  private readonly removed = new Set<string>();

  constructor(
    private readonly namespace: string,
    private readonly clock: { now(): Date },
  ) {}

  /** The pods of a run. Null: the caller has to ask the server; the watch is then opened for the next time. */
  podsOf(jobId: string, cluster: Cluster): V1Pod[] | null {
    const { live } = this;
    const now = this.clock.now().getTime();
    if (live && now - live.heardAt < SILENCE_MS && now - live.listedAt < RESYNC_MS)
      return [...live.pods.values()].filter(({ metadata }) => metadata?.labels?.[RUN_LABEL] === jobId);
    this.drop(live);
    this.open(cluster);
    return null;
  }

  /** Takes over the answer to a request of this process, which is newer than the watch. */
  put(pod: V1Pod): void {
    const { uid, name } = pod.metadata ?? {};
    if (uid && name && !this.removed.has(uid)) this.live?.pods.set(name, pod);
  }

  forget({ metadata }: V1Pod): void {
    const { uid, name } = metadata ?? {};
    if (!uid || !name || !this.live) return;
    this.removed.add(uid);
    if (this.live.pods.get(name)?.metadata?.uid === uid) this.live.pods.delete(name);
  }

  close(): void {
    this.closed = true;
    this.drop(this.live);
  }

  private open(cluster: Cluster): void {
    if (this.closed || this.clock.now().getTime() < this.retryAt) return;
    this.opening ??= this.start(cluster)
      .catch(() => undefined)
      .finally(() => {
        this.opening = null;
        if (!this.live) this.retryAt = this.clock.now().getTime() + RETRY_MS;
      });
  }

  private async start(cluster: Cluster): Promise<void> {
    const { pods, resourceVersion } = await listPods(cluster, this.namespace, RUN_LABEL);
    const now = this.clock.now().getTime();
    this.removed.clear();
    const live: Live = { pods: new Map(), heardAt: now, listedAt: now, abort: null };
    for (const pod of pods) live.pods.set(pod.metadata?.name ?? '', pod);
    live.abort = await cluster.watch.watch(
      `/api/v1/namespaces/${this.namespace}/pods`,
      { labelSelector: RUN_LABEL, allowWatchBookmarks: true, resourceVersion },
      (type: string, object: V1Pod) => this.hear(live, type, object),
      () => this.drop(live),
    );
    if (this.closed) live.abort.abort();
    else if (!live.abort.signal.aborted) this.live = live;
  }

  private hear(live: Live, type: string, pod: V1Pod): void {
    live.heardAt = this.clock.now().getTime();
    if (type === 'BOOKMARK') return;
    // The requested version is too old, or the server has some other trouble. Everything is listed again.
    if (type === 'ERROR') return this.drop(live);
    const { name = '', uid = '' } = pod.metadata ?? {};
    if (type === 'DELETED') {
      if (live.pods.get(name)?.metadata?.uid === uid) live.pods.delete(name);
      this.removed.delete(uid);
    } else if (!this.removed.has(uid)) live.pods.set(name, pod);
  }

  private drop(live: Live | null): void {
    live?.abort?.abort();
    if (this.live === live) this.live = null;
  }
}

/** All pods that a selector finds, page by page. */
export async function listPods(
  { core }: Cluster,
  namespace: string,
  labelSelector: string,
): Promise<{ pods: V1Pod[]; resourceVersion: string }> {
  const pods: V1Pod[] = [];
  let next: string | undefined;
  for (;;) {
    const page: V1PodList = await core.listNamespacedPod({
      namespace,
      labelSelector,
      limit: PAGE_SIZE,
      ...(next ? { _continue: next } : {}),
    });
    pods.push(...page.items);
    next = page.metadata?._continue;
    if (!next) return { pods, resourceVersion: page.metadata?.resourceVersion ?? '' };
  }
}
