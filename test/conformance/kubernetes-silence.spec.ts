import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { minutes } from '../../src/common/units/durations.js';
import type { CrawlJobSpec, DriverEvent, JobObservation } from '../../src/drivers/crawl-driver.types.js';
import { aCrawlJobSpec } from '../support/crawl-job-spec.js';
import { eventually } from '../support/eventually.js';
import { KubeApiserver } from '../support/kube-apiserver.js';
import { kubernetesStage, type KubernetesStage } from '../support/kubernetes-driver.js';
import { RedisServer } from '../support/redis-server.js';
import { SilentProxy } from '../support/silent-proxy.js';

const PAGES = 24;
const redis = await RedisServer.start();
const apiserver = redis ? await KubeApiserver.start() : null;
afterAll(async () => {
  await apiserver?.stop();
  await redis?.stop();
});

/**
 * The API server answers nothing for two minutes: by the driver's clock, on which its watch is found dead and opened
 * anew; the time-out of a request, 15 seconds in the service, is half a second here.
 */
(redis && apiserver ? describe : describe.skip)('an API server that is silent for two minutes', () => {
  let passedMs = 0;
  let folder: string;
  let wire: SilentProxy;
  let stage: KubernetesStage;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muniment-silence-'));
    const config = await readFile(apiserver!.kubeconfig, 'utf8');
    const [, port = ''] = /https:\/\/127\.0\.0\.1:(\d+)/.exec(config) ?? [];
    wire = await SilentProxy.start(Number(port));
    const kubeconfig = join(folder, 'kubeconfig.json');
    await writeFile(kubeconfig, config.replaceAll(`127.0.0.1:${port}`, `127.0.0.1:${String(wire.port)}`));
    const clock = { now: () => new Date(Date.now() + passedMs) };
    stage = await kubernetesStage(apiserver!, redis!, { kubeconfig, clock, timeoutMs: 500 });
  }, 120_000);

  afterAll(async () => {
    wire.mend();
    await eventually(async () => {
      for (const id of await stage.driver.list()) await stage.driver.remove(id);
    }, 60_000);
    await stage.close();
    await wire.close();
    await rm(folder, { recursive: true, force: true });
  }, 120_000);

  /** Ticks as the supervisor does until the observation is as wanted. */
  function until(spec: CrawlJobSpec, check: (seen: JobObservation) => boolean): Promise<JobObservation> {
    return eventually(
      async () => {
        await stage.driver.ensure(spec, 1, {});
        const seen = await stage.driver.observe(spec.jobId);
        if (!check(seen)) throw new Error(`not yet: ${JSON.stringify(seen)}`);
        return seen;
      },
      90_000,
      100,
    );
  }

  async function take({ jobId }: CrawlJobSpec, into: DriverEvent[]): Promise<void> {
    for (;;) {
      const batch = await stage.driver.drain(jobId, 1000);
      if (batch.events.length === 0) return;
      into.push(...batch.events);
      await batch.ack();
    }
  }

  const urlsIn = (events: DriverEvent[]): string[] =>
    events.flatMap((event) => (event.type === 'page' ? [event.page.url] : []));

  it('costs no page, no second pod and no restart', async () => {
    const base = aCrawlJobSpec();
    const spec: CrawlJobSpec = {
      ...base,
      config: { seeds: [{ url: `https://site.example/?pages=${String(PAGES)}&ms=300` }] },
      windowsPerInstance: 8,
      storage: { ...base.storage, s3: stage.s3 },
    };
    const podOf = () => stage.core.readNamespacedPod({ namespace: stage.namespace, name: `crawl-${spec.jobId}-0` });
    await until(spec, ({ done, instances: [first] }) => done >= 2 && first?.phase === 'running');
    const { metadata: before } = await podOf();

    wire.cut();
    // What the watch knew last is good for two minutes without a word, then for nothing.
    expect((await stage.driver.observe(spec.jobId)).storeUp).toBe(true);
    const events: DriverEvent[] = [];
    for (let i = 0; i < 4; i += 1) {
      passedMs += minutes(0.5) + 100;
      await stage.driver.observe(spec.jobId);
      await take(spec, events);
    }
    expect(await stage.driver.observe(spec.jobId)).toMatchObject({ exists: true, storeUp: false });
    await expect(stage.driver.ensure(spec, 1, {})).rejects.toThrow(/Kubernetes/);
    await expect(stage.driver.ping()).rejects.toThrow();
    // What the crawlers do does not pass through the API server: all pages come meanwhile.
    await eventually(async () => {
      await take(spec, events);
      expect(new Set(urlsIn(events)).size).toBe(PAGES);
    }, 90_000);

    wire.mend();
    passedMs += minutes(0.5);
    await until(spec, ({ instances: [first] }) => first?.phase === 'exited' && first.status === 'done');
    await take(spec, events);
    expect(urlsIn(events)).toHaveLength(PAGES);
    expect(events.filter(({ type }) => type === 'file')).toHaveLength(1);
    const { metadata: after, status } = await podOf();
    expect(after?.uid).toBe(before?.uid);
    expect(status?.containerStatuses?.[0]?.restartCount).toBe(0);
  });
});
