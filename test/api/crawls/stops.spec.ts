import type { ApiClient } from '../../support/api-client.js';
import { CrawlStage } from '../../support/crawl-stage.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';

const NOTHING = { state: 'canceled', fileCount: 0, fileSize: 0 };

const seedsOf = (count: number): object => ({
  seeds: Array.from({ length: count }, (_, n) => ({ url: `https://site-${n}.example/` })),
  scopeType: 'page',
});

describe('a stop that no page came of', () => {
  let on: AppUnderTest;
  let stage: CrawlStage;
  let api: ApiClient;
  const path = (rest: string) => `/orgs/${stage.oid}/crawls${rest}`;

  beforeAll(async () => {
    on = await startApp();
    stage = await CrawlStage.of(on);
    api = await on.admin();
  });
  beforeEach(() => {
    stage.driver.script({ pagesPerSeed: 1, pageSeconds: 60, startSeconds: 20 });
    stage.driver.capacity = Number.POSITIVE_INFINITY;
  });
  afterAll(() => on.close());

  const aCrawl = async (seeds: number, changes = {}): Promise<string> =>
    stage.aCrawl({ config: seedsOf(seeds), seedCount: seeds, ...changes } as never);

  /** Asks for it, and waits for the end, which is the same for whoever looks. */
  async function stopped(crawlId: string): Promise<void> {
    expect(await api.post(path(`/${crawlId}/stop`))).toMatchObject({ status: 200, body: { success: true } });
    await stage.until(crawlId, 'canceled', 120);
    expect((await api.get(path(`/${crawlId}`))).body).toMatchObject(NOTHING);
    expect((await api.get(path(`/${crawlId}/pages`))).body.total).toBe(0);
    for (let n = 0; n < 60 && (await stage.job(crawlId)); n += 1) await stage.pass(10);
    expect(await stage.driver.list()).not.toContain(crawlId);
  }

  describe.each([1, 3])('of a crawl of %i seeds', (seeds) => {
    it('cancels it before the crawler was asked for', async () => stopped(await aCrawl(seeds)));

    it('cancels it while its crawler starts', async () => {
      const crawlId = await aCrawl(seeds);
      await stage.pass(10, 1);
      expect(await stage.state(crawlId)).toBe('starting');
      await stopped(crawlId);
    });

    it('cancels it while it waits for a place', async () => {
      stage.driver.capacity = 0;
      const crawlId = await aCrawl(seeds);
      await stage.pass(180);
      expect(await stage.state(crawlId)).toBe('waiting_capacity');
      await stopped(crawlId);
    });

    it('cancels it before its first page is done', async () => {
      const crawlId = await aCrawl(seeds);
      await stage.until(crawlId, 'running');
      await stopped(crawlId);
    });

    it('cancels it while its crawler, which has done nothing yet, is started again', async () => {
      const crawlId = await aCrawl(seeds);
      await stage.until(crawlId, 'running');
      stage.driver.run(crawlId)?.instances.crash(0, 10, on.clock.nowMs());
      await stage.until(crawlId, 'waiting_capacity', 60);
      await stopped(crawlId);
    });

    it('cancels it while it is paused', async () => {
      const crawlId = await aCrawl(seeds);
      await stage.until(crawlId, 'running');
      await api.post(path(`/${crawlId}/pause`));
      await stage.until(crawlId, 'paused', 60);
      await stopped(crawlId);
    });

    it('cancels it when its time is over', async () => {
      stage.driver.script({ held: true });
      const crawlId = await aCrawl(seeds, { crawlTimeout: 30 });
      await stage.until(crawlId, 'canceled', 200);
      expect((await api.get(path(`/${crawlId}`))).body).toMatchObject(NOTHING);
    });
  });

  it('keeps a page that was done, and waits for a store that is down', async () => {
    stage.driver.script({ held: true });
    const crawlId = await aCrawl(3);
    await stage.until(crawlId, 'running');
    const job = stage.driver.run(crawlId);
    if (!job) throw new Error('the driver does not know the crawl');
    job.visit(1, on.clock.nowMs());
    job.storeUp = false;
    job.doneOverride = 0;
    await api.post(path(`/${crawlId}/stop`));
    await stage.pass(30);
    expect(await stage.state(crawlId)).toBe('waiting_capacity');
    job.storeUp = true;
    job.doneOverride = undefined;
    expect(await stage.until(crawlId, 'stopped_by_user', 120)).toMatchObject({ fileCount: 1 });
  });

  it('cancels a QA run, which is no finding then', async () => {
    stage.driver.script({ pagesPerSeed: 2, pageSeconds: 1 });
    const crawlId = await aCrawl(1);
    await stage.until(crawlId, 'complete');
    stage.driver.script({ pageSeconds: 60, startSeconds: 20 });
    const run = (await api.post(path(`/${crawlId}/qa/start`))).body.started as string;
    await stage.pass(10, 1);
    expect((await api.post(path(`/${crawlId}/qa/stop`))).body).toEqual({ success: true });
    for (let n = 0; n < 60 && (await stage.job(run)); n += 1) await stage.pass(10);
    expect((await api.get(path(`/${crawlId}/qa`))).body).toMatchObject([{ id: run, state: 'canceled' }]);
  });
});
