import type { ApiClient } from '../../support/api-client.js';
import { CrawlStage } from '../../support/crawl-stage.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';

describe('QA runs', () => {
  let on: AppUnderTest;
  let stage: CrawlStage;
  let api: ApiClient;
  const path = (crawlId: string, rest = '') => `/orgs/${stage.oid}/crawls/${crawlId}${rest}`;

  beforeAll(async () => {
    on = await startApp();
    stage = await CrawlStage.of(on);
    api = await on.admin();
  });
  beforeEach(() => {
    let page = 0;
    stage.driver.script({
      pagesPerSeed: 3,
      pageSeconds: 1,
      comparison: () => ({
        screenshotMatch: [1, 0.85, 0][page % 3],
        textMatch: [1, 1, 0][page++ % 3],
        resourceCounts: { crawlGood: 4, crawlBad: 0, replayGood: 4, replayBad: 0 },
      }),
    });
  });
  afterAll(() => on?.close());

  const aCompleteCrawl = async () => {
    const crawlId = await stage.aCrawl();
    await stage.until(crawlId, 'complete');
    return crawlId;
  };
  const start = async (crawlId: string): Promise<string> => {
    const { status, body } = await api.post(path(crawlId, '/qa/start'));
    expect([status, body]).toEqual([200, { started: expect.stringMatching(/^qa-\d{14}-/) }]);
    return body.started;
  };
  const untilSettled = async (crawlId: string) => {
    for (let round = 0; round < 100; round++) {
      if (!(await stage.item(crawlId)).qa) return;
      await stage.pass(5, 1);
    }
    throw new Error('the QA run did not end');
  };
  const aQaRun = async () => {
    const crawlId = await aCompleteCrawl();
    const run = await start(crawlId);
    await untilSettled(crawlId);
    return { crawlId, run };
  };
  const bytesStored = async () => (await api.get(`/orgs/${stage.oid}`)).body.bytesStored as number;

  it('are active first, then among the finished, the latest first', async () => {
    const crawlId = await aCompleteCrawl();
    expect((await api.get(path(crawlId, '/qa/activeQA'))).body).toEqual({ qa: null });
    const first = await start(crawlId);
    await stage.pass(2, 1);
    expect((await api.get(path(crawlId, '/qa/activeQA'))).body.qa).toMatchObject({ id: first, finished: null });
    await untilSettled(crawlId);
    const second = await start(crawlId);
    const ids = async (query = {}) =>
      (await api.get(path(crawlId, '/qa'), query)).body.map((run: { id: string }) => run.id);
    expect(await ids()).toEqual([second, first]);
    expect(await ids({ skipFailed: true })).toEqual([first]);
    await untilSettled(crawlId);
    expect(await ids()).toEqual([second, first]);
    const [latest] = (await api.get(path(crawlId, '/qa'))).body;
    expect(latest).toMatchObject({ id: second, state: 'complete', userName: 'admin', stats: { done: 3, found: 3 } });
  });

  it('store their findings with the pages, and show how they are spread', async () => {
    const { crawlId, run } = await aQaRun();
    const stats = await api.get(path(crawlId, `/qa/${run}/stats`), {
      screenshotThresholds: '0.7,0.9',
      textThresholds: '0.5',
    });
    expect(stats.body).toEqual({
      screenshotMatch: [
        { lowerBoundary: '0.0', count: 1 },
        { lowerBoundary: '0.7', count: 1 },
        { lowerBoundary: '0.9', count: 1 },
      ],
      textMatch: [
        { lowerBoundary: '0.0', count: 1 },
        { lowerBoundary: '0.5', count: 2 },
      ],
    });
    const matches = async (query: object) =>
      (await api.get(path(crawlId, `/qa/${run}/pages`), query as never)).body.items.map(
        (page: { qa: { screenshotMatch: number } }) => page.qa.screenshotMatch,
      );
    expect(await matches({ qaFilterBy: 'screenshotMatch', lt: 0.9, sortBy: 'screenshotMatch' })).toEqual([0.85, 0]);
    expect(await matches({ filterQABy: 'screenshotMatch', lte: 0 })).toEqual([0]);
    expect(await matches({ qaFilterBy: 'textMatch', gte: 1, sortBy: 'screenshotMatch', sortDirection: 1 })).toEqual([
      0.85, 1,
    ]);
    expect(await api.get(path(crawlId, `/qa/${run}/pages`), { qaFilterBy: 'textMatch' })).toMatchObject({
      status: 400,
      body: { detail: 'range_missing' },
    });
  });

  it.each([
    [{ screenshotThresholds: 'x', textThresholds: '0.5' }, 400, 'invalid_thresholds'],
    [{ screenshotThresholds: '0.5', textThresholds: '' }, 400, 'missing_thresholds'],
    [{ screenshotThresholds: '1.5', textThresholds: '0.5' }, 400, 'invalid_thresholds'],
  ])('refuse thresholds %j', async (query, status, detail) => {
    const { crawlId, run } = await aQaRun();
    expect(await api.get(path(crawlId, `/qa/${run}/stats`), query)).toMatchObject({ status, body: { detail } });
    expect((await api.get(path(crawlId, `/qa/${run}/stats`))).status).toBe(422);
  });

  it('have files to replay and to download', async () => {
    const { crawlId, run } = await aQaRun();
    const replay = await api.get(path(crawlId, `/qa/${run}/replay.json`));
    expect(replay.body).toMatchObject({
      id: run,
      files: [],
      fileCount: 1,
      resources: [{ crawlId: run, expireAt: expect.any(String) }],
    });
    expect((await api.get(`/orgs/all/crawls/${crawlId}/qa/${run}/replay.json`)).body.id).toBe(run);
    const download = await api.fetch('GET', path(crawlId, `/qa/${run}/download`));
    expect(download.headers.get('content-type')).toBe('application/wacz+zip');
    expect(download.headers.get('content-disposition')).toContain(`-crawl-${crawlId}.wacz`);
    const bytes = Buffer.from(await download.arrayBuffer());
    expect(bytes.subarray(0, 2).toString()).toBe('PK');
    expect(bytes.toString('latin1')).toContain('"type": "qaRun"');
  });

  it('can be stopped, and keep what they have', async () => {
    const crawlId = await aCompleteCrawl();
    stage.driver.script({ pageSeconds: 30 });
    const run = await start(crawlId);
    await stage.pass(40, 5);
    expect((await api.post(path(crawlId, '/qa/stop'))).body).toEqual({ success: true });
    await untilSettled(crawlId);
    const [ended] = (await api.get(path(crawlId, '/qa'))).body;
    expect(ended).toMatchObject({ id: run, state: 'stopped_by_user' });
    expect(await api.post(path(crawlId, '/qa/stop'))).toMatchObject({
      status: 400,
      body: { detail: 'qa_not_running' },
    });
  });

  it('can be cancelled, and leave no findings', async () => {
    const crawlId = await aCompleteCrawl();
    stage.driver.script({ pageSeconds: 10 });
    const before = await bytesStored();
    const run = await start(crawlId);
    await stage.pass(15, 5);
    expect((await api.post(path(crawlId, '/qa/cancel'))).body).toEqual({ success: true });
    await untilSettled(crawlId);
    expect((await api.get(path(crawlId, '/qa'))).body).toMatchObject([{ id: run, state: 'canceled' }]);
    expect((await api.get(path(crawlId, `/qa/${run}/pages`))).body.total).toBe(0);
    expect(await bytesStored()).toBe(before);
  });

  it('are deleted with findings, files and their part of the storage', async () => {
    const crawlId = await aCompleteCrawl();
    const before = await bytesStored();
    const run = await start(crawlId);
    await untilSettled(crawlId);
    expect(await bytesStored()).toBeGreaterThan(before);
    const unknown = await api.post(path(crawlId, '/qa/delete'), { qa_run_ids: [run, 'qa-20200101000000-none'] });
    expect(unknown).toMatchObject({ status: 404, body: { detail: 'crawl_qa_not_found' } });
    expect((await api.get(path(crawlId, '/qa'))).body).toHaveLength(1);
    expect((await api.post(path(crawlId, '/qa/delete'), { qa_run_ids: [run, run] })).body).toEqual({ deleted: 1 });
    expect(await bytesStored()).toBe(before);
    expect((await api.get(path(crawlId, `/qa/${run}/pages`))).body.total).toBe(0);
    expect((await api.get(path(crawlId, `/qa/${run}/replay.json`))).status).toBe(404);
  });

  it('one at a time, whoever asks at the same moment', async () => {
    const crawlId = await aCompleteCrawl();
    const answers = await Promise.all([1, 2, 3, 4].map(() => api.post(path(crawlId, '/qa/start'))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    expect(answers.find(({ status }) => status === 400)?.body).toEqual({ detail: 'qa_already_running' });
    await untilSettled(crawlId);
  });

  it('need a finished, successful crawl of a crawler from 1.1.0 on', async () => {
    const running = await stage.aCrawl();
    const refused = async (crawlId: string) => (await api.post(path(crawlId, '/qa/start'))).body.detail;
    expect(await refused(running)).toBe('crawl_not_finished');
    await stage.until(running, 'complete');
    const set = (fields: object) =>
      on.connection.collection('crawls').updateOne({ _id: running as never }, { $set: fields });
    await set({ state: 'canceled' });
    expect(await refused(running)).toBe('crawl_did_not_succeed');
    await set({ state: 'complete', image: 'webrecorder/browsertrix-crawler:1.0.4' });
    expect(await refused(running)).toBe('qa_not_supported_for_crawl');
    await set({ image: 'webrecorder/browsertrix-crawler:1.1.0-beta.5' });
    await stage.setOrg({ readOnly: true });
    expect(await refused(running)).toBe('org_set_to_read_only');
    await stage.setOrg({ readOnly: false });
    expect(await refused('manual-20200101000000-none')).toBe('Crawl not found: manual-20200101000000-none');
    await start(running);
    await untilSettled(running);
  });
});
