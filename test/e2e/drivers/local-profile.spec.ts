import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SystemClock } from '../../../src/common/clock/clock.js';
import type { BrowserSpec } from '../../../src/drivers/browser-driver.js';
import type { DriverEvent } from '../../../src/drivers/crawl-driver.types.js';
import { LocalBrowserDriver } from '../../../src/drivers/local/local-browser-driver.js';
import { LocalCrawlDriver } from '../../../src/drivers/local/local-crawl-driver.js';
import { builtCrawler } from '../../support/build-crawler.js';
import { aCrawlJobSpec } from '../../support/crawl-job-spec.js';
import { eventually } from '../../support/eventually.js';
import { faultsOfStored, localRuntime } from '../../support/local-driver.js';
import { LOG_IN, startLoginSite } from '../../support/login-site.js';
import { MemoryObjectStore } from '../../support/memory-object-store.js';

const ID = 'prf-abcdef0123';

const closing: (() => Promise<unknown>)[] = [];

afterAll(async () => {
  for (const close of closing) await close();
});

it('a person logs in, saves the profile, and a crawl is logged in with it', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'local-profile-'));
  const store = new MemoryObjectStore();
  const site = await startLoginSite();
  const settings = { dataDir, crawlerEntry: await builtCrawler(), maxConcurrentBrowsers: 1 };
  const runtime = localRuntime({ store, clock: new SystemClock() }, settings);
  const crawls = new LocalCrawlDriver(runtime);
  const browsers = new LocalBrowserDriver(runtime);
  await crawls.open();
  await browsers.open();
  const crawl = aCrawlJobSpec({
    config: { seeds: [{ url: site.url }], scopeType: 'page', behaviors: '' },
    profile: { key: 'profiles/profile-mine.tar.gz', save: true },
  });
  const { oid } = crawl;
  const spec: BrowserSpec = {
    browserId: ID,
    oid,
    userId: crawl.userId,
    image: crawl.image,
    imagePullPolicy: '',
    url: site.url,
    storage: { ref: { name: 'default', custom: false }, keyPrefix: `${oid}/` },
    labels: {},
  };
  closing.push(
    () => browsers.close(),
    () => crawls.close(),
    () => Promise.resolve(site.server.close()),
    () => rm(dataDir, { recursive: true, force: true }),
  );
  await browsers.start(spec);
  await eventually(async () => expect(await browsers.ping(ID)).toEqual({ state: 'ready', origins: [site.url] }));

  const frames: { msg: string; width?: number; url?: string; data?: string }[] = [];
  const live = await browsers.frames(ID);
  live?.onMessage((text) => frames.push(JSON.parse(text) as (typeof frames)[number]));
  for (const event of LOG_IN) live?.send(JSON.stringify(event));
  await eventually(() => expect(frames.at(-1)?.url).toBe(`${site.url}home`));
  expect(frames[0]?.msg).toBe('init');

  const saved = await eventually(async () => {
    const commit = await browsers.commit(ID, 'mine');
    if (commit.state !== 'saved') throw new Error(JSON.stringify(commit));
    return commit;
  });
  expect(store.objects.get(`${oid}/profiles/profile-mine.tar.gz`)?.length).toBe(saved.size);
  await browsers.remove(ID);

  const events: DriverEvent[] = [];
  const seen = await eventually(async () => {
    await crawls.ensure(crawl, 1, {});
    const batch = await crawls.drain(crawl.jobId, 100);
    events.push(...batch.events);
    await batch.ack();
    const now = await crawls.observe(crawl.jobId);
    if (now.instances[0]?.phase !== 'exited') throw new Error(JSON.stringify(now));
    return now;
  }, 90_000);
  expect(seen.instances[0]?.status).toBe('done');
  expect(events.flatMap((event) => (event.type === 'page' ? [event.page.title] : []))).toEqual(['Welcome ada']);
  const copy = store.objects.get(`${oid}/profiles/profile-mine.tar.gz`) ?? Buffer.alloc(0);
  expect(copy.length).toBeGreaterThan(1000);
  const hash = createHash('sha256').update(copy).digest('hex');
  expect(seen.profileUpload).toMatchObject({ size: copy.length, hash });
  expect(hash).not.toBe(saved.hash);
  expect(await faultsOfStored(store, dataDir)).toEqual([]);
});
