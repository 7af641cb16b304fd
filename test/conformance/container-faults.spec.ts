import { Redis } from 'ioredis';
import type { CrawlJobSpec, JobObservation } from '../../src/drivers/crawl-driver.types.js';
import { dockerStage, type DockerStage } from '../support/container-driver.js';
import { aCrawlJobSpec } from '../support/crawl-job-spec.js';
import { isDone, scriptedJob, takeAll, tickUntil, urlsIn } from '../support/driven-job.js';
import { eventually } from '../support/eventually.js';
import { RedisServer } from '../support/redis-server.js';

const server = await RedisServer.start();
afterAll(() => server?.stop());

/** Without a Redis there is nothing to break; `RedisServer.start` has said so loudly. */
const describeWithRedis = server ? describe : describe.skip;

describeWithRedis('crawls in containers', () => {
  let stage: DockerStage;

  beforeEach(async () => {
    stage = await dockerStage(server!);
  });

  afterEach(async () => {
    for (const id of await stage.driver.list()) await stage.driver.remove(id);
    await stage.close();
  });

  const job = (pages: number): CrawlJobSpec => scriptedJob(stage, { pages });
  const until = (spec: CrawlJobSpec, check: (seen: JobObservation) => boolean): Promise<JobObservation> =>
    tickUntil(stage.driver, spec, check);

  it('go on when Redis died and came back with its file', async () => {
    const spec = job(20);
    await until(spec, ({ done }) => done >= 2);
    await stage.redis.kill();
    expect(await stage.driver.observe(spec.jobId)).toMatchObject({ exists: true, storeUp: false });
    expect(await stage.driver.requestStop(spec.jobId)).toBe('unavailable');
    await stage.redis.up();
    await until(spec, isDone);
    const urls = urlsIn(await takeAll(stage.driver, spec));
    expect(urls).toHaveLength(20);
    expect(new Set(urls).size).toBe(20);
  });

  it('start from their seeds when Redis came back empty', async () => {
    const spec = job(20);
    await until(spec, ({ done }) => done >= 2);
    await stage.redis.kill({ empty: true });
    await stage.redis.up();
    await eventually(async () => expect((await stage.driver.observe(spec.jobId)).exists).toBe(false));
    const seen = await until(spec, isDone);
    expect(seen).toMatchObject({ found: 20, done: 20 });
    expect(new Set(urlsIn(await takeAll(stage.driver, spec))).size).toBe(20);
  });

  it('are told from the journal again by the crawler that outlived an empty Redis', async () => {
    const spec = job(20);
    await until(spec, ({ done }) => done >= 2);
    const client = new Redis(stage.redis.url);
    // Only what the crawler wrote is lost: the driver still knows the job.
    for (const key of await client.keys('*')) if (!/muniment/.test(key)) await client.del(key);
    client.disconnect();
    await until(spec, isDone);
    expect(new Set(urlsIn(await takeAll(stage.driver, spec))).size).toBe(20);
  });

  it('store a file once, though Redis died before it was told of', async () => {
    const spec = job(2);
    let letThrough = (): void => undefined;
    stage.store.gate = new Promise((resolve) => (letThrough = resolve));
    await until(spec, () => stage.store.writes > 0);
    await stage.redis.kill();
    letThrough();
    await eventually(() => expect(stage.store.objects.size).toBe(1));
    await stage.redis.up();
    await until(spec, isDone);
    const events = await takeAll(stage.driver, spec);
    expect(events.filter(({ type }) => type === 'file')).toHaveLength(1);
    expect(stage.store.writes).toBe(1);
  });

  it('end for good when they failed, though the engine starts their container again', async () => {
    const spec = job(2);
    const failing = { ...spec, config: { seeds: [{ url: 'https://site.example/?pages=2&ms=50&fail=1' }] } };
    const seen = await until(failing, ({ instances: [first] }) => first?.phase === 'exited');
    expect(seen.instances).toMatchObject([{ status: 'failed', exitCode: 0 }]);
  });

  it('rest with their own Redis while paused, and go on where they were', async () => {
    const own = await dockerStage(server!, { ownRedis: true });
    const { driver, engine } = own;
    const spec = scriptedJob(own, { pages: 40 });
    const tick = (instances: number, check: (seen: JobObservation) => boolean): Promise<JobObservation> =>
      tickUntil(driver, spec, check, { instances });
    await tick(1, ({ done }) => done >= 2);
    expect(await driver.pause(spec.jobId)).toBe('ok');
    await tick(1, ({ instances: [first] }) => first?.phase === 'exited' && first.status === 'interrupted');
    await tick(0, () => engine.names().every((name) => name.startsWith('redis-')));
    await driver.suspendStore(spec.jobId);
    await driver.ensure(spec, 0, {});
    expect(engine.names()).toEqual([]);
    expect(await driver.observe(spec.jobId)).toMatchObject({ exists: true, storeUp: false });
    expect((await driver.drain(spec.jobId, 10)).events).toEqual([]);
    await driver.clearPause(spec.jobId);
    await tick(1, isDone);
    expect(urlsIn(await takeAll(driver, spec))).toHaveLength(40);
    await driver.remove(spec.jobId);
    expect([...engine.names(), ...engine.volumeNames()]).toEqual([]);
    await own.close();
  });

  it('are restarted by the engine after a crash, and crawl each page once', async () => {
    const spec = { ...job(6), config: { seeds: [{ url: 'https://site.example/?pages=6&ms=50&crash=10' }] } };
    const seen = await until(spec, isDone);
    expect(seen.done).toBe(6);
    expect(urlsIn(await takeAll(stage.driver, spec))).toHaveLength(6);
  });

  it('are started again after a crash with the config of now', async () => {
    const config = (script: string) => ({ seeds: [{ url: `https://site.example/?pages=4&ms=50${script}` }] });
    const failing = { ...job(4), config: config('&crash=10&always=1') };
    await until(failing, ({ done }) => done >= 1);
    await until({ ...failing, config: config('') }, isDone);
    expect(urlsIn(await takeAll(stage.driver, failing))).toHaveLength(4);
  });

  it('show an instance that the kernel killed for memory, and start it again', async () => {
    const spec = job(400);
    await until(spec, ({ done }) => done >= 2);
    stage.engine.killForMemory(`crawl-${spec.jobId}-0`);
    await eventually(async () => {
      const [first] = (await stage.driver.observe(spec.jobId)).instances;
      expect(first).toMatchObject({ phase: 'backoff', oom: true, exitCode: 137 });
    });
    await until(spec, ({ instances: [first] }) => first?.phase === 'running');
  });

  it('are made again after a container was removed by hand', async () => {
    const spec = job(20);
    await until(spec, ({ done }) => done >= 2);
    stage.engine.removeByHand(`crawl-${spec.jobId}-0`);
    await until(spec, isDone);
    const urls = urlsIn(await takeAll(stage.driver, spec));
    expect(new Set(urls).size).toBe(20);
  });

  it('leave nothing behind', async () => {
    const spec = job(400);
    await until(spec, ({ done }) => done >= 1);
    expect(stage.engine.volumeNames()).toHaveLength(1);
    await stage.driver.remove(spec.jobId);
    expect(stage.engine.names()).toEqual([]);
    expect(stage.engine.volumeNames()).toEqual([]);
    const client = new Redis(stage.redis.url);
    await eventually(async () => expect(await client.keys(`*${spec.jobId}*`)).toEqual([]));
    client.disconnect();
  });

  it('tell the user why an image cannot be had', async () => {
    stage.engine.forgetImages();
    const spec = job(3);
    await expect(stage.driver.ensure(spec, 1, {})).rejects.toThrow(/pull access denied/);
  });
});

describeWithRedis('draining', () => {
  const COUNT = 100_000;

  it('loses and doubles nothing with two supervisors that each believe to be the only one', async () => {
    const stage = await dockerStage(server!);
    const spec = { ...aCrawlJobSpec(), storage: { ...aCrawlJobSpec().storage, s3: stage.s3 } };
    const client = new Redis(stage.redis.url);
    try {
      await stage.driver.ensure(spec, 0, {});
      for (let from = 0; from < COUNT; from += 5_000) {
        const pages = Array.from({ length: 5_000 }, (_, i) => JSON.stringify({ id: String(from + i) }));
        await client.lpush(`${spec.jobId}:pages`, ...pages);
      }
      const drivers = [stage.driver, stage.another()];
      // What one of them wrote before it acknowledged; a page is written by its id, so twice is once.
      const written = new Map<string, number>();
      let acknowledged = 0;
      let round = 0;
      for (;;) {
        const batch = await drivers[round % 2]!.drain(spec.jobId, 700);
        if (batch.events.length === 0) break;
        for (const event of batch.events)
          if (event.type === 'page') written.set(event.page.id, (written.get(event.page.id) ?? 0) + 1);
        round += 1;
        // Every third dies before its ack, as by kill -9: the batch comes again.
        if (round % 3 === 0) continue;
        await batch.ack();
        acknowledged += batch.events.length;
        // A late ack of the same batch must not swallow the next one.
        await batch.ack();
      }
      expect(written.size).toBe(COUNT);
      expect(acknowledged).toBe(COUNT);
      expect([...written.keys()].slice(0, 3)).toEqual(['0', '1', '2']);
    } finally {
      await stage.driver.remove(spec.jobId);
      client.disconnect();
      await stage.close();
    }
  });
});
