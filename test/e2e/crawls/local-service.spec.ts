import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { WebSocket } from 'ws';
import { browsersBelow } from '../../../src/drivers/local/processes.js';
import type { ApiClient } from '../../support/api-client.js';
import { builtCrawler } from '../../support/build-crawler.js';
import { eventually } from '../../support/eventually.js';
import { HeldSite } from '../../support/held-site.js';
import { pagesReplayed } from '../../support/replayed.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';
import { faultsOf, WaczFile } from '../../support/wacz-file.js';

const BOUND_MS = 120_000;
const numbered = (folder: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `/${folder}/${String(i + 1)}`);

describe('crawls of the service with the real local driver', () => {
  jest.setTimeout(360_000);
  let on: AppUnderTest;
  let api: ApiClient;
  let oid: string;
  let site: HeldSite;

  const serve = (like?: AppUnderTest): Promise<AppUnderTest> =>
    startApp({
      env: {
        CRAWL_DRIVER: 'local',
        ALLOW_PRIVATE_ADDRESSES: 'crawls',
        CHROMIUM_PATH: process.env['CHROMIUM_PATH'] ?? '',
      },
      schedules: true,
      realTime: true,
      ...(like ? { like } : {}),
    });

  beforeAll(async () => {
    await builtCrawler();
    on = await serve();
    api = await on.admin();
    oid = await on.defaultOrgId();
  });
  afterEach(async () => {
    await site.close();
    await eventually(async () => expect(await browsersBelow(join(on.dataDir, 'work'))).toEqual([]), BOUND_MS);
  });
  afterAll(() => on.close());

  const crawlPath = (crawlId: string, rest = ''): string => `/orgs/${oid}/crawls/${crawlId}${rest}`;
  const shown = async (crawlId: string): Promise<any> => (await api.get(crawlPath(crawlId))).body;

  async function start(
    pages: Record<string, readonly string[]>,
    browserWindows = 1,
    seeds: readonly string[] = ['/'],
    behaviors = '',
  ): Promise<{ id: string; cid: string }> {
    site = await HeldSite.start(pages);
    const config = { seeds: seeds.map((path) => ({ url: site.url + path })), scopeType: 'prefix', behaviors };
    const made = await api.post(`/orgs/${oid}/crawlconfigs/`, { name: 'Held', config, browserWindows, runNow: true });
    expect(made.body).toMatchObject({ added: true, errorDetail: null });
    return { id: made.body.run_now_job as string, cid: made.body.id as string };
  }

  const until = (crawlId: string, state: string): Promise<any> =>
    eventually(
      async () => {
        const crawl = await shown(crawlId);
        expect(crawl.state).toBe(state);
        return crawl;
      },
      BOUND_MS,
      200,
    );
  const waitsFor = (count: number): Promise<void> =>
    eventually(() => expect(site.waiting).toHaveLength(count), BOUND_MS);
  /** Answers pages one after the other. */
  async function visit(count: number): Promise<void> {
    for (let i = 0; i < count; i += 1) {
      await waitsFor(1);
      site.release();
    }
  }
  const ask = async (crawlId: string, what: string): Promise<void> => {
    expect(await api.post(crawlPath(crawlId, `/${what}`))).toMatchObject({ status: 200, body: { success: true } });
  };

  /** The crawler has been told, so that it takes no further page once the one in flight is answered. */
  const passedOn = (crawlId: string, request: string): Promise<void> =>
    eventually(async () => {
      const record = await readFile(join(on.dataDir, 'work', '.driver', `${crawlId}.json`), 'utf8');
      expect(JSON.parse(record)).toMatchObject({ request });
    }, BOUND_MS);

  /** Paths of the pages in the crawl's WACZs, each held to the validators; what they hold is replayed. */
  async function archived(crawlId: string): Promise<string[]> {
    const { body } = await api.get(crawlPath(crawlId, '/replay.json'));
    const folder = await mkdtemp(join(tmpdir(), 'muniment-held-'));
    const files: string[] = [];
    const paths: string[] = [];
    for (const { name, path } of body.resources as { name: string; path: string }[]) {
      const response = await fetch(new URL(path, on.baseUrl));
      const file = join(folder, name);
      await writeFile(file, Buffer.from(await response.arrayBuffer()));
      expect(await faultsOf(file)).toEqual([]);
      files.push(file);
      paths.push(...new WaczFile(file).pages.map(({ url }) => new URL(String(url)).pathname));
    }
    expect(await pagesReplayed(files)).toBeGreaterThan(0);
    await rm(folder, { recursive: true });
    return paths.sort();
  }

  it('tells what the behaviors of its pages did', async () => {
    const { id } = await start({ '/': [] }, 1, ['/'], 'autoscroll');
    await visit(1);
    await until(id, 'complete');
    const { body } = await api.get(crawlPath(id, '/behaviorLogs'));
    expect(body).toMatchObject({
      total: 1,
      items: [{ logLevel: 'info', context: 'behavior', details: { page: `${site.url}/` } }],
    });
    expect(body.items[0].message).toMatch(/^Autoscroll: /);
  });

  it('is paused, outlives a restart of the service, goes on where it was, and has each page once', async () => {
    const links = numbered('page', 6);
    const { id } = await start({ '/': links, ...Object.fromEntries(links.map((path) => [path, []])) });
    await visit(3);
    await waitsFor(1);
    await ask(id, 'pause');
    await passedOn(id, 'pause');
    site.release();
    const paused = await until(id, 'paused');
    expect(paused).toMatchObject({ fileCount: 1, shouldPause: true, stats: { found: 7, done: 4 } });
    await on.stop();
    on = await serve(on);
    api = await on.admin();
    expect(await shown(id)).toMatchObject({ state: 'paused', pausedAt: paused.pausedAt, fileCount: 1 });
    site.open();
    await ask(id, 'resume');
    expect(await until(id, 'complete')).toMatchObject({ fileCount: 2, pageCount: 7, stats: { found: 7, done: 7 } });
    expect(await archived(id)).toEqual(['/', ...links]);
  });

  it('goes on after a restart of the service in the middle of a page', async () => {
    const links = numbered('page', 4);
    const { id } = await start({ '/': links, ...Object.fromEntries(links.map((path) => [path, []])) });
    await visit(2);
    await waitsFor(1);
    site.open();
    await on.stop();
    on = await serve(on);
    api = await on.admin();
    expect(await until(id, 'complete')).toMatchObject({ pageCount: 5, stats: { found: 5, done: 5 } });
    expect(await archived(id)).toEqual(['/', ...links]);
  });

  it('is stopped with the pages it has, the one in flight included', async () => {
    const links = numbered('page', 9);
    const { id } = await start({ '/': links, ...Object.fromEntries(links.map((path) => [path, []])) });
    await visit(2);
    await waitsFor(1);
    await ask(id, 'stop');
    expect((await shown(id)).stopping).toBe(true);
    await passedOn(id, 'stop');
    site.release();
    expect(await until(id, 'stopped_by_user')).toMatchObject({ fileCount: 1, pageCount: 3 });
    expect(await archived(id)).toEqual(['/', ...links.slice(0, 2)]);
  });

  it.each([1, 3])('is cancelled by a stop before its first page, of %i seeds', async (seeds) => {
    const links = numbered('page', seeds);
    const { id } = await start(Object.fromEntries(links.map((path) => [path, []])), 1, links);
    await ask(id, 'stop');
    expect(await until(id, 'canceled')).toMatchObject({ fileCount: 0, fileSize: 0, pageCount: 0 });
  });

  it('is cancelled at once and leaves nothing', async () => {
    const links = numbered('page', 3);
    const { id, cid } = await start({ '/': links, ...Object.fromEntries(links.map((path) => [path, []])) });
    await visit(2);
    await waitsFor(1);
    await ask(id, 'cancel');
    expect(await until(id, 'canceled')).toMatchObject({ fileCount: 0, fileSize: 0, pageCount: 0 });
    // The workflow is told by an event, after the crawl has changed.
    await eventually(async () => {
      const { body } = await api.get(`/orgs/${oid}/crawlconfigs/${cid}`);
      expect(body).toMatchObject({ isCrawlRunning: false, crawlCount: 1, crawlSuccessfulCount: 0, totalSize: 0 });
    });
    await eventually(async () =>
      expect(await api.get(crawlPath(id, '/queue'), { offset: 0, count: 9 })).toMatchObject({ status: 400 }),
    );
  });

  it('opens and closes windows while it runs', async () => {
    const links = numbered('page', 60);
    const { id, cid } = await start({ '/': links, ...Object.fromEntries(links.map((path) => [path, []])) });
    const scale = async (browserWindows: number): Promise<void> => {
      const answer = await api.post(crawlPath(id, '/scale'), { browserWindows });
      expect(answer).toMatchObject({ status: 200, body: { scaled: true, browserWindows } });
    };
    await visit(1);
    await waitsFor(1);
    await scale(3);
    await waitsFor(3);
    expect(await shown(id)).toMatchObject({ browserWindows: 3, scale: 2 });
    expect((await api.get(`/orgs/${oid}/crawlconfigs/${cid}`)).body.browserWindows).toBe(3);

    const seen: string[] = [];
    const viewers = [0, 1].map((index) => {
      const path = `/watch/${oid}/${id}/${String(index)}/ws?auth_bearer=${api.token ?? ''}`;
      const viewer = new WebSocket(`${on.baseUrl.replace('http', 'ws')}${path}`);
      viewer.on('message', (data: Buffer) => {
        const { msg, id: window } = JSON.parse(data.toString()) as { msg: string; id?: number };
        seen.push(`${msg} ${String(window ?? '')}`);
      });
      return viewer;
    });
    await eventually(() => expect(seen.filter((each) => each.startsWith('init'))).toHaveLength(2), BOUND_MS);
    await scale(1);
    // A window is closed after its page.
    await eventually(
      () => {
        site.release();
        expect(seen).toEqual(expect.arrayContaining(['close 1', 'close 2']));
      },
      BOUND_MS,
      500,
    );
    for (const viewer of viewers) viewer.close();
    for (let i = 0; i < 3; i += 1) {
      await waitsFor(1);
      const before = site.asked.length;
      site.release();
      await eventually(() => expect(site.asked.length).toBe(before + 1), BOUND_MS);
    }
    expect(site.waiting).toHaveLength(1);
    await ask(id, 'stop');
    await passedOn(id, 'stop');
    site.open();
    expect(await until(id, 'stopped_by_user')).toMatchObject({ browserWindows: 1 });
    expect(new Set(site.asked).size).toBe(site.asked.length);
    expect(await archived(id)).toContain('/');
  });

  it('takes exclusions for its queue, and their removal for links it finds later', async () => {
    const [a, b] = [numbered('a', 3), numbered('b', 3)];
    const { id, cid } = await start({
      '/': [...a, ...b],
      ...Object.fromEntries([...a, ...b].map((path) => [path, []])),
      '/a/3': ['/b/late'],
      '/b/late': [],
    });
    await visit(1);
    await waitsFor(1);
    const queue = async (regex: string): Promise<any> =>
      (await api.get(crawlPath(id, '/queue'), { offset: 0, count: 50, regex })).body;
    expect((await queue('/b/')).matched).toHaveLength(3);
    expect((await api.get(crawlPath(id, '/queueMatchAll'), { regex: '/b/' })).body).toMatchObject({ nextOffset: -1 });
    const exclusion = { query: { regex: '/b/' } };
    expect((await api.call('POST', crawlPath(id, '/exclusions'), exclusion)).body).toEqual({ success: true });
    expect((await api.call('POST', crawlPath(id, '/exclusions'), exclusion)).body).toEqual({
      detail: 'exclusion_already_exists',
    });
    await eventually(async () => expect((await queue('/b/')).matched).toEqual([]), BOUND_MS);
    const workflow = async (): Promise<any> => (await api.get(`/orgs/${oid}/crawlconfigs/${cid}`)).body;
    expect(await workflow()).toMatchObject({ config: { exclude: ['/b/'] }, rev: 1 });
    await visit(1);
    await waitsFor(1);
    expect((await api.call('DELETE', crawlPath(id, '/exclusions'), exclusion)).body).toEqual({ success: true });
    expect((await api.call('DELETE', crawlPath(id, '/exclusions'), exclusion)).body).toEqual({
      detail: 'exclusion_not_found',
    });
    expect(await workflow()).toMatchObject({ config: { exclude: [] }, rev: 2 });
    site.open();
    expect(await until(id, 'complete')).toMatchObject({ pageCount: 5, stats: { found: 5, done: 5 } });
    expect(await archived(id)).toEqual(['/', ...a, '/b/late']);
  });
});
