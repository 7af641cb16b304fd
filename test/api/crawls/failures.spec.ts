import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiClient } from '../../support/api-client.js';
import { CrawlStage } from '../../support/crawl-stage.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';

const HOUR = 3600;
const TWO_HOURS = 2 * HOUR;
const SEEDS = 'https://one.example/\nhttps://two.example/\n';

describe('crawls that can’t be carried on', () => {
  let dir: string;
  let on: AppUnderTest;
  let stage: CrawlStage;
  let api: ApiClient;
  let updates = 0;

  const path = (rest: string) => `/orgs/${stage.oid}${rest}`;
  const poison = (): never => {
    throw new Error('poison in /some/path');
  };

  /** The proxies that there are from now on. */
  async function proxies(...ids: string[]): Promise<void> {
    const list = ids.map((id) => ({ id, label: id, url: `socks5://${id}.example:1080`, shared: true }));
    await writeFile(join(dir, 'proxies.json'), JSON.stringify(list));
    updates += 1;
    await writeFile(join(dir, 'update'), String(updates));
  }

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'proxies-'));
    await proxies('first', 'default');
    on = await startApp({
      env: {
        CRAWLER_PROXIES_JSON: join(dir, 'proxies.json'),
        CRAWLER_PROXIES_LAST_UPDATE: join(dir, 'update'),
        DEFAULT_PROXY_ID: 'default',
      },
    });
    stage = await CrawlStage.of(on);
    api = await on.admin();
  });
  beforeEach(async () => {
    await proxies('first', 'default');
    await stage.setOrg({ allowSharedProxies: true });
    stage.driver.script({ pagesPerSeed: 5, pageSeconds: 5 });
    stage.driver.down = false;
  });
  afterAll(async () => {
    await on.close();
    await rm(dir, { recursive: true, force: true });
  });

  async function aWorkflow(fields: object, config: object = {}): Promise<string> {
    const made = await api.post(path('/crawlconfigs/'), { name: 'w', config, ...fields });
    expect(made).toMatchObject({ status: 200, body: { added: true } });
    return made.body.id as string;
  }
  const aSeedFile = async (): Promise<string> => {
    const made = await api.call('PUT', path('/files/seedFile'), { query: { filename: 'seeds.txt' }, raw: SEEDS });
    return made.body.id as string;
  };
  /** What a seed file that was lost looks like, e.g. in an org that was imported without it. */
  const lose = (): Promise<unknown> => on.connection.collection('file_uploads').deleteMany({});
  const run = (cid: string) => api.post(path(`/crawlconfigs/${cid}/run`));
  const errorsOf = async (crawlId: string): Promise<string[]> =>
    (await api.get(path(`/crawls/${crawlId}/errors`))).body.items.map(({ message }: { message: string }) => message);
  const gone = async (crawlId: string): Promise<void> => {
    for (let n = 0; n < 60 && (await stage.job(crawlId)); n += 1) await stage.pass(10);
    expect(await stage.job(crawlId)).toBeNull();
  };

  it('are not started without their seed file', async () => {
    const cid = await aWorkflow({}, { seedFileId: await aSeedFile(), scopeType: 'page' });
    await lose();
    expect(await run(cid)).toMatchObject({ status: 404, body: { detail: 'file_not_found' } });
    expect((await api.get(path(`/crawlconfigs/${cid}`))).body).toMatchObject({
      crawlAttemptCount: 0,
      lastCrawlId: null,
    });
  });

  it.each([
    ['of the workflow', { proxyId: 'first' }, 'default'],
    ['of the deployment', {}, 'first'],
  ])('are not started without the proxy %s', async (_whose, fields, left) => {
    const cid = await aWorkflow(fields, { seeds: [{ url: 'https://a.example/' }] });
    await proxies(left);
    expect(await run(cid)).toMatchObject({ status: 400, body: { detail: 'proxy_not_found' } });
  });

  it('fail with the reason when their seed file goes before they are looked at', async () => {
    const cid = await aWorkflow({}, { seedFileId: await aSeedFile(), scopeType: 'page' });
    const crawlId = (await run(cid)).body.started as string;
    await lose();
    await stage.until(crawlId, 'failed', 60);
    expect(await errorsOf(crawlId)).toEqual(['The seed file that the crawl starts from is gone']);
    await gone(crawlId);
  });

  it('fail with the reason when their proxy goes before they are looked at', async () => {
    const crawlId = (await run(await aWorkflow({ proxyId: 'first' }, { seeds: [{ url: 'https://a.example/' }] }))).body
      .started as string;
    await proxies('default');
    await stage.until(crawlId, 'failed', 60);
    expect(await errorsOf(crawlId)).toEqual(['There is no proxy "first" any more']);
  });

  it('are asked for what they have when their proxy goes while they run', async () => {
    stage.driver.script({ held: true });
    const crawlId = (await run(await aWorkflow({ proxyId: 'first' }, { seeds: [{ url: 'https://a.example/' }] }))).body
      .started as string;
    await stage.until(crawlId, 'running', 60);
    stage.driver.run(crawlId)?.visit(1, on.clock.nowMs());
    await proxies('default');
    await stage.pass(60);
    expect(await stage.state(crawlId)).toBe('running');
    await stage.pass(HOUR, 60);
    expect(await stage.item(crawlId)).toMatchObject({ state: 'complete', fileCount: 1, stats: { done: 1 } });
    expect(await errorsOf(crawlId)).toEqual(['There is no proxy "first" any more']);
  });

  it('stop at once when asked, though their proxy is gone', async () => {
    stage.driver.script({ held: true });
    const crawlId = (await run(await aWorkflow({ proxyId: 'first' }, { seeds: [{ url: 'https://a.example/' }] }))).body
      .started as string;
    await stage.until(crawlId, 'running', 60);
    stage.driver.run(crawlId)?.visit(1, on.clock.nowMs());
    await proxies('default');
    await api.post(path(`/crawls/${crawlId}/stop`));
    await stage.until(crawlId, 'stopped_by_user', 60);
  });

  it('fail when no start of their containers reaches the proxy, with a line for each of some tries', async () => {
    stage.driver.script({ crashes: Array<number>(200).fill(21) });
    const crawlId = await stage.aCrawl();
    await stage.pass(TWO_HOURS, 30);
    expect(await stage.state(crawlId)).toBe('failed');
    const errors = await errorsOf(crawlId);
    expect(errors.length).toBeGreaterThanOrEqual(10);
    expect(errors.length).toBeLessThan(20);
    expect(new Set(errors.slice(0, 10))).toEqual(new Set(['Crawler Instance Exited: Proxy Error']));
  });

  it('go on when their proxy is back after some starts', async () => {
    stage.driver.script({ crashes: Array<number>(5).fill(21), pagesPerSeed: 2 });
    const crawlId = await stage.aCrawl();
    await stage.pass(900, 30);
    expect(await stage.item(crawlId)).toMatchObject({ state: 'complete', stats: { done: 2 } });
    const errors = await errorsOf(crawlId);
    expect(new Set(errors)).toEqual(new Set(['Crawler Instance Exited: Proxy Error']));
    // Two starts may lie between two looks.
    expect(errors.length).toBeLessThanOrEqual(5);
  });

  it('end with a state and bounded errors when each look at them fails', async () => {
    stage.driver.script({ page: poison, pagesPerSeed: 1000 });
    const crawlId = await stage.aCrawl();
    await stage.pass(TWO_HOURS, 60);
    expect(await stage.state(crawlId)).toBe('failed');
    const errors = await errorsOf(crawlId);
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.length).toBeLessThan(4);
    expect(errors.join()).not.toContain('/some/path');
    const workflow = (await stage.item(crawlId)).cid as string;
    expect((await api.get(path(`/crawlconfigs/${workflow}`))).body).toMatchObject({
      isCrawlRunning: false,
      lastCrawlState: 'failed',
    });
  });

  it('end though they were started before failures were counted', async () => {
    stage.driver.script({ page: poison, pagesPerSeed: 1000 });
    const crawlId = await stage.aCrawl();
    await stage.pass(120, 60);
    await on.connection.collection('crawl_jobs').updateMany({}, { $unset: { failures: '' } });
    await stage.pass(TWO_HOURS, 60);
    expect(await stage.state(crawlId)).toBe('failed');
  });

  it('keep the files that they have', async () => {
    stage.driver.script({ held: true });
    const crawlId = await stage.aCrawl();
    await stage.until(crawlId, 'running', 60);
    stage.driver.run(crawlId)?.visit(1, on.clock.nowMs());
    await api.post(path(`/crawls/${crawlId}/pause`));
    await stage.until(crawlId, 'paused', 60);
    stage.driver.script({ page: poison, pagesPerSeed: 1000 });
    stage.driver.lose(crawlId);
    await api.post(path(`/crawls/${crawlId}/resume`));
    await stage.pass(TWO_HOURS, 60);
    expect(await stage.item(crawlId)).toMatchObject({ state: 'complete', fileCount: 1, stats: { done: 1 } });
  });

  it('wait while nothing of the driver answers, and go on then', async () => {
    const crawlId = await stage.aCrawl();
    stage.driver.down = true;
    await stage.pass(TWO_HOURS, 60);
    expect(await stage.state(crawlId)).toBe('starting');
    stage.driver.down = false;
    await stage.until(crawlId, 'complete', 120);
    expect(await errorsOf(crawlId)).toEqual([]);
  });

  it('wait while the storage doesn’t answer, and go on then', async () => {
    stage.driver.script({ held: true });
    const crawlId = await stage.aCrawl();
    await stage.until(crawlId, 'running', 60);
    stage.driver.run(crawlId)?.visit(1, on.clock.nowMs());
    const [there, away] = [join(on.dataDir, 'storage'), join(on.dataDir, 'storage-away')];
    await rename(there, away);
    try {
      // What of it reaches the store fails now; the crawl itself could go on.
      stage.driver.script({ page: poison, pagesPerSeed: 1000 });
      stage.driver.lose(crawlId);
      await stage.pass(TWO_HOURS, 60);
      expect((await stage.item(crawlId)).finished).toBeNull();
    } finally {
      await rename(away, there);
    }
    stage.driver.script({ pagesPerSeed: 2, pageSeconds: 5 });
    stage.driver.lose(crawlId);
    await stage.until(crawlId, 'complete', 600);
    expect(await errorsOf(crawlId)).toEqual([]);
  });
});
