import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserDriver, BrowserSpec } from '../../src/drivers/browser-driver.js';
import { FakeBrowserDriver } from '../../src/drivers/fake/fake-browser-driver.js';
import { LocalBrowserDriver } from '../../src/drivers/local/local-browser-driver.js';
import type { RunStorage } from '../../src/drivers/crawl-driver.types.js';
import type { ContainerStage } from '../support/container-driver.js';
import { containerEngines, IS_REAL_ENGINE } from '../support/container-engines.js';
import { eventually } from '../support/eventually.js';
import { localRuntime } from '../support/local-driver.js';
import { MemoryObjectStore } from '../support/memory-object-store.js';
import { TestClock } from '../support/test-clock.js';

interface Harness {
  driver: BrowserDriver;
  store: MemoryObjectStore;
  /** For `storage.s3` of a browser. */
  s3?: RunStorage['s3'];
  /** Another driver, whose browsers end without a call for long; what lets that time pass. */
  impatient(): { driver: BrowserDriver; passIdleTime(): void };
  close(): Promise<void>;
}

function fakeHarness(): Promise<Harness> {
  const clock = new TestClock();
  const store = new MemoryObjectStore();
  const driver = new FakeBrowserDriver(() => Promise.resolve(store), clock);
  return Promise.resolve({
    driver,
    store,
    impatient: () => ({ driver, passIdleTime: () => clock.advance(31_000) }),
    close: () => Promise.resolve(),
  });
}

async function localHarness(): Promise<Harness> {
  const dataDir = await mkdtemp(join(tmpdir(), 'local-browsers-'));
  const clock = new TestClock();
  const store = new MemoryObjectStore();
  const runtime = localRuntime({ store, clock }, { dataDir });
  const driver = new LocalBrowserDriver(runtime);
  await driver.open();
  return {
    driver,
    store,
    impatient: () => ({ driver, passIdleTime: () => clock.advance(31_000) }),
    close: async () => {
      await driver.close();
      expect((await readdir(join(dataDir, 'work'))).filter((name) => name.startsWith('prf-'))).toEqual([]);
      await runtime.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** What the container drivers have in common, over a stage of either: a browser ends by its own clock. */
function containerHarness(stage: ContainerStage): Harness {
  const driver = stage.browsers(600);
  return {
    driver,
    store: stage.store,
    s3: stage.s3,
    impatient: () => ({ driver: stage.browsers(1), passIdleTime: () => undefined }),
    close: async () => {
      for (const { browserId } of await driver.list()) await driver.remove(browserId);
      await driver.sweep();
      driver.close();
      await eventually(async () => expect(await stage.names()).toEqual([]));
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
if (docker) harnesses.push(['docker', async () => containerHarness(await docker())]);
if (kubernetes) harnesses.push(['kubernetes', async () => containerHarness(await kubernetes())]);

const OID = '0f7ac5a2-35f0-4f3b-8a5b-0f0f3f6f8e11';
const ID = 'prf-0123456789';

function aBrowser({ s3 }: Harness, changes: Partial<BrowserSpec> = {}): BrowserSpec {
  return {
    browserId: ID,
    oid: OID,
    userId: '7d7f3c4e-8a1b-4c2d-9e3f-1a2b3c4d5e6f',
    image: 'local/crawler:1.14.1',
    imagePullPolicy: 'IfNotPresent',
    url: 'https://site.example/login',
    storage: { ref: { name: 'default', custom: false }, keyPrefix: `${OID}/`, ...(s3 ? { s3 } : {}) },
    labels: { profileId: 'a' },
    ...changes,
  };
}

describe.each(harnesses)('the %s browser driver', (name, makeHarness) => {
  let h: Harness;

  beforeEach(async () => {
    h = await makeHarness();
  });

  afterEach(() => h.close());

  function ready(id = ID): Promise<string[]> {
    return eventually(async () => {
      const seen = await h.driver.ping(id);
      if (seen.state !== 'ready') throw new Error(`is ${seen.state}`);
      return seen.origins;
    });
  }

  it('answers for a browser it does not know', async () => {
    expect(await h.driver.find(ID)).toBeNull();
    expect(await h.driver.ping(ID)).toEqual({ state: 'not_found' });
    expect(await h.driver.navigate(ID, 'https://other.example/')).toBe('not_found');
    expect(await h.driver.input(ID, { type: 'text', text: 'x' })).toBe('not_found');
    expect(await h.driver.commit(ID, 'a')).toEqual({ state: 'not_found' });
    expect(await h.driver.frames(ID)).toBeNull();
    await h.driver.remove(ID);
  });

  it('keeps who a browser belongs to', async () => {
    await h.driver.start(aBrowser(h));
    await h.driver.start(aBrowser(h));
    expect(await h.driver.find(ID)).toEqual({ browserId: ID, oid: OID, labels: { profileId: 'a' } });
    expect(await h.driver.list()).toHaveLength(1);
  });

  it('tells the origins it visited', async () => {
    await h.driver.start(aBrowser(h));
    expect(await ready()).toEqual(['https://site.example/']);
    expect(await h.driver.navigate(ID, 'https://other.example/a')).toBe('ok');
    expect(await ready()).toEqual(['https://site.example/', 'https://other.example/']);
  });

  it('shows frames after their size, and takes input', async () => {
    await h.driver.start(aBrowser(h));
    await ready();
    const live = await h.driver.frames(ID);
    const seen: { msg: string; width?: number; url?: string }[] = [];
    live?.onMessage((text) => seen.push(JSON.parse(text) as (typeof seen)[number]));
    live?.send(JSON.stringify({ type: 'text', text: 'hello' }));
    expect(await h.driver.navigate(ID, 'https://site.example/next')).toBe('ok');
    await eventually(() => expect(seen.some(({ url }) => url === 'https://site.example/next')).toBe(true));
    expect(seen[0]?.msg).toBe('init');
    expect(seen[0]?.width).toBeGreaterThan(0);
    let closed = false;
    live?.onClose(() => (closed = true));
    await h.driver.remove(ID);
    expect(closed).toBe(true);
  });

  it('saves the profile it was told to, once', async () => {
    await h.driver.start(aBrowser(h));
    await ready();
    const saved = await eventually(async () => {
      const commit = await h.driver.commit(ID, 'new-one');
      if (commit.state !== 'saved') throw new Error(`is ${commit.state}`);
      return commit;
    });
    expect(saved).toMatchObject({ key: 'profiles/profile-new-one.tar.gz', origins: ['https://site.example/'] });
    expect(h.store.objects.get(`${OID}/profiles/profile-new-one.tar.gz`)?.length).toBe(saved.size);
    expect(await h.driver.commit(ID, 'new-one')).toEqual(saved);
    expect(h.store.writes).toBe(1);
    expect(await ready()).toEqual(['https://site.example/']);
  });

  it('tells once that a profile could not be saved, then tries again', async () => {
    await h.driver.start(aBrowser(h));
    await ready();
    h.store.failing = new Error('out of order');
    await eventually(async () => expect((await h.driver.commit(ID, 'a')).state).toBe('failed'));
    h.store.failing = undefined;
    await eventually(async () => expect((await h.driver.commit(ID, 'a')).state).toBe('saved'));
  });

  it('ends a browser that nobody asks after', async () => {
    const { driver, passIdleTime } = h.impatient();
    await driver.start(aBrowser(h));
    passIdleTime();
    await eventually(async () => expect(await driver.find(ID)).toBeNull());
  });

  it('starts from the profile it is given', async () => {
    await h.store.put(`${OID}/profiles/profile-base.tar.gz`, Buffer.from('base,'));
    const baseProfile = { profileId: 'base', key: 'profiles/profile-base.tar.gz' };
    await h.driver.start(aBrowser(h, { baseProfile }));
    await eventually(async () => expect((await h.driver.commit(ID, 'new')).state).toBe('saved'));
    const saved = h.store.objects.get(`${OID}/profiles/profile-new.tar.gz`)?.toString() ?? '';
    // The fake one saves made-up bytes.
    if (name !== 'fake') expect(saved).toBe('base,visited https://site.example/');
  });
});
