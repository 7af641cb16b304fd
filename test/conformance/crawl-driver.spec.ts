import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SystemClock } from '../../src/common/clock/clock.js';
import type { CrawlDriver } from '../../src/drivers/crawl-driver.js';
import type {
  CrawlerPage,
  CrawlJobSpec,
  DriverEvent,
  FileEvent,
  JobObservation,
} from '../../src/drivers/crawl-driver.types.js';
import { FakeCrawlDriver } from '../../src/drivers/fake/fake-crawl-driver.js';
import { LocalCrawlDriver } from '../../src/drivers/local/local-crawl-driver.js';
import type { ContainerStage } from '../support/container-driver.js';
import { containerEngines, IS_REAL_ENGINE } from '../support/container-engines.js';
import { aCrawlJobSpec } from '../support/crawl-job-spec.js';
import { eventually } from '../support/eventually.js';
import { localRuntime } from '../support/local-driver.js';
import { MemoryObjectStore } from '../support/memory-object-store.js';
import { TestClock } from '../support/test-clock.js';

/** One adapter under test and the world around it. */
interface Harness {
  driver: CrawlDriver;
  store: MemoryObjectStore;
  /** A job that finds this many pages, taking long enough for a command to come in between. */
  job(pages: number, changes?: Partial<CrawlJobSpec>): CrawlJobSpec;
  /** Lets some time pass for the driver. */
  passTime(): Promise<void>;
  /** Windows change without a restart of the instance. */
  changesInPlace: boolean;
  /** Jobs beyond this many wait; null: an engine decides. */
  places: number | null;
  close(): Promise<void>;
}

function fakeHarness(): Promise<Harness> {
  const clock = new TestClock();
  const store = new MemoryObjectStore();
  const driver = new FakeCrawlDriver(() => Promise.resolve(store), clock);
  driver.capacity = 2;
  return Promise.resolve({
    driver,
    store,
    changesInPlace: true,
    places: 2,
    job: (pages, changes) => {
      const spec = aCrawlJobSpec(changes);
      driver.script({ pagesPerSeed: pages, pageSeconds: 2 }, ({ jobId }) => jobId === spec.jobId);
      return spec;
    },
    passTime: () => Promise.resolve(clock.advance(1000)),
    close: () => Promise.resolve(),
  });
}

async function localHarness(): Promise<Harness> {
  const dataDir = await mkdtemp(join(tmpdir(), 'local-driver-'));
  const store = new MemoryObjectStore();
  const runtime = localRuntime({ store, clock: new SystemClock() }, { dataDir });
  const driver = new LocalCrawlDriver(runtime);
  await driver.open();
  return {
    driver,
    store,
    changesInPlace: true,
    places: 2,
    job: (pages, changes) =>
      aCrawlJobSpec({
        config: { seeds: [{ url: `https://site.example/?pages=${String(pages)}&ms=200` }] },
        ...changes,
      }),
    passTime: () => new Promise((resolve) => setTimeout(resolve, 20)),
    close: async () => {
      await driver.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** What the container drivers have in common, over a stage of either. */
function containerHarness(stage: ContainerStage): Harness {
  return {
    driver: stage.driver,
    store: stage.store,
    changesInPlace: false,
    places: null,
    job: (pages, changes = {}) => {
      const spec = aCrawlJobSpec(changes);
      return {
        ...spec,
        config: { seeds: [{ url: `https://site.example/?pages=${String(pages)}&ms=400` }] },
        // The crawler of these containers holds all windows in its first instance.
        windowsPerInstance: 8,
        storage: { ...spec.storage, s3: stage.s3 },
      };
    },
    passTime: () => new Promise((resolve) => setTimeout(resolve, 50)),
    close: async () => {
      for (const jobId of await stage.driver.list()) await stage.driver.remove(jobId);
      await stage.close();
    },
  };
}

const engines = await containerEngines();
afterAll(() => engines.stop());

const harnesses: [name: string, make: () => Promise<Harness>][] = IS_REAL_ENGINE
  ? []
  : [
      ['fake', fakeHarness],
      ['local', localHarness],
    ];
const { docker, kubernetes } = engines;
if (docker) {
  harnesses.push(['docker', async () => containerHarness(await docker())]);
  const ownRedis = async (): Promise<Harness> => containerHarness(await docker({ ownRedis: true }));
  harnesses.push(['docker, a Redis for each crawl:', ownRedis]);
}
if (kubernetes) harnesses.push(['kubernetes', async () => containerHarness(await kubernetes())]);

describe.each(harnesses)('the %s crawl driver', (name, makeHarness) => {
  let h: Harness;

  beforeEach(async () => {
    h = await makeHarness();
  });

  afterEach(() => h.close());

  /** Asks as the supervisor does, tick by tick, until the observation is as wanted. */
  function until(
    spec: CrawlJobSpec,
    wanted: number,
    check: (seen: JobObservation) => boolean,
  ): Promise<JobObservation> {
    return eventually(
      async () => {
        await h.driver.ensure(spec, wanted, {});
        await h.passTime();
        const seen = await h.driver.observe(spec.jobId);
        if (!check(seen)) throw new Error(`not yet: ${JSON.stringify(seen)}`);
        return seen;
      },
      60_000,
      5,
    );
  }

  const isOver =
    (status: string) =>
    ({ instances: [first] }: JobObservation): boolean =>
      first?.phase === 'exited' && first.status === status;

  /** Runs a job until it is over, taking its events as the supervisor does. */
  async function finish(
    spec: CrawlJobSpec,
    status: string,
    events: DriverEvent[] = [],
  ): Promise<{ seen: JobObservation; events: DriverEvent[] }> {
    const seen = await eventually(
      async () => {
        await h.driver.ensure(spec, 1, {});
        await h.passTime();
        const now = await h.driver.observe(spec.jobId);
        events.push(...(await take(spec)));
        if (!isOver(status)(now)) throw new Error(`not yet: ${JSON.stringify(now)}`);
        return now;
      },
      60_000,
      5,
    );
    events.push(...(await take(spec)));
    return { seen, events };
  }

  async function take(spec: CrawlJobSpec): Promise<DriverEvent[]> {
    const all: DriverEvent[] = [];
    for (;;) {
      const batch = await h.driver.drain(spec.jobId, 2);
      if (batch.events.length === 0) return all;
      all.push(...batch.events);
      await batch.ack();
    }
  }

  const pagesOf = (events: DriverEvent[]): CrawlerPage[] =>
    events.flatMap((event) => (event.type === 'page' ? [event.page] : []));
  const filesOf = (events: DriverEvent[]): FileEvent[] => events.filter((event) => event.type === 'file');
  const someDone = ({ done }: JobObservation): boolean => done >= 2;
  /** Pages of a job that is at work for as long as the test likes. */
  const ENDLESS = 500;

  it('knows its kind', () => {
    expect(name.split(',')[0]).toBe(h.driver.kind);
  });

  it('answers for a job it does not know', async () => {
    const id = aCrawlJobSpec().jobId;
    expect(await h.driver.observe(id)).toMatchObject({ exists: false, instances: [], found: 0, done: 0 });
    expect((await h.driver.drain(id, 10)).events).toEqual([]);
    for (const verb of ['requestStop', 'cancel', 'pause', 'clearPause'] as const)
      expect(await h.driver[verb](id)).toBe('not_found');
    expect(await h.driver.requestStopInstance(id, 0)).toBe('not_found');
    expect(await h.driver.addExclusion(id, 'x')).toBe('not_found');
    expect(await h.driver.removeExclusion(id, 'x')).toBe('not_found');
    expect(await h.driver.queue(id, 0, 10)).toEqual({ total: 0, urls: [] });
    expect(await h.driver.screencast(id, 0)).toBeNull();
    await h.driver.remove(id);
    await h.driver.releaseInstance(id, 0);
    await h.driver.suspendStore(id);
  });

  it('runs a crawl to its end', async () => {
    const spec = h.job(5);
    expect(h.driver.instanceCount(spec)).toBe(1);
    const { seen, events } = await finish(spec, 'done');
    expect(seen).toMatchObject({
      exists: true,
      storeUp: true,
      found: 5,
      done: 5,
      rateLimited: false,
      instances: [{ index: 0, exitCode: 0 }],
    });
    const [instance] = seen.instances;
    expect(instance?.startedAt?.getTime()).toBeLessThanOrEqual(instance?.exitedAt?.getTime() ?? 0);
    expect(new Set(pagesOf(events).map(({ id }) => id)).size).toBe(5);
    const [file, ...others] = filesOf(events);
    expect(others).toEqual([]);
    expect(file?.filename.startsWith(spec.storage.keyPrefix)).toBe(true);
    expect(h.store.objects.get(file?.filename ?? '')?.length).toBe(file?.size);
    expect(
      pagesOf(events).every(({ filename }) => `${spec.storage.keyPrefix}${filename ?? ''}` === file?.filename),
    ).toBe(true);
  });

  it('counts the pages of a quality check as those of a crawl', async () => {
    const crawl = h.job(4);
    await finish(crawl, 'done');
    const check = h.job(4, { kind: 'qa', crawlId: crawl.jobId, qaSource: { resources: [] } });
    const { seen } = await finish(check, 'done');
    expect(seen).toMatchObject({ found: 4, done: 4 });
  });

  it('does not start a finished crawl again', async () => {
    const spec = h.job(2);
    const { seen } = await finish(spec, 'done');
    await h.driver.ensure(spec, 1, {});
    await h.passTime();
    expect((await h.driver.observe(spec.jobId)).instances[0]?.startedAt).toEqual(seen.instances[0]?.startedAt);
  });

  it('hands events over until they are acknowledged, in order', async () => {
    const spec = h.job(4);
    await until(spec, 1, someDone);
    const first = await h.driver.drain(spec.jobId, 1);
    const again = await h.driver.drain(spec.jobId, 1);
    expect(again.events).toEqual(first.events);
    await first.ack();
    await first.ack();
    const next = await h.driver.drain(spec.jobId, 1);
    expect(next.events).not.toEqual(first.events);
  });

  it('stops gracefully: what was crawled is stored', async () => {
    const spec = h.job(ENDLESS);
    await until(spec, 1, someDone);
    expect(await h.driver.requestStop(spec.jobId)).toBe('ok');
    expect(await h.driver.requestStop(spec.jobId)).toBe('ok');
    const { seen, events } = await finish(spec, 'done');
    expect(seen.instances[0]?.exitCode).toBe(0);
    expect(seen.done).toBeLessThan(ENDLESS);
    expect(pagesOf(events)).toHaveLength(seen.done);
    expect(filesOf(events)).toHaveLength(1);
  });

  it('pauses, keeps the queue, and goes on where it was', async () => {
    const spec = h.job(40);
    await until(spec, 1, someDone);
    expect(await h.driver.pause(spec.jobId)).toBe('ok');
    const { seen: paused, events } = await finish(spec, 'interrupted');
    expect(paused.instances[0]?.exitCode).toBe(0);
    expect(filesOf(events)).toHaveLength(1);
    await h.driver.ensure(spec, 0, {});
    await h.passTime();
    expect((await h.driver.observe(spec.jobId)).instances[0]?.phase).toBe('exited');
    expect(await h.driver.clearPause(spec.jobId)).toBe('ok');
    await finish(spec, 'done', events);
    expect(pagesOf(events)).toHaveLength(40);
    expect(new Set(pagesOf(events).map(({ url }) => url)).size).toBe(40);
    expect(filesOf(events)).toHaveLength(2);
  });

  it('cancels: nothing more is handed over', async () => {
    const spec = h.job(ENDLESS);
    await until(spec, 1, someDone);
    expect(await h.driver.cancel(spec.jobId)).toBe('ok');
    const seen = await until(spec, 1, isOver('canceled'));
    expect(seen.instances[0]?.exitCode).toBe(0);
    expect(filesOf(await take(spec))).toEqual([]);
    expect(h.store.objects.size).toBe(0);
  });

  it.each([
    ['requestStop', 'done'],
    ['pause', 'interrupted'],
    ['cancel', 'canceled'],
  ] as const)('takes %s before anything has run', async (verb, status) => {
    const spec = h.job(3);
    await h.driver.ensure(spec, 0, {});
    expect(await h.driver[verb](spec.jobId)).toBe('ok');
    const seen = await until(spec, 1, isOver(status));
    expect(seen.instances[0]?.exitCode).toBe(0);
    expect(h.store.objects.size).toBe(0);
  });

  it('shows its queue in crawl order and drops what is excluded', async () => {
    const spec = h.job(ENDLESS);
    await until(spec, 1, ({ done }) => done >= 1);
    const before = await h.driver.queue(spec.jobId, 0, ENDLESS);
    expect(before.total).toBe(before.urls.length);
    expect(before.urls).toContain('https://site.example/page-25');
    const part = await h.driver.queue(spec.jobId, 1, 2);
    expect(part.urls).toHaveLength(2);
    expect(await h.driver.addExclusion(spec.jobId, 'page-2')).toBe('ok');
    await eventually(async () => {
      const after = await h.driver.queue(spec.jobId, 0, ENDLESS);
      expect(after.urls.filter((url) => url.includes('page-2'))).toEqual([]);
      expect(after.total).toBeGreaterThan(0);
    });
    expect(await h.driver.removeExclusion(spec.jobId, 'page-2')).toBe('ok');
    await eventually(async () => expect((await h.driver.observe(spec.jobId)).found).toBeLessThan(ENDLESS));
  });

  it('changes windows of a running crawl', async () => {
    const spec = h.job(ENDLESS, { browserWindows: 1 });
    const before = await until(spec, 1, ({ done }) => done >= 1);
    expect(before.instances[0]?.workers).toBe(1);
    const after = await until(
      { ...spec, browserWindows: 4 },
      1,
      ({ instances: [first] }) => first?.workers === 4 && first.phase === 'running',
    );
    const isSame = after.instances[0]?.startedAt?.getTime() === before.instances[0]?.startedAt?.getTime();
    expect(isSame).toBe(h.changesInPlace);
  });

  it('keeps jobs beyond its places pending, first come first served', async () => {
    if (h.places === null) return;
    const jobs = [h.job(ENDLESS), h.job(ENDLESS), h.job(ENDLESS)] as const;
    for (const spec of jobs) {
      await h.driver.ensure(spec, 1, {});
      await h.passTime();
    }
    await until(jobs[1], 1, someDone);
    expect((await h.driver.observe(jobs[2].jobId)).instances[0]?.phase).toBe('pending');
    await h.driver.requestStop(jobs[0].jobId);
    await finish(jobs[0], 'done');
    await until(jobs[2], 1, ({ instances }) => instances[0]?.phase === 'running');
  });

  it('shows live frames, the size first', async () => {
    const spec = h.job(ENDLESS, { browserWindows: 3 });
    await until(spec, 1, someDone);
    const seen: { msg: string; browsers?: number; url?: string }[] = [];
    const live = await h.driver.screencast(spec.jobId, 0);
    live?.onMessage((text) => seen.push(JSON.parse(text) as (typeof seen)[number]));
    await eventually(() => expect(seen.some(({ msg }) => msg === 'screencast')).toBe(true));
    const views = Math.ceil(3 / spec.windowsPerInstance);
    expect(seen[0]).toMatchObject({ msg: 'init', width: 640, browsers: Math.min(3, spec.windowsPerInstance) });
    let closed = false;
    live?.onClose(() => (closed = true));
    live?.close();
    expect(closed).toBe(true);
    expect((await h.driver.screencast(spec.jobId, 1)) !== null).toBe(views > 1);
    expect(await h.driver.screencast(spec.jobId, 2)).toBeNull();
  });

  it('lists what it has, and removes it whatever it is doing', async () => {
    const spec = h.job(ENDLESS);
    await until(spec, 1, someDone);
    expect(await h.driver.list()).toEqual([spec.jobId]);
    await h.driver.remove(spec.jobId);
    await h.driver.remove(spec.jobId);
    expect(await h.driver.list()).toEqual([]);
    expect((await h.driver.observe(spec.jobId)).exists).toBe(false);
  });

  it('waits for an object store that is down', async () => {
    const spec = h.job(2);
    const comeBack = h.store.goDown();
    const seen = await until(spec, 1, ({ instances }) => instances[0]?.status === 'uploading-wacz');
    expect(seen.instances[0]?.phase).toBe('running');
    expect(filesOf(await take(spec))).toEqual([]);
    comeBack();
    const { events } = await finish(spec, 'done');
    expect(filesOf(events)).toHaveLength(1);
  });
});
