import { seconds } from '../../../src/common/units/durations.js';
import { CrawlStage } from '../../support/crawl-stage.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';
import { workflowsOf, type Workflows } from './support.js';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

let app: AppUnderTest;
let w: Workflows;
let stage: CrawlStage;

/** Makes a workflow with a crawl that runs for long. */
const aRunning = async (fields: object = {}, config: object = {}): Promise<{ cid: string; crawlId: string }> => {
  stage.driver.script({ pagesPerSeed: 50, pageSeconds: 10 });
  const cid = await w.create(fields, config);
  app.clock.advance(seconds(2));
  const crawlId = (await w.admin.post(`${w.base}/${cid}/run`)).body.started as string;
  await stage.until(crawlId, 'running');
  return { cid, crawlId };
};
const exclusions = (crawlId: string) => `/orgs/${w.oid}/crawls/${crawlId}/exclusions`;
const change = (method: string, crawlId: string, regex?: string) =>
  w.admin.call(method, exclusions(crawlId), { query: { regex } });
const end = async (crawlId: string): Promise<void> => {
  await w.admin.post(`/orgs/${w.oid}/crawls/${crawlId}/cancel`);
  await stage.until(crawlId, 'canceled');
};

beforeAll(async () => {
  app = await startApp();
  w = await workflowsOf(app);
  stage = await CrawlStage.of(app);
});
afterAll(() => app.close());

describe('an exclusion on a running crawl', () => {
  it('is one of the workflow too, as a revision', async () => {
    const { cid, crawlId } = await aRunning({}, { exclude: 'first' });
    expect((await change('POST', crawlId, 'a+b')).body).toEqual({ success: true });
    expect(await w.get(cid)).toMatchObject({ rev: 1, config: { exclude: ['first', 'a+b'] } });
    expect((await stage.item(crawlId)).config?.exclude).toEqual(['first', 'a+b']);
    expect((await change('POST', crawlId, 'a+b')).body).toEqual({ detail: 'exclusion_already_exists' });
    expect((await change('DELETE', crawlId, 'first')).body).toEqual({ success: true });
    expect((await change('DELETE', crawlId, 'first')).body).toEqual({ detail: 'exclusion_not_found' });
    expect(await w.get(cid)).toMatchObject({ rev: 2, config: { exclude: ['a+b'] } });
    expect((await w.admin.get(`${w.base}/${cid}/revs`)).body.items.map(({ config }: any) => config.exclude)).toEqual([
      'first',
      ['first', 'a+b'],
    ]);
    await end(crawlId);
  });

  it('of several at once keeps all', async () => {
    const { cid, crawlId } = await aRunning();
    const answers = await Promise.all(['a', 'b', 'c'].map((regex) => change('POST', crawlId, regex)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect([...(await w.get(cid)).config.exclude].sort()).toEqual(['a', 'b', 'c']);
    await end(crawlId);
  });

  it('is refused when it is no regular expression, or nothing runs', async () => {
    const { cid, crawlId } = await aRunning();
    expect(await change('POST', crawlId, '(')).toMatchObject({ status: 400, body: { detail: 'invalid_regex' } });
    expect((await change('POST', crawlId)).status).toBe(422);
    expect((await change('POST', 'nonsense', 'x')).status).toBe(422);
    await end(crawlId);
    const refusal = { status: 400, body: { detail: 'crawl_not_running' } };
    expect(await change('POST', crawlId, 'x')).toMatchObject(refusal);
    expect(await change('DELETE', crawlId, 'x')).toMatchObject(refusal);
    expect((await w.get(cid)).rev).toBe(0);
  });
});

describe('changed settings', () => {
  it('are handed to the running crawl when asked for', async () => {
    const { cid, crawlId } = await aRunning();
    const without = await w.admin.patch(`${w.base}/${cid}`, { config: { lang: 'de' } });
    expect(without.body).toMatchObject({ settings_changed: true, updatedRunning: false });
    expect((await stage.item(crawlId)).config?.lang).toBeNull();
    const body = { config: { lang: 'fr' }, browserWindows: 4, crawlTimeout: 90, updateRunning: true };
    expect((await w.admin.patch(`${w.base}/${cid}`, body)).body).toMatchObject({ updatedRunning: true, started: null });
    expect(await stage.item(crawlId)).toMatchObject({ config: { lang: 'fr' }, browserWindows: 4, crawlTimeout: 90 });
    expect((await w.admin.patch(`${w.base}/${cid}`, { ...body })).body.updatedRunning).toBe(false);
    await end(crawlId);
    const idle = await w.admin.patch(`${w.base}/${cid}`, { crawlTimeout: 1, updateRunning: true });
    expect(idle.body).toMatchObject({ settings_changed: true, updatedRunning: false });
  });

  it('can start a crawl, whose refusal is the answer then', async () => {
    stage.driver.script({ pagesPerSeed: 50, pageSeconds: 10 });
    const cid = await w.create();
    app.clock.advance(seconds(2));
    const { body } = await w.admin.patch(`${w.base}/${cid}`, { runNow: true });
    expect(body).toMatchObject({ settings_changed: false, started: expect.stringMatching(/^manual-/) });
    const again = await w.admin.patch(`${w.base}/${cid}`, { name: 'Renamed', runNow: true });
    expect([again.status, again.body.detail]).toEqual([400, 'crawl_already_running']);
    expect((await w.get(cid)).name).toBe('Renamed');
    await end(body.started as string);
  });

  it('of windows come from a scaled crawl, with a revision', async () => {
    const { cid, crawlId } = await aRunning();
    const { body } = await w.admin.post(`/orgs/${w.oid}/crawls/${crawlId}/scale`, { browserWindows: 4 });
    expect(body).toEqual({ scaled: true, browserWindows: 4 });
    expect(await w.get(cid)).toMatchObject({ browserWindows: 4, rev: 1 });
    expect((await w.admin.get(`${w.base}/${cid}/revs`)).body.items[0].browserWindows).toBe(2);
    await end(crawlId);
  });
});

describe('the public replay of a workflow', () => {
  const anonymous = () => app.api;
  const pathOf = (cid: string, rest = 'replay.json') => `${w.base}/${cid}/public/${rest}`;

  it('is the last successful crawl of a shareable one', async () => {
    stage.driver.script({ pagesPerSeed: 3, pageSeconds: 1 });
    const cid = await w.create({ shareable: true });
    const none = await anonymous().fetch('GET', pathOf(cid));
    expect([none.status, await none.text()]).toEqual([200, 'null']);
    expect((await anonymous().get(pathOf(cid, 'pagesSearch'))).body).toEqual({ items: [] });
    app.clock.advance(seconds(2));
    const crawlId = (await w.admin.post(`${w.base}/${cid}/run`)).body.started as string;
    await stage.until(crawlId, 'complete');
    const { status, headers, body } = await anonymous().get(pathOf(cid));
    expect(status).toBe(200);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(body).toMatchObject({ id: crawlId, resources: [{ crawlId }], config: { seeds: null } });
    expect(body.pagesQueryUrl).toBe(`${app.baseUrl}/api/orgs/${w.oid}/crawlconfigs/${cid}/public/pagesSearch`);
    const pages = await anonymous().get(pathOf(cid, 'pagesSearch'), { pageSize: 2 });
    expect(pages.body.items).toHaveLength(2);
  });

  it('is there for nobody when the workflow is not shared, gone, or of another org', async () => {
    const gone = { status: 404, body: { detail: 'crawl_config_not_found' } };
    const secret = await w.create();
    expect(await anonymous().get(pathOf(secret))).toMatchObject(gone);
    expect(await anonymous().get(pathOf(secret, 'pagesSearch'))).toMatchObject(gone);
    expect(await anonymous().get(pathOf(UNKNOWN))).toMatchObject(gone);
    const elsewhere = `/orgs/${UNKNOWN}/crawlconfigs/${secret}/public/replay.json`;
    expect(await anonymous().get(elsewhere)).toMatchObject({ status: 404, body: { detail: 'org_not_found' } });
  });

  it.each(['replay.json', 'pagesSearch'])('says on OPTIONS of %s that any site may read it', async (rest) => {
    const { status, headers, body } = await anonymous().call('OPTIONS', pathOf(UNKNOWN, rest));
    expect([status, body]).toEqual([200, {}]);
    expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS');
    expect(headers.get('access-control-allow-headers')).toBe('*');
  });
});
