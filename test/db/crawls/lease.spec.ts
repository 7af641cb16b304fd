import { jest } from '@jest/globals';
import { minutes, seconds } from '../../../src/common/units/durations.js';
import { CrawlJobsRepository } from '../../../src/crawls/data/crawl-jobs.repository.js';
import { LeaseLost, type HeldRun } from '../../../src/crawls/data/held-run.js';
import { eventually } from '../../support/eventually.js';
import { CrawlStage } from '../../support/crawl-stage.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';

describe('a job whose process has died', () => {
  let on: AppUnderTest;
  let stage: CrawlStage;
  let jobs: CrawlJobsRepository;

  beforeAll(async () => {
    on = await startApp();
    stage = await CrawlStage.of(on);
    jobs = on.app.get(CrawlJobsRepository, { strict: false });
  });
  afterAll(() => on.close());

  /** A process claims the job and is not heard of again. */
  async function claimedByTheDead(jobId: string): Promise<HeldRun> {
    const held = await jobs.claimOne(jobId);
    if (!held) throw new Error('somebody holds the job');
    const leaseUntil = new Date(on.clock.nowMs() + minutes(1));
    await on.connection.collection('crawl_jobs').updateOne({ _id: jobId as never }, { $set: { leaseUntil } });
    return held;
  }

  it('is left alone until its lease is over, then taken over; what the first one still writes is refused', async () => {
    stage.driver.script({ pagesPerSeed: 60, pageSeconds: 5 });
    const crawlId = await stage.aCrawl();
    await stage.until(crawlId, 'running');
    const held = await claimedByTheDead(crawlId);
    const before = await stage.item(crawlId);

    await stage.pass(50);
    expect(await stage.supervisor.evaluateNow(crawlId)).toBe(false);
    expect((await stage.item(crawlId)).stats).toEqual(before.stats);

    await stage.pass(20);
    const after = await stage.item(crawlId);
    expect(after.stats?.done).toBeGreaterThan(before.stats?.done ?? 0);
    const late = held.change({ filesAdded: 1, filesAddedSize: 1000, stopReason: 'time-limit' });
    await expect(late).rejects.toThrow(LeaseLost);
    expect(held.job).toMatchObject({ filesAdded: 0, stopReason: null });
    await expect(held.renew()).rejects.toThrow(LeaseLost);
    await jobs.release(held.lease, { dueAt: new Date(on.clock.nowMs() + minutes(9)), failures: 0 }, on.clock.now());
    expect(await jobs.remove(held.lease)).toBe(false);
    expect(await stage.job(crawlId)).toMatchObject({ filesAdded: 0, stopReason: null });

    const done = await stage.until(crawlId, 'complete');
    expect(done).toMatchObject({ fileCount: 1, stats: { found: 60, done: 60 } });
    const ran = (done.finished?.getTime() ?? 0) - (done._lut?.getTime() ?? 0);
    expect(ran).toBeLessThanOrEqual(seconds(10));
    expect((await stage.org()).crawlExecSeconds?.['2020-11']).toBe(done.crawlExecSeconds);
  });

  it('is free within ten seconds, however long it was being looked at', async () => {
    stage.driver.script({ pagesPerSeed: 60, pageSeconds: 5 });
    const crawlId = await stage.aCrawl();
    await stage.until(crawlId, 'running');
    let answer!: () => void;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const observe = stage.driver.observe.bind(stage.driver);
    const slow = jest.spyOn(stage.driver, 'observe').mockImplementationOnce(async (id) => {
      await answered;
      return observe(id);
    });
    const look = stage.supervisor.evaluateNow(crawlId);
    try {
      for (let i = 0; i < 2; i += 1) {
        on.clock.advance(seconds(7));
        const freeIn = async () => ((await stage.job(crawlId))?.leaseUntil.getTime() ?? 0) - on.clock.nowMs();
        await eventually(async () => expect(await freeIn()).toBeGreaterThan(seconds(5)));
        expect(await freeIn()).toBeLessThanOrEqual(seconds(9));
      }
      expect(await stage.supervisor.evaluateNow(crawlId)).toBe(false);
    } finally {
      answer();
      slow.mockRestore();
    }
    expect(await look).toBe(true);
    expect(await stage.job(crawlId)).toMatchObject({ leaseId: null });
  });

  it('is taken over by another process on the same database, which ends it', async () => {
    stage.driver.script({ pagesPerSeed: 4, pageSeconds: 5 });
    const crawlId = await stage.aCrawl();
    await stage.until(crawlId, 'running');
    await claimedByTheDead(crawlId);
    const other = await startApp({ like: on });
    const second = await CrawlStage.of(other);
    try {
      second.driver.script({ pagesPerSeed: 4, pageSeconds: 5 });
      await second.pass(30);
      expect(await second.driver.list()).not.toContain(crawlId);
      await second.pass(40);
      expect(await second.driver.list()).toContain(crawlId);
      expect((await second.until(crawlId, 'complete')).fileCount).toBe(1);
    } finally {
      await other.stop();
    }
  });
});
