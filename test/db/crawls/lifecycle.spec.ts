import { CrawlStage } from '../../support/crawl-stage.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';

describe('the life of a crawl', () => {
  let on: AppUnderTest;
  let stage: CrawlStage;

  beforeAll(async () => {
    on = await startApp();
    stage = await CrawlStage.of(on);
  });
  afterAll(() => on.close());

  it('runs to its end and leaves a registered file, pages and exact figures', async () => {
    stage.driver.script({ pagesPerSeed: 4, pageSeconds: 10, packSeconds: 5, uploadSeconds: 5 });
    const crawlId = await stage.aCrawl();
    expect(await stage.item(crawlId)).toMatchObject({ state: 'starting', manual: true, finished: null });
    await stage.until(crawlId, 'running');
    const done = await stage.until(crawlId, 'complete');
    expect(done).toMatchObject({ fileCount: 1, pageCount: 4, uniquePageCount: 4, stats: { found: 4, done: 4 } });
    expect(done.crawlExecSeconds).toBe(30);
    const org = await stage.org();
    expect(org.bytesStoredCrawls).toBe(done.fileSize);
    expect(done.stats?.size).toBe(done.fileSize);
    await stage.pass(10, 1);
    expect(await stage.job(crawlId)).toBeNull();
    expect(await stage.driver.list()).not.toContain(crawlId);
  });

  it('counts a file once in the live size, also in the moment in which it is registered', async () => {
    stage.driver.script({ held: true, pagesPerSeed: 6, bytesPerPage: 1000 });
    const crawlId = await stage.aCrawl();
    await stage.until(crawlId, 'running');
    const fake = stage.driver.run(crawlId);
    fake?.visit(4, on.clock.nowMs());
    await fake?.pack(on.clock.now());
    fake?.visit(2, on.clock.nowMs());
    await stage.settle(crawlId, 1);
    const item = await stage.item(crawlId);
    expect(item.fileCount).toBe(1);
    expect(item).toMatchObject({ pendingSize: 2000, stats: { size: item.fileSize + 2000 } });
  });
});
