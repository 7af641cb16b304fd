import { newId } from '../../../src/common/ids/uuid.js';
import type { ApiClient } from '../../support/api-client.js';
import { CrawlStage } from '../../support/crawl-stage.js';
import { aMember } from '../../support/people.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';

describe('what the QA routes refuse', () => {
  let on: AppUnderTest;
  let stage: CrawlStage;
  let api: ApiClient;
  const path = (crawlId: string, rest = '') => `/orgs/${stage.oid}/crawls/${crawlId}/qa${rest}`;
  const answer = ({ status, body }: { status: number; body: { detail: unknown } }) => [status, body.detail];
  const items = () => on.connection.collection<{ _id: string }>('crawls');
  const set = (crawlId: string, fields: object) => items().updateOne({ _id: crawlId }, { $set: fields });

  beforeAll(async () => {
    on = await startApp();
    stage = await CrawlStage.of(on);
    api = await on.admin();
    stage.driver.script({ pagesPerSeed: 2, pageSeconds: 30 }, ({ kind }) => kind === 'qa');
  });
  afterAll(() => on?.close());

  const aCompleteCrawl = async (changes = {}) => {
    const crawlId = await stage.aCrawl(changes);
    await stage.until(crawlId, 'complete');
    return crawlId;
  };

  it('a start by a viewer, and of what another org has', async () => {
    const crawlId = await aCompleteCrawl();
    const viewer = await aMember(on, stage.oid, 10);
    for (const action of ['/start', '/stop', '/cancel'])
      expect((await viewer.api.post(path(crawlId, action))).status).toBe(403);
    expect((await viewer.api.post(path(crawlId, '/delete'), { qa_run_ids: [] })).status).toBe(403);
    expect((await viewer.api.get(path(crawlId))).body).toEqual([]);
  });

  it.each<[string, object, number, string]>([
    ['an upload', { type: 'upload' }, 400, 'invalid_crawl_for_qa'],
    ['a crawl without files', { files: [] }, 400, 'invalid_crawl_for_qa'],
    ['a running crawl', { state: 'running' }, 400, 'crawl_not_finished'],
    ['a failed crawl', { state: 'failed' }, 400, 'crawl_did_not_succeed'],
    ['a crawl of an old crawler', { image: 'crawler:1.0.9' }, 400, 'qa_not_supported_for_crawl'],
    ['a crawl whose workflow is gone', { cid: null }, 400, 'invalid_crawl_for_qa'],
  ])('a start of %s', async (_what, fields, status, detail) => {
    const crawlId = await aCompleteCrawl();
    await set(crawlId, fields);
    expect(answer(await api.post(path(crawlId, '/start')))).toEqual([status, detail]);
    await items().deleteOne({ _id: crawlId });
  });

  it('a start of a crawl whose workflow was deleted', async () => {
    const workflow = await stage.aWorkflow();
    const crawlId = await stage.start(workflow);
    await stage.until(crawlId, 'complete');
    await api.delete(`/orgs/${stage.oid}/crawlconfigs/${workflow._id}`);
    expect(answer(await api.post(path(crawlId, '/start')))).toEqual([404, 'crawl_config_not_found']);
  });

  it('a start when a quota is reached, or the storage is unknown', async () => {
    const crawlId = await aCompleteCrawl();
    const org = await stage.org();
    await stage.setOrg({ quotas: { ...org.quotas, storageQuota: 1 }, bytesStored: 10 });
    expect(answer(await api.post(path(crawlId, '/start')))).toEqual([403, 'storage_quota_reached']);
    await stage.setOrg({ quotas: { ...org.quotas, storageQuota: 0 }, storage: { name: 'gone', custom: false } });
    expect(answer(await api.post(path(crawlId, '/start')))).toEqual([
      500,
      'Error starting crawl: storage gone is not configured',
    ]);
    await stage.setOrg({ quotas: org.quotas, storage: org.storage, bytesStored: org.bytesStored });
    expect((await stage.item(crawlId)).qa).toBeNull();
  });

  it.each(['/stop', '/cancel'])('%s without a run, and of an unknown crawl', async (action) => {
    const crawlId = await aCompleteCrawl();
    expect(answer(await api.post(path(crawlId, action)))).toEqual([400, 'qa_not_running']);
    const unknown = 'manual-20200101000000-none';
    expect(answer(await api.post(path(unknown, action)))).toEqual([404, `Crawl not found: ${unknown}`]);
  });

  it('a deletion that names what is no run id, with its place in the list', async () => {
    const crawlId = await aCompleteCrawl();
    const given = ['qa-20200101000000-none', 'nonsense', 7];
    const refused = await api.post(path(crawlId, '/delete'), { qa_run_ids: given });
    expect(refused.status).toBe(422);
    expect(refused.body.detail.map(({ loc }: { loc: unknown[] }) => loc)).toEqual([
      ['body', 'qa_run_ids', 1],
      ['body', 'qa_run_ids', 2],
    ]);
  });

  it('a second start, and what only a finished run has, while one is active', async () => {
    const crawlId = await aCompleteCrawl();
    const run = (await api.post(path(crawlId, '/start'))).body.started as string;
    expect(answer(await api.post(path(crawlId, '/start')))).toEqual([400, 'qa_already_running']);
    expect(answer(await api.get(path(crawlId, `/${run}/replay.json`)))).toEqual([404, 'crawl_qa_not_found']);
    expect(answer(await api.get(path(crawlId, `/${run}/download`)))).toEqual([400, 'qa_run_not_finished']);
    expect(answer(await api.post(path(crawlId, '/delete'), { qa_run_ids: [run] }))).toEqual([
      404,
      'crawl_qa_not_found',
    ]);
    expect((await api.post(path(crawlId, '/cancel'))).body).toEqual({ success: true });
    for (let round = 0; (await stage.item(crawlId)).qa && round < 100; round++) await stage.pass(5, 1);
    expect(answer(await api.get(path(crawlId, `/${run}/download`)))).toEqual([400, 'qa_run_no_resources']);
  });

  it('a run without a job as stopped and cancelled: it is over', async () => {
    const crawlId = await aCompleteCrawl();
    for (const action of ['/stop', '/cancel']) {
      const run = (await api.post(path(crawlId, '/start'))).body.started as string;
      await on.connection.collection<{ _id: string }>('crawl_jobs').deleteOne({ _id: run });
      expect((await api.post(path(crawlId, action))).body).toEqual({ success: true });
      expect((await api.get(path(crawlId, '/activeQA'))).body).toEqual({ qa: null });
    }
  });

  it('thresholds, filters and samples that say nothing', async () => {
    const crawlId = await aCompleteCrawl();
    const run = 'qa-20200101000000-none';
    const stats = (query: object) => api.get(path(crawlId, `/${run}/stats`), query as never);
    expect((await stats({ textThresholds: '0.5' })).status).toBe(422);
    expect((await stats({ screenshotThresholds: '0.5' })).status).toBe(422);
    expect(answer(await stats({ screenshotThresholds: '-0.1', textThresholds: '0.5' }))).toEqual([
      400,
      'invalid_thresholds',
    ]);
    expect((await api.get(path(crawlId, `/${run}/pages`), { qaFilterBy: 'size', lt: 1 })).status).toBe(422);
    expect(answer(await api.get(path(crawlId, `/${run}/pages`), { filterQABy: 'textMatch' }))).toEqual([
      400,
      'range_missing',
    ]);
    expect(answer(await api.get(path(crawlId, `/${run}/pages/${newId()}`)))).toEqual([404, 'page_not_found']);
    expect((await api.call('POST', path(crawlId, '/start'), { query: { limit: 0 } })).status).toBe(422);
    expect((await api.call('POST', path(crawlId, '/start'), { query: { urlMatch: 'x'.repeat(2001) } })).status).toBe(
      422,
    );
    expect((await api.post(path(crawlId, '/delete'), {})).status).toBe(422);
  });

  it('nothing of a sample: the driver is told so many pages, of URLs with that text', async () => {
    const crawlId = await aCompleteCrawl();
    const query = { limit: 2, urlMatch: '/a.b?c' };
    const { body } = await api.call('POST', path(crawlId, '/start'), { query });
    await stage.pass(1, 1);
    const { config } = stage.driver.run(body.started as string)!.jobSpec;
    expect(config['limit']).toBe(2);
    const [include] = config['include'] as string[];
    const urls = ['https://x.org/a.b?c=1', 'https://x.org/a-b?c=1'];
    expect(urls.map((url) => new RegExp(include!).test(url))).toEqual([true, false]);
  });
});
