import { mongo } from 'mongoose';
import type { ApiClient } from '../../support/api-client.js';
import { newId } from '../../../src/common/ids/uuid.js';
import { CrawlRunKind } from '../../../src/crawls/crawl-kind/crawl-run-kind.js';
import { CrawlLogsRepository } from '../../../src/crawls/data/crawl-logs.repository.js';
import type { CrawlLog } from '../../../src/crawls/data/crawl-log.schema.js';
import type { CrawlerPage } from '../../../src/drivers/crawl-driver.types.js';
import { titleIndexOf } from '../../../src/pages/data/title-words.facts.js';
import { CrawlStage } from '../../support/crawl-stage.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';

const crawlerPages = (count: number): CrawlerPage[] =>
  Array.from({ length: count }, (_, n) => ({
    ...{ id: newId(), url: `https://example.org/more-${n}`, title: `Towns of number ${n}` },
    ...{ loadState: 2, ts: '2026-01-01T00:00:00.000Z' },
  }));

describe('crawls over HTTP', () => {
  let on: AppUnderTest;
  let stage: CrawlStage;
  let api: ApiClient;
  const path = (rest = '') => `/orgs/${stage.oid}/crawls${rest}`;

  beforeAll(async () => {
    on = await startApp();
    stage = await CrawlStage.of(on);
    api = await on.admin();
  });
  beforeEach(() => stage.driver.script({ pagesPerSeed: 3, pageSeconds: 1 }));
  afterAll(() => on.close());

  it('shows a finished crawl with its files, pages and counts', async () => {
    const crawlId = await stage.aCrawl({ name: 'Shown' });
    await stage.until(crawlId, 'complete');
    const got = await api.get(path(`/${crawlId}`));
    expect(got.body).toMatchObject({ id: crawlId, type: 'crawl', state: 'complete', fileCount: 1, pageCount: 3 });
    expect(got.body).not.toHaveProperty('files');
    const replay = await api.get(path(`/${crawlId}/replay.json`));
    expect(replay.status).toBe(200);
    expect(replay.body.resources).toHaveLength(1);
    expect(replay.body.initialPages).toHaveLength(3);
    expect(replay.body.pagesQueryUrl).toContain(`/api/orgs/${stage.oid}/crawls/${crawlId}/pagesSearch`);
    const file = await api.fetch('GET', replay.body.resources[0].path);
    expect(Number(file.headers.get('content-length'))).toBe(replay.body.resources[0].size);
    await file.body?.cancel();
  });

  it('gives the titles of its pages the words that they are searched by: at once, those of a backlog at its end', async () => {
    const crawlId = await stage.aCrawl();
    const stored = await stage.job(crawlId);
    if (!stored) throw new Error('the crawl has no job');
    const job = { ...stored, oid: stage.oid };
    const kind = on.app.get(CrawlRunKind, { strict: false });
    const pages = on.connection.collection('pages');
    const numbers = async () => [
      await pages.countDocuments({ crawl_id: crawlId, titleTerms: { $ne: null } }),
      await pages.countDocuments({ crawl_id: crawlId, titleTerms: null }),
    ];
    await kind.ingestPages(job, crawlerPages(4));
    expect(await numbers()).toEqual([4, 0]);
    await kind.ingestPages(job, crawlerPages(250));
    expect(await numbers()).toEqual([4, 250]);

    await stage.until(crawlId, 'complete');
    for (let n = 0; n < 60 && (await stage.job(crawlId)); n += 1) await stage.pass(10);
    expect(await stage.job(crawlId)).toBeNull();
    const all = await pages.find({ crawl_id: crawlId }).toArray();
    expect(all).toHaveLength(3 + 254);
    for (const { title, titleTerms, titleLength } of all)
      expect({ titleTerms, titleLength }).toEqual(titleIndexOf(title as string | null));
  });

  it('lists crawls by state, workflow and tag, and refuses unknown sorts', async () => {
    const workflow = await stage.aWorkflow({ tags: ['a', 'b'] });
    const crawlId = await stage.start(workflow);
    const ids = async (query: Record<string, string | string[]>): Promise<string[]> =>
      (await api.get(path(), query)).body.items.map(({ id }: { id: string }) => id);
    expect(await ids({ cid: workflow._id })).toEqual([crawlId]);
    expect(await ids({ cid: workflow._id, state: 'starting,running' })).toEqual([crawlId]);
    expect(await ids({ cid: workflow._id, state: ['complete', 'starting'] })).toEqual([crawlId]);
    expect(await ids({ cid: workflow._id, state: 'nonsense' })).toEqual([]);
    expect(await ids({ tags: ['a', 'b'] })).toEqual([crawlId]);
    expect(await ids({ tags: ['a', 'c'] })).toEqual([]);
    expect(await ids({ tags: ['a', 'c'], tagMatch: 'or' })).toEqual([crawlId]);
    expect((await api.get(path(), { sortBy: 'nonsense' })).body).toEqual({ detail: 'invalid_sort_by' });
    expect((await api.get(path(), { sortBy: 'started', sortDirection: 0 })).body).toEqual({
      detail: 'invalid_sort_direction',
    });
  });

  it('lists the crawls of all orgs for superusers, those that run unless asked otherwise', async () => {
    const done = await stage.aCrawl();
    await stage.until(done, 'complete');
    const runs = await stage.aCrawl();
    const ids = async (query: Record<string, string | string[]>): Promise<string[]> => {
      const { items, total } = (await api.get('/orgs/all/crawls', query)).body;
      expect(items).toHaveLength(total);
      return items.map(({ id }: { id: string }) => id);
    };
    expect(await ids({})).toContain(runs);
    expect(await ids({})).not.toContain(done);
    expect(await ids({ runningOnly: 'false', sortBy: 'started' })).toEqual(expect.arrayContaining([runs, done]));
    for (const state of [
      'complete,starting,running',
      ['complete', 'starting', 'running'],
      ['complete', 'starting,running'],
    ])
      expect(await ids({ state, sortBy: 'pageCount' })).toEqual(expect.arrayContaining([runs, done]));
    expect(await ids({ state: 'complete' })).not.toContain(runs);
    expect(await ids({ state: '' })).not.toContain(done);
    expect(await ids({ state: 'nonsense' })).toEqual([]);
    expect((await api.get('/orgs/all/crawls', { sortBy: 'nonsense' })).body).toEqual({ detail: 'invalid_sort_by' });
    expect((await on.api.get('/orgs/all/crawls')).status).toBe(401);
  });

  it('answers for unknown and malformed ids', async () => {
    expect(await api.get(path('/manual-20200101000000-abc'))).toMatchObject({
      status: 404,
      body: { detail: 'crawl_not_found' },
    });
    expect(await api.get(path('/manual-20200101000000-abc/replay.json'))).toMatchObject({
      status: 404,
      body: { detail: 'Crawl not found: manual-20200101000000-abc' },
    });
    const queries = [
      ['GET', '/queue', { offset: '0', count: '5' }],
      ['GET', '/queueMatchAll', { regex: 'x' }],
      ['POST', '/exclusions', { regex: 'x' }],
      ['DELETE', '/exclusions', { regex: 'x' }],
    ] as const;
    for (const [method, rest, query] of queries)
      expect(await api.call(method, path(`/manual-20200101000000-abc${rest}`), { query })).toMatchObject({
        status: 404,
        body: { detail: 'Crawl not found: manual-20200101000000-abc' },
      });
    const bad = await api.get(path('/nonsense!'));
    expect(bad.status).toBe(422);
    expect(bad.body.detail[0]).toMatchObject({ type: 'uuid_parsing', loc: ['path', 'crawl_id'] });
  });

  it('stops a running crawl, which then keeps its pages', async () => {
    stage.driver.script({ pagesPerSeed: 100, pageSeconds: 5 });
    const crawlId = await stage.aCrawl();
    await stage.until(crawlId, 'running');
    await stage.pass(30);
    expect((await api.post(path(`/${crawlId}/stop`))).body).toEqual({ success: true });
    expect((await api.get(path(`/${crawlId}`))).body).toMatchObject({ stopping: true });
    const done = await stage.until(crawlId, 'stopped_by_user');
    expect(done.fileCount).toBe(1);
    expect(await api.post(path(`/${crawlId}/stop`))).toMatchObject({
      status: 400,
      body: { detail: 'crawl_not_running' },
    });
  });

  it('cancels a crawl and keeps nothing of it, however often it is asked', async () => {
    stage.driver.script({ pagesPerSeed: 100, pageSeconds: 5 });
    const crawlId = await stage.aCrawl();
    await stage.until(crawlId, 'running');
    await stage.pass(20);
    expect((await api.post(path(`/${crawlId}/cancel`))).body).toEqual({ success: true });
    await stage.until(crawlId, 'canceled');
    await stage.pass(10, 1);
    expect((await api.post(path(`/${crawlId}/cancel`))).body).toEqual({ success: true });
    expect(await stage.item(crawlId)).toMatchObject({ files: [], fileSize: 0, fileCount: 0 });
    expect((await api.get(path(`/${crawlId}/pages`))).body.total).toBe(0);
    expect(await stage.job(crawlId)).toBeNull();
  });

  it('pauses with its files kept, and goes on where it was', async () => {
    stage.driver.script({ pagesPerSeed: 20, pageSeconds: 5 });
    const crawlId = await stage.aCrawl();
    await stage.until(crawlId, 'running');
    await stage.pass(20);
    expect((await api.post(path(`/${crawlId}/pause`))).body).toEqual({ success: true });
    expect((await api.get(path(`/${crawlId}`))).body).toMatchObject({ shouldPause: true });
    await stage.until(crawlId, 'paused');
    const paused = await api.get(path(`/${crawlId}/replay.json`));
    expect(paused.body.resources).toHaveLength(1);
    const { done } = paused.body.stats;
    await stage.pass(120);
    expect((await stage.item(crawlId)).stats?.done).toBe(done);
    expect((await api.post(path(`/${crawlId}/resume`))).body).toEqual({ success: true });
    const finished = await stage.until(crawlId, 'complete');
    expect(finished).toMatchObject({ fileCount: 2, pageCount: 20, pausedAt: null, shouldPause: false });
    expect(await api.post(path(`/${crawlId}/pause`))).toMatchObject({
      status: 404,
      body: { detail: 'crawl_not_found' },
    });
  });

  it('changes the windows of a running crawl within the deployment’s limits', async () => {
    stage.driver.script({ pagesPerSeed: 100, pageSeconds: 5 });
    const crawlId = await stage.aCrawl();
    await stage.until(crawlId, 'running');
    const scale = (body: object) => api.post(path(`/${crawlId}/scale`), body);
    expect(await scale({})).toMatchObject({ status: 400, body: { detail: 'browser_windows_or_scale_required' } });
    expect((await scale({ browserWindows: 9 })).status).toBe(422);
    expect((await scale({ browserWindows: '3' })).status).toBe(422);
    expect((await scale({ scale: 2 })).body).toEqual({ scaled: true, browserWindows: 4 });
    expect((await scale({ scale: 1, browserWindows: 3 })).body).toEqual({ scaled: true, browserWindows: 3 });
    expect((await api.get(path(`/${crawlId}`))).body).toMatchObject({ browserWindows: 3, scale: 2 });
    await stage.pass(10);
    expect(stage.driver.run(crawlId)?.jobSpec.browserWindows).toBe(3);
    await api.post(path(`/${crawlId}/cancel`));
    await stage.until(crawlId, 'canceled');
  });

  it('shows the queue and what a regular expression finds in it', async () => {
    stage.driver.script({
      urls: Array.from({ length: 120 }, (_, i) => `https://site.example/${i}`),
      pageSeconds: 1000,
    });
    const crawlId = await stage.aCrawl();
    await stage.until(crawlId, 'running');
    const window = await api.get(path(`/${crawlId}/queue`), { offset: 10, count: 5, regex: '1[24]$' });
    expect(window.body).toEqual({
      total: 120,
      results: [10, 11, 12, 13, 14].map((i) => `https://site.example/${i}`),
      matched: ['https://site.example/12', 'https://site.example/14'],
    });
    const all = await api.get(path(`/${crawlId}/queueMatchAll`), { regex: '/1\\d\\d$' });
    expect(all.body).toMatchObject({ total: 120, nextOffset: -1 });
    expect(all.body.matched).toHaveLength(20);
    expect((await api.get(path(`/${crawlId}/queue`), { count: 5 })).status).toBe(422);
    expect(await api.get(path(`/${crawlId}/queue`), { offset: 0, count: 5, regex: '[' })).toMatchObject({
      status: 400,
      body: { detail: 'invalid_regex' },
    });
    const endless = await api.get(path(`/${crawlId}/queueMatchAll`), { regex: '([a-z/:.]+)+#' });
    expect(endless.status).toBe(400);
    await api.post(path(`/${crawlId}/cancel`));
    await stage.until(crawlId, 'canceled');
    expect(await api.get(path(`/${crawlId}/queue`), { offset: 0, count: 5 })).toMatchObject({
      status: 400,
      body: { detail: 'crawl_not_running' },
    });
  });

  it('keeps error and behavior lines apart, in order, each once', async () => {
    stage.driver.script({ pagesPerSeed: 50, pageSeconds: 5 });
    const crawlId = await stage.aCrawl();
    await stage.until(crawlId, 'running');
    const line = (n: number, fields: object) =>
      JSON.stringify({ timestamp: `2020-11-21T08:00:0${n}.500Z`, message: `m${n}`, details: {}, ...fields });
    const job = stage.driver.run(crawlId);
    job?.emit({ type: 'error', line: line(2, { logLevel: 'error', context: 'general', details: { page: 'x' } }) });
    job?.emit({ type: 'error', line: line(1, { logLevel: 'fatal', context: 'general' }) });
    job?.emit({ type: 'error', line: line(3, { logLevel: 'interrupt', context: 'general' }) });
    job?.emit({ type: 'error', line: 'not json' });
    job?.emit({ type: 'behavior', line: line(4, { logLevel: 'info', context: 'behavior', details: 'text' }) });
    await stage.pass(10);
    const errors = await api.get(path(`/${crawlId}/errors`));
    expect(errors.body.total).toBe(2);
    expect(errors.body.items).toMatchObject([
      { message: 'm1', details: null, timestamp: '2020-11-21T08:00:01.500000Z' },
      { message: 'm2', details: { page: 'x' } },
    ]);
    const behaviors = await api.get(path(`/${crawlId}/behaviorLogs`));
    expect(behaviors.body.items).toMatchObject([{ message: 'm4', details: { items: 'text' }, qaRunId: null }]);
    expect((await api.get(path('/manual-20200101000000-abc/errors'))).body).toMatchObject({ total: 0, items: [] });
    await api.post(path(`/${crawlId}/cancel`));
    await stage.until(crawlId, 'canceled');
  });

  it('pages lines of errors without gap or repeat, in both directions, however often they are handed over', async () => {
    const logs = on.app.get(CrawlLogsRepository, { strict: false });
    const crawlId = 'manual-20201121080000-0123456789a';
    const aLine = (n: number, qaRunId: string | null = null): CrawlLog => ({
      _id: `00000000-0000-4000-8000-${qaRunId ? '1' : '0'}${String(n).padStart(11, '0')}`,
      crawlId,
      oid: stage.oid,
      qaRunId,
      timestamp: new Date(Date.UTC(2026, 10, 21) + n * 1000),
      logLevel: n % 3 === 0 ? 'info' : 'error',
      context: n % 2 === 0 ? 'behavior' : 'general',
      message: `m${String(n)}`,
      details: null,
    });
    const lines = Array.from({ length: 30 }, (_, n) => aLine(n));
    await Promise.all([logs.insertNew(lines.slice(0, 12)), logs.insertNew(lines.slice(6, 15).reverse())]);
    await logs.insertNew(lines.slice(10));
    await logs.insertNew(lines.map((_line, n) => aLine(n, 'qa-20201121080000-0123456789a')));
    const listed = async (list: string, sortDirection: number, pageSize: number): Promise<string[]> => {
      const found: string[] = [];
      for (let page = 1; page <= 30 / pageSize + 1; page += 1) {
        const { body } = await api.get(path(`/${crawlId}/${list}`), { page, pageSize, sortDirection });
        expect(body.total).toBe(list === 'errors' ? 20 : 15);
        found.push(...(body.items as { message: string }[]).map(({ message }) => message));
      }
      return found;
    };
    for (const [list, isOf] of [
      ['errors', (n: number) => n % 3 !== 0],
      ['behaviorLogs', (n: number) => n % 2 === 0],
    ] as const) {
      const expected = lines.flatMap(({ message }, n) => (isOf(n) ? [message] : []));
      for (const pageSize of [7, 20]) {
        const forth = await listed(list, 1, pageSize);
        expect([...forth].sort()).toEqual([...expected].sort());
        expect(await listed(list, -1, pageSize)).toEqual([...forth].reverse());
      }
    }
    expect((await listed('errors', 1, 20)).slice(-5)).toEqual(['m23', 'm25', 'm26', 'm28', 'm29']);
  });

  it('lists lines of the reference, which have no numbers, by their time', async () => {
    const crawlId = 'manual-20201121080000-fedcba98765';
    const line = (n: number) => ({
      _id: new mongo.UUID(),
      crawlId,
      oid: new mongo.UUID(stage.oid),
      qaRunId: null,
      timestamp: new Date(Date.UTC(2026, 10, 21) + n * 1000),
      logLevel: 'error',
      context: 'general',
      message: `m${String(n)}`,
      details: null,
    });
    await on.connection.collection<{ _id: mongo.UUID }>('crawl_logs').insertMany([3, 1, 2].map(line));
    const { body } = await api.get(path(`/${crawlId}/errors`), { pageSize: 2 });
    expect(body).toMatchObject({ total: 3, items: [{ message: 'm1' }, { message: 'm2' }] });
  });
});
