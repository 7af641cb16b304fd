import type { CrawlJobSpec, DriverEvent, JobObservation } from '../../src/drivers/crawl-driver.types.js';
import { isAtWork, isDone, scriptedJob, takeAll, tickUntil, urlsIn } from '../support/driven-job.js';
import { eventually } from '../support/eventually.js';
import { KubeApiserver } from '../support/kube-apiserver.js';
import { openCluster } from '../../src/drivers/kubernetes/cluster.js';
import { NamespaceClient } from '../../src/drivers/kubernetes/namespace-client.js';
import { quantityBytes } from '../../src/common/units/quantity.js';
import { growClaim } from '../../src/drivers/kubernetes/volume-growth.js';
import { kubernetesStage, type KubernetesStage, type KubernetesStageOptions } from '../support/kubernetes-driver.js';
import { RedisServer } from '../support/redis-server.js';

const redis = await RedisServer.start();
const apiserver = redis ? await KubeApiserver.start() : null;
afterAll(async () => {
  await apiserver?.stop();
  await redis?.stop();
});

/** Without an API server there is nothing to break; `KubeApiserver.start` has said so loudly. */
const describeWithCluster = redis && apiserver ? describe : describe.skip;

describeWithCluster('crawls in pods', () => {
  let stage: KubernetesStage;

  beforeEach(async () => {
    stage = await kubernetesStage(apiserver!, redis!);
  });

  afterEach(async () => {
    for (const id of await stage.driver.list()) await stage.driver.remove(id);
    await stage.close();
  });

  const job = (pages: number, changes?: Partial<CrawlJobSpec>): CrawlJobSpec => scriptedJob(stage, { pages }, changes);
  const until = (
    spec: CrawlJobSpec,
    check: (seen: JobObservation) => boolean,
    instances?: number,
  ): Promise<JobObservation> => tickUntil(stage.driver, spec, check, { instances });
  const take = (spec: CrawlJobSpec): Promise<DriverEvent[]> => takeAll(stage.driver, spec);
  const nameOf = ({ jobId }: CrawlJobSpec): string => `crawl-${jobId}-0`;

  /** The lines of the crawl's error log that tell of the cluster. */
  const troublesIn = (events: DriverEvent[]): string[] =>
    events.flatMap((event) => {
      if (event.type !== 'error') return [];
      const { context, message } = JSON.parse(event.line) as { context: string; message: string };
      return context === 'k8s' ? [message] : [];
    });

  /** Everything of the job in the namespace. */
  async function left(): Promise<string[]> {
    const { core, namespace } = stage;
    const lists = await Promise.all([
      core.listNamespacedPod({ namespace }),
      core.listNamespacedSecret({ namespace }),
      core.listNamespacedPersistentVolumeClaim({ namespace }),
      core.listNamespacedConfigMap({ namespace }),
    ]);
    return lists.flatMap(({ items }) => items.map(({ metadata }) => metadata?.name ?? ''));
  }

  it('are started again after a crash with the config of now', async () => {
    const config = (script: string) => ({ seeds: [{ url: `https://site.example/?pages=4&ms=50${script}` }] });
    const failing = { ...job(4), config: config('&crash=10&always=1') };
    await until(failing, ({ done }) => done >= 1);
    await until({ ...failing, config: config('') }, isDone);
    expect(urlsIn(await take(failing))).toHaveLength(4);
  });

  it('are made again after a pod was deleted by hand, and lose no page', async () => {
    const spec = job(20);
    await until(spec, isAtWork);
    await stage.core.deleteNamespacedPod({ namespace: stage.namespace, name: nameOf(spec) });
    await until(spec, isDone);
    expect(new Set(urlsIn(await take(spec))).size).toBe(20);
  });

  it('are made again after an eviction, and say why it was', async () => {
    const spec = job(20);
    const before = await until(spec, isAtWork);
    stage.kubelet.evict(nameOf(spec));
    await eventually(async () =>
      expect((await stage.driver.observe(spec.jobId)).instances[0]).toMatchObject({
        phase: 'evicted',
        startedAt: before.instances[0]?.startedAt,
      }),
    );
    await until(spec, isDone);
    const events = await take(spec);
    expect(new Set(urlsIn(events)).size).toBe(20);
    expect(troublesIn(events)).toEqual([
      'The cluster took the crawler off its node (Evicted): The node was low on resource: memory. It is started again.',
    ]);
  });

  it('show the lack of memory, and are started again by the kubelet', async () => {
    const spec = job(20);
    await until(spec, isAtWork);
    const { uid } = (await stage.core.readNamespacedPod({ namespace: stage.namespace, name: nameOf(spec) })).metadata!;
    stage.kubelet.killForMemory(nameOf(spec));
    const seen = await until(spec, ({ instances: [first] }) => first?.oom === true);
    expect(seen.instances[0]).toMatchObject({ phase: 'backoff', exitCode: 137 });
    await until(spec, isDone);
    const pod = await stage.core.readNamespacedPod({ namespace: stage.namespace, name: nameOf(spec) });
    expect(pod.metadata?.uid).toBe(uid);
    const events = await take(spec);
    expect(new Set(urlsIn(events)).size).toBe(20);
    expect(troublesIn(events)).toEqual([expect.stringMatching(/more memory than it may have/)]);
  });

  it('wait for an image that cannot be had, and say which', async () => {
    stage.kubelet.forgetImages();
    const spec = job(3, { image: 'registry.example/crawler:missing' });
    await eventually(async () => {
      await until(spec, ({ instances: [first] }) => first?.phase === 'pending');
      expect(troublesIn(await take(spec))).toEqual([
        expect.stringMatching(/image registry\.example\/crawler:missing cannot be loaded \(ImagePullBackOff\)/),
      ]);
    });
  });

  it('wait for a node with room, and say so', async () => {
    stage.kubelet.fill();
    const spec = job(3);
    const events: DriverEvent[] = [];
    await eventually(async () => {
      await until(spec, ({ instances: [first] }) => first?.phase === 'pending');
      events.push(...(await take(spec)));
      expect(troublesIn(events)).toEqual([expect.stringMatching(/No node .* has room .*Insufficient memory/)]);
    });
    await stage.kubelet.makeRoom();
    await until(spec, isDone);
  });

  it('wait for a quota of the cluster, say so, and start when there is room in it', async () => {
    const { core, namespace } = stage;
    const quota = { metadata: { name: 'crawlers' }, spec: { hard: { pods: '0' } } };
    await core.createNamespacedResourceQuota({ namespace, body: quota });
    const status = { hard: { pods: '0' }, used: { pods: '0' } };
    await core.patchNamespacedResourceQuotaStatus({
      namespace,
      name: 'crawlers',
      body: [{ op: 'add', path: '/status', value: status }],
    });
    const spec = job(3);
    await until(spec, ({ instances: [first] }) => first?.phase === 'pending');
    // The second look says what the first one met; nothing is heaped up by the tries.
    await until(spec, ({ instances: [first] }) => first?.phase === 'pending');
    const events = await take(spec);
    expect(troublesIn(events)).toEqual([
      expect.stringMatching(/cluster refuses to run the crawler: .*exceeded quota: crawlers/),
    ]);
    expect((await left()).filter((name) => name !== nameOf(spec))).toEqual([]);
    await core.deleteNamespacedResourceQuota({ namespace, name: 'crawlers' });
    await until(spec, isDone);
  });

  it('go on while the API server is away, and are found again', async () => {
    const spec = job(20);
    await until(spec, isAtWork);
    await apiserver!.down();
    try {
      await eventually(async () =>
        expect(await stage.driver.observe(spec.jobId)).toMatchObject({ exists: true, storeUp: false }),
      );
      await expect(stage.driver.ensure(spec, 1, {})).rejects.toThrow(/Kubernetes/);
      // What the crawlers do does not pass through the cluster: pages come meanwhile.
      const events: DriverEvent[] = [];
      await eventually(async () => {
        events.push(...(await take(spec)));
        expect(urlsIn(events)).toHaveLength(20);
      });
      await apiserver!.up();
      await until(spec, isDone);
      events.push(...(await take(spec)));
      expect(urlsIn(events)).toHaveLength(20);
      expect(events.filter(({ type }) => type === 'file')).toHaveLength(1);
    } finally {
      if (!apiserver!.isUp) await apiserver!.up();
    }
  });

  it('end within their grace when they are not wanted any more, and tell how', async () => {
    const spec = job(60);
    await until(spec, isAtWork);
    const seen = await until(spec, ({ instances: [first] }) => first?.phase === 'exited', 0);
    expect(seen.instances[0]).toMatchObject({ exitCode: 11, status: 'interrupted' });
    expect(await left()).toEqual([nameOf(spec)]);
    // Wanted again, it works again. (Times of the cluster have whole seconds: they may be the same.)
    await until(spec, isAtWork);
  });

  describe('that fill their volume', () => {
    /** The other stage of this test: its volumes have a storage class. */
    async function restage(storageClass: 'growing' | 'fixed'): Promise<void> {
      await stage.close();
      await apiserver!.apply(storageClassOf(storageClass), '');
      const options: KubernetesStageOptions = { storageClass, storageRatio: 2.5 };
      stage = await kubernetesStage(apiserver!, redis!, options);
    }

    /** In the role of the provisioner: the claim has its volume. */
    async function bind(name: string, conditions: object[] = []): Promise<void> {
      const { core, namespace } = stage;
      const { spec } = await core.readNamespacedPersistentVolumeClaim({ namespace, name });
      const value = { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: spec?.resources?.requests, conditions };
      const body = [{ op: 'add', path: '/status', value }];
      await core.patchNamespacedPersistentVolumeClaimStatus({ namespace, name, body });
    }

    async function sizeOf(name: string): Promise<string | undefined> {
      const { namespace } = stage;
      const { spec } = await stage.core.readNamespacedPersistentVolumeClaim({ namespace, name });
      return spec?.resources?.requests?.['storage'];
    }

    const uidOf = async (name: string): Promise<string | undefined> =>
      (await stage.core.readNamespacedPod({ namespace: stage.namespace, name })).metadata?.uid;

    /** Keeps 29.5 GB and a little, and is out of space at its second page until the config changes. */
    async function started(): Promise<{ full: CrawlJobSpec; emptied: CrawlJobSpec }> {
      const config = (more: string) => ({ seeds: [{ url: `https://site.example/?pages=4&ms=50${more}` }] });
      const full = { ...job(4), config: config('&holds=29500000000&crash=3&always=1') };
      stage.kubelet.fill();
      await until(full, ({ instances: [first] }) => first?.phase === 'pending');
      await eventually(() => bind(nameOf(full)));
      return { full, emptied: { ...full, config: config('') } };
    }

    it('get a larger one and are made again, and the crawl goes on', async () => {
      await restage('growing');
      const { full, emptied } = await started();
      expect(await sizeOf(nameOf(full))).toBe('25Gi');
      const first = await uidOf(nameOf(full));
      await stage.kubelet.makeRoom();
      await eventually(async () => {
        await stage.driver.ensure(full, 1, {});
        expect(await sizeOf(nameOf(full))).toBe('74G');
        const { items } = await stage.core.listNamespacedPod({ namespace: stage.namespace });
        expect(items.map(({ metadata }) => metadata?.uid)).not.toEqual([first]);
        expect(items).toHaveLength(1);
      });
      await until(emptied, isDone);
      const events = await take(full);
      expect(urlsIn(events)).toHaveLength(4);
      expect(troublesIn(events).filter((line) => line.includes('grown'))).toEqual([
        "The crawler's scratch volume of 25Gi was full. It is grown to 74 GB, and the crawler is started again.",
      ]);
      expect(await sizeOf(nameOf(full))).toBe('74G');
    });

    it('are told why it cannot be grown, and go on with what they have', async () => {
      await restage('fixed');
      const { full, emptied } = await started();
      const pod = await uidOf(nameOf(full));
      await stage.kubelet.makeRoom();
      const events: DriverEvent[] = [];
      const refusal = /of 25Gi is full and cannot be grown to 74 GB: .*storageclass .* must support resize/;
      await eventually(async () => {
        await stage.driver.ensure(full, 1, {});
        events.push(...(await take(full)));
        expect(troublesIn(events)).toContainEqual(expect.stringMatching(refusal));
      });
      await until(emptied, isDone);
      events.push(...(await take(full)));
      expect(urlsIn(events)).toHaveLength(4);
      expect(troublesIn(events).filter((line) => refusal.test(line))).toHaveLength(1);
      expect([await sizeOf(nameOf(full)), await uidOf(nameOf(full))]).toEqual(['25Gi', pod]);
    });

    it('are made again for a file system that grows when it is mounted', async () => {
      await restage('growing');
      const { full } = await started();
      const client = new NamespaceClient(stage.namespace, () => openCluster(apiserver!.kubeconfig));
      const pending = { type: 'FileSystemResizePending', status: 'True' };
      expect(await growClaim(client, nameOf(full), 1e9)).toEqual({ grown: false });
      await bind(nameOf(full), [pending]);
      expect(await growClaim(client, nameOf(full), 1e9)).toEqual({ grown: true });
      expect(await sizeOf(nameOf(full))).toBe('25Gi');
    });

    it('never get a smaller one, whoever asks at the same time', async () => {
      await restage('growing');
      const { full } = await started();
      const name = nameOf(full);
      const clients = [1, 2].map(() => new NamespaceClient(stage.namespace, () => openCluster(apiserver!.kubeconfig)));
      await eventually(async () => expect((await growClaim(clients[0]!, name, 49.5e9)).grown).toBe(true));
      for (let round = 1; round <= 10; round += 1) {
        const sizes = [round * 100, round * 100 - 10];
        if (round % 2 === 0) sizes.reverse();
        await Promise.all(clients.map((client, i) => growClaim(client, name, sizes[i]! * 1e9)));
        expect(quantityBytes((await sizeOf(name))!)).toBe(round * 100e9);
      }
      expect(await growClaim(clients[0]!, name, 1e9)).toEqual({ grown: false });
      expect(quantityBytes((await sizeOf(name))!)).toBe(1e12);
      expect(await growClaim(clients[0]!, 'of-no-claim', 1e12)).toEqual({ grown: false });
    });
  });

  it('keep secrets out of pods, and leave nothing behind', async () => {
    const spec = job(40);
    await until(spec, isAtWork);
    const { core, namespace } = stage;
    const pod = await core.readNamespacedPod({ namespace, name: nameOf(spec) });
    expect(JSON.stringify(pod)).not.toContain(stage.redis.url);
    const { items } = await core.listNamespacedSecret({ namespace });
    expect(items.map(({ metadata }) => metadata?.ownerReferences?.[0]?.uid)).toEqual([pod.metadata?.uid]);
    expect(await left()).toHaveLength(4);
    await stage.driver.remove(spec.jobId);
    expect(await left()).toEqual([]);
  });
});

/** One that grows volumes, or one that does not. */
function storageClassOf(name: 'growing' | 'fixed') {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name },
    provisioner: 'test.example/none',
    allowVolumeExpansion: name === 'growing',
  };
}
