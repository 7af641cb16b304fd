import { ItemDeleter } from '../../../src/items/deletion/item-deleter.js';
import type { ApiClient } from '../../support/api-client.js';
import { CrawlStage } from '../../support/crawl-stage.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';

describe('deletion of crawls', () => {
  let on: AppUnderTest;
  let stage: CrawlStage;
  let api: ApiClient;
  const path = (rest = '') => `/orgs/${stage.oid}/crawls${rest}`;
  const remove = (...crawl_ids: string[]) => api.post(path('/delete'), { crawl_ids });

  beforeAll(async () => {
    on = await startApp();
    stage = await CrawlStage.of(on);
    api = await on.admin();
  });
  beforeEach(() => stage.driver.script({ pagesPerSeed: 3, pageSeconds: 1 }));
  afterAll(() => on.close());

  const finished = async (): Promise<string> => {
    const crawlId = await stage.aCrawl();
    await stage.until(crawlId, 'complete');
    return crawlId;
  };

  it('removes documents, pages, lines, objects and the usage', async () => {
    const before = (await stage.org()).bytesStored ?? 0;
    const [one, two] = [await finished(), await finished()];
    const { resources } = (await api.get(path(`/${one}/replay.json`))).body;
    expect((await remove(one, two)).body).toEqual({ deleted: 2, storageQuotaReached: false });
    expect((await api.get(path(`/${one}`))).status).toBe(404);
    expect((await api.get(path(`/${one}/pages`))).body.total).toBe(0);
    expect((await stage.org()).bytesStored).toBe(before);
    expect((await api.fetch('GET', resources[0].path)).status).toBe(404);
  });

  it('cancels a running crawl and leaves nothing of it, whatever its crawler still hands over', async () => {
    stage.driver.script({ pagesPerSeed: 100, pageSeconds: 5 });
    const crawlId = await stage.aCrawl();
    await stage.until(crawlId, 'running');
    await stage.pass(20);
    stage.driver.run(crawlId)?.visit(2, on.clock.nowMs());
    expect((await remove(crawlId)).body.deleted).toBe(1);
    await stage.pass(20, 1);
    expect(await stage.job(crawlId)).toBeNull();
    expect(await stage.driver.list()).not.toContain(crawlId);
    expect((await api.get(path(`/${crawlId}/pages`))).body.total).toBe(0);
  });

  it('deletes nothing when one of the ids is unknown', async () => {
    const crawlId = await finished();
    expect(await remove(crawlId, 'manual-20200101000000-abc')).toMatchObject({
      status: 404,
      body: { detail: 'Crawl not found: manual-20200101000000-abc' },
    });
    expect((await api.get(path(`/${crawlId}`))).status).toBe(200);
    expect(await remove()).toMatchObject({ status: 404, body: { detail: 'crawl_not_found' } });
  });

  it('goes on with a deletion that a crash interrupted', async () => {
    const crawlId = await finished();
    // Only the wish was written down.
    await on.connection.collection<{ _id: string }>('crawls').updateOne({ _id: crawlId }, { $set: { deleted: true } });
    await on.app.get(ItemDeleter, { strict: false }).recover();
    expect(await stage.find(crawlId)).toBeNull();
  });

  it('downloads a finished crawl as one package, and refuses one without files', async () => {
    const crawlId = await finished();
    const answer = await api.fetch('GET', path(`/${crawlId}/download`));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${crawlId}.wacz"`);
    expect(Buffer.from(await answer.arrayBuffer()).subarray(0, 4)).toEqual(Buffer.from('PK\u0003\u0004'));
    stage.driver.script({ pagesPerSeed: 100, pageSeconds: 5 });
    const running = await stage.aCrawl();
    expect(await api.get(path(`/${running}/download`))).toMatchObject({
      status: 400,
      body: { detail: 'no_crawl_resources' },
    });
    await remove(running);
  });

  it('changes what people say about a crawl', async () => {
    const crawlId = await finished();
    const change = (body: object) => api.patch(path(`/${crawlId}`), body);
    expect((await change({ name: 'New', tags: ['x'], description: null })).body).toEqual({ updated: true });
    expect((await api.get(path(`/${crawlId}`))).body).toMatchObject({ name: 'New', tags: ['x'], description: null });
    expect(await change({})).toMatchObject({ status: 400, body: { detail: 'no_update_data' } });
    expect((await change({ reviewStatus: 6 })).status).toBe(422);
  });
});
