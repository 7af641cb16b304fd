import type { CrawlJobSpec, DriverEvent, JobObservation } from '../../src/drivers/crawl-driver.types.js';
import { aCrawlJobSpec } from '../support/crawl-job-spec.js';
import { eventually } from '../support/eventually.js';
import { KubeApiserver } from '../support/kube-apiserver.js';
import { kubernetesStage, type KubernetesStage } from '../support/kubernetes-driver.js';
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

  function job(pages: number, changes: Partial<CrawlJobSpec> = {}): CrawlJobSpec {
    const spec = aCrawlJobSpec(changes);
    return {
      ...spec,
      config: { seeds: [{ url: `https://site.example/?pages=${String(pages)}&ms=200` }] },
      windowsPerInstance: 8,
      storage: { ...spec.storage, s3: stage.s3 },
    };
  }

  /** Ticks as the supervisor does, also while something is down, until the observation is as wanted. */
  function until(spec: CrawlJobSpec, check: (seen: JobObservation) => boolean, wanted = 1): Promise<JobObservation> {
    return eventually(
      async () => {
        await stage.driver.ensure(spec, wanted, {});
        const seen = await stage.driver.observe(spec.jobId);
        if (!check(seen)) throw new Error(`not yet: ${JSON.stringify(seen)}`);
        return seen;
      },
      40_000,
      100,
    );
  }

  const isDone = ({ instances: [first] }: JobObservation): boolean =>
    first?.phase === 'exited' && first.status === 'done';
  const isAtWork = ({ done, instances: [first] }: JobObservation): boolean => done >= 2 && first?.phase === 'running';
  const nameOf = ({ jobId }: CrawlJobSpec): string => `crawl-${jobId}-0`;

  async function take({ jobId }: CrawlJobSpec): Promise<DriverEvent[]> {
    const all: DriverEvent[] = [];
    for (;;) {
      const batch = await stage.driver.drain(jobId, 1000);
      if (batch.events.length === 0) return all;
      all.push(...batch.events);
      await batch.ack();
    }
  }

  const urlsIn = (events: DriverEvent[]): string[] =>
    events.flatMap((event) => (event.type === 'page' ? [event.page.url] : [])).sort();

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
    const spec = job(10);
    await until(spec, isAtWork);
    await stage.core.deleteNamespacedPod({ namespace: stage.namespace, name: nameOf(spec) });
    await until(spec, isDone);
    expect(new Set(urlsIn(await take(spec))).size).toBe(10);
  });

  it('are made again after an eviction, and say why it was', async () => {
    const spec = job(10);
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
    expect(new Set(urlsIn(events)).size).toBe(10);
    expect(troublesIn(events)).toEqual([
      'The cluster took the crawler off its node (Evicted): The node was low on resource: memory. It is started again.',
    ]);
  });

  it('show the lack of memory, and are started again by the kubelet', async () => {
    const spec = job(10);
    await until(spec, isAtWork);
    const { uid } = (await stage.core.readNamespacedPod({ namespace: stage.namespace, name: nameOf(spec) })).metadata!;
    stage.kubelet.killForMemory(nameOf(spec));
    const seen = await until(spec, ({ instances: [first] }) => first?.oom === true);
    expect(seen.instances[0]).toMatchObject({ phase: 'backoff', exitCode: 137 });
    await until(spec, isDone);
    const pod = await stage.core.readNamespacedPod({ namespace: stage.namespace, name: nameOf(spec) });
    expect(pod.metadata?.uid).toBe(uid);
    const events = await take(spec);
    expect(new Set(urlsIn(events)).size).toBe(10);
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
    }, 45_000);
  });

  it('wait for a node with room, and say so', async () => {
    stage.kubelet.fill();
    const spec = job(3);
    const events: DriverEvent[] = [];
    await eventually(async () => {
      await until(spec, ({ instances: [first] }) => first?.phase === 'pending');
      events.push(...(await take(spec)));
      expect(troublesIn(events)).toEqual([expect.stringMatching(/No node .* has room .*Insufficient memory/)]);
    }, 45_000);
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
    const spec = job(12);
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
        expect(urlsIn(events)).toHaveLength(12);
      }, 40_000);
      await apiserver!.up();
      await until(spec, isDone);
      events.push(...(await take(spec)));
      expect(urlsIn(events)).toHaveLength(12);
      expect(events.filter(({ type }) => type === 'file')).toHaveLength(1);
    } finally {
      if (!apiserver!.isUp) await apiserver!.up();
    }
  }, 240_000);

  it('end within their grace when they are not wanted any more, and tell how', async () => {
    const spec = job(60);
    await until(spec, isAtWork);
    const seen = await until(spec, ({ instances: [first] }) => first?.phase === 'exited', 0);
    expect(seen.instances[0]).toMatchObject({ exitCode: 11, status: 'interrupted' });
    expect(await left()).toEqual([nameOf(spec)]);
    // Wanted again, it works again. (Times of the cluster have whole seconds: they may be the same.)
    await until(spec, isAtWork);
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
