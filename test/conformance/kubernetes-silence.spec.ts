import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { minutes } from '../../src/common/units/durations.js';
import type { CrawlJobSpec, DriverEvent, JobObservation } from '../../src/drivers/crawl-driver.types.js';
import { isAtWork, isDone, scriptedJob, takeAll, tickUntil, urlsIn } from '../support/driven-job.js';
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
  });

  afterAll(async () => {
    wire.mend();
    await eventually(async () => {
      for (const id of await stage.driver.list()) await stage.driver.remove(id);
    });
    await stage.close();
    await wire.close();
    await rm(folder, { recursive: true, force: true });
  });

  const until = (spec: CrawlJobSpec, check: (seen: JobObservation) => boolean): Promise<JobObservation> =>
    tickUntil(stage.driver, spec, check, { boundMs: 90_000 });

  it('costs no page, no second pod and no restart', async () => {
    const spec = scriptedJob(stage, { pages: PAGES, pageMs: 300 });
    const podOf = () => stage.core.readNamespacedPod({ namespace: stage.namespace, name: `crawl-${spec.jobId}-0` });
    await until(spec, isAtWork);
    const { metadata: before } = await podOf();

    wire.cut();
    // What the watch knew last is good for two minutes without a word, then for nothing.
    expect((await stage.driver.observe(spec.jobId)).storeUp).toBe(true);
    const events: DriverEvent[] = [];
    for (let i = 0; i < 4; i += 1) {
      passedMs += minutes(0.5) + 100;
      await stage.driver.observe(spec.jobId);
      events.push(...(await takeAll(stage.driver, spec)));
    }
    expect(await stage.driver.observe(spec.jobId)).toMatchObject({ exists: true, storeUp: false });
    await expect(stage.driver.ensure(spec, 1, {})).rejects.toThrow(/Kubernetes/);
    await expect(stage.driver.ping()).rejects.toThrow();
    // What the crawlers do does not pass through the API server: all pages come meanwhile.
    await eventually(async () => {
      events.push(...(await takeAll(stage.driver, spec)));
      expect(new Set(urlsIn(events)).size).toBe(PAGES);
    }, 90_000);

    wire.mend();
    passedMs += minutes(0.5);
    await until(spec, isDone);
    events.push(...(await takeAll(stage.driver, spec)));
    expect(urlsIn(events)).toHaveLength(PAGES);
    expect(events.filter(({ type }) => type === 'file')).toHaveLength(1);
    const { metadata: after, status } = await podOf();
    expect(after?.uid).toBe(before?.uid);
    expect(status?.containerStatuses?.[0]?.restartCount).toBe(0);
  });
});
