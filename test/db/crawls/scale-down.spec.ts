import { CrawlStage } from '../../support/crawl-stage.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';

describe('an instance that is not wanted any more', () => {
  let on: AppUnderTest;
  let stage: CrawlStage;

  beforeAll(async () => {
    on = await startApp();
    stage = await CrawlStage.of(on);
  });
  beforeEach(() => {
    stage.driver.instances = 2;
    stage.driver.script({ pagesPerSeed: 40, pageSeconds: 5 });
  });
  afterAll(() => on.close());

  /** A crawl in two instances, both up. */
  const aCrawlOfTwo = async () => {
    const crawlId = await stage.aCrawl({ browserWindows: 4 });
    await stage.until(crawlId, 'running');
    const job = stage.driver.run(crawlId);
    for (let looks = 0; job?.instances.running().length !== 2; looks += 1) {
      expect(looks).toBeLessThan(30);
      await stage.pass(5, 5);
    }
    return { crawlId, instances: job.instances };
  };
  const indexesOf = async (crawlId: string) =>
    (await stage.driver.observe(crawlId)).instances.map(({ index }) => index);

  it('and crashed comes up again for what it holds, is let go, and the crawl ends', async () => {
    const { crawlId, instances } = await aCrawlOfTwo();
    instances.crash(1, 10, on.clock.nowMs());
    stage.driver.instances = 1;
    await stage.pass(5, 5);
    expect(await indexesOf(crawlId)).toEqual([0, 1]);
    await stage.until(crawlId, 'complete');
  });

  it('and ended badly with nothing left to upload is let go, and the crawl ends', async () => {
    const { crawlId, instances } = await aCrawlOfTwo();
    instances.end(1, 11, 'interrupted', on.clock.nowMs());
    stage.driver.instances = 1;
    await stage.pass(10, 5);
    expect(await indexesOf(crawlId)).toEqual([0]);
    await stage.until(crawlId, 'complete');
  });
});
