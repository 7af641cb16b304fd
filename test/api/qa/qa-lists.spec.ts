import { QaRunsRepository } from '../../../src/qa/data/qa-runs.repository.js';
import type { ApiClient } from '../../support/api-client.js';
import { CrawlStage } from '../../support/crawl-stage.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';

interface SortFields {
  qaRunCount: number;
  lastQAState: string | null;
  lastQAStarted: string | null;
}

describe('QA runs in lists', () => {
  let on: AppUnderTest;
  let stage: CrawlStage;
  let api: ApiClient;
  const path = (crawlId: string, rest = '') => `/orgs/${stage.oid}/crawls/${crawlId}/qa${rest}`;
  const items = () => on.connection.collection<{ _id: string }>('crawls');

  beforeAll(async () => {
    on = await startApp();
    stage = await CrawlStage.of(on);
    api = await on.admin();
    stage.driver.script({ pagesPerSeed: 2, pageSeconds: 4 });
  });
  afterAll(() => on?.close());

  const aCompleteCrawl = async () => {
    const crawlId = await stage.aCrawl();
    await stage.until(crawlId, 'complete');
    return crawlId;
  };
  const start = async (crawlId: string) => (await api.post(path(crawlId, '/start'))).body.started as string;
  const untilSettled = async (crawlId: string) => {
    for (let round = 0; (await stage.item(crawlId)).qa; round++) {
      if (round > 200) throw new Error('the QA run did not end');
      await stage.pass(5, 1);
    }
  };
  const aRun = async (crawlId: string) => {
    const run = await start(crawlId);
    await untilSettled(crawlId);
    return run;
  };
  const shown = async (crawlId: string): Promise<SortFields> => {
    const { body } = await api.get(`/orgs/${stage.oid}/all-crawls`, { ids: crawlId });
    const { qaRunCount, lastQAState, lastQAStarted } = body.items[0] as SortFields;
    return { qaRunCount, lastQAState, lastQAStarted };
  };
  /** What lists sort by is what they show. @returns it */
  const agreed = async (crawlId: string): Promise<SortFields> => {
    const doc = (await items().findOne({ _id: crawlId })) as unknown as Record<string, unknown>;
    const out = await shown(crawlId);
    const startedMs = (value: unknown) => (value ? new Date(value as string).getTime() : null);
    expect({ ...doc, lastQAStarted: startedMs(doc['lastQAStarted']) }).toMatchObject({
      qaRunCount: out.qaRunCount,
      lastQAState: out.lastQAState,
      lastQAStarted: startedMs(out.lastQAStarted),
    });
    return out;
  };
  const sorted = async (sortBy: string, sortDirection: 1 | -1, among: string[]) => {
    const { body } = await api.get(`/orgs/${stage.oid}/all-crawls`, { sortBy, sortDirection });
    const ids = body.items.map(({ id }: { id: string }) => id) as string[];
    return ids.filter((id) => among.includes(id));
  };

  it('are sorted by what is shown of them, from the first start to the last deletion', async () => {
    const crawlId = await aCompleteCrawl();
    await items().updateOne({ _id: crawlId }, { $set: { lastQAState: null, lastQAStarted: null } });
    expect(await agreed(crawlId)).toEqual({ qaRunCount: 0, lastQAState: null, lastQAStarted: null });
    const first = await start(crawlId);
    expect(await agreed(crawlId)).toMatchObject({ qaRunCount: 1, lastQAState: 'starting' });
    for (let round = 0; (await stage.item(crawlId)).qa?.state !== 'running' && round < 20; round++)
      await stage.pass(1, 1);
    expect(await agreed(crawlId)).toMatchObject({ qaRunCount: 1, lastQAState: 'running' });
    await untilSettled(crawlId);
    expect(await agreed(crawlId)).toMatchObject({ qaRunCount: 1, lastQAState: 'complete' });
    const before = (await shown(crawlId)).lastQAStarted;
    const second = await start(crawlId);
    await api.post(path(crawlId, '/cancel'));
    await untilSettled(crawlId);
    expect(await agreed(crawlId)).toMatchObject({ qaRunCount: 2, lastQAState: 'canceled' });
    expect((await shown(crawlId)).lastQAStarted).not.toBe(before);
    await api.post(path(crawlId, '/delete'), { qa_run_ids: [second] });
    expect(await agreed(crawlId)).toEqual({ qaRunCount: 1, lastQAState: 'complete', lastQAStarted: before });
    await api.post(path(crawlId, '/delete'), { qa_run_ids: [first] });
    expect(await agreed(crawlId)).toEqual({ qaRunCount: 0, lastQAState: null, lastQAStarted: null });
  });

  it('are sorted in documents of the reference too, which lack the fields until the service starts', async () => {
    const [two, one, none] = [await aCompleteCrawl(), await aCompleteCrawl(), await aCompleteCrawl()];
    await aRun(two);
    await aRun(two);
    await aRun(one);
    const all = [none, one, two];
    const orders = async () => [
      await sorted('qaRunCount', -1, all),
      await sorted('qaRunCount', 1, all),
      await sorted('lastQAStarted', -1, all),
      (await sorted('lastQAState', 1, all))[0],
    ];
    const wanted = [[two, one, none], [none, one, two], [one, two, none], none];
    expect(await orders()).toEqual(wanted);
    await items().updateMany({}, { $unset: { qaRunCount: '', lastQAState: '', lastQAStarted: '' } });
    expect(await sorted('qaRunCount', -1, all)).not.toEqual(wanted[0]); // the order is read from the fields
    await (await startApp({ like: on })).stop();
    expect(await orders()).toEqual(wanted);
    for (const crawlId of all) await agreed(crawlId);
  });

  it('move from active to finished in one update, whoever else tries', async () => {
    const crawlId = await aCompleteCrawl();
    const run = await start(crawlId);
    const ended = { 'qa.state': 'complete', 'qa.finished': new Date() };
    await items().updateOne({ _id: crawlId }, { $set: ended });
    const stream = items().watch([{ $match: { 'documentKey._id': crawlId } }]);
    expect(await stream.tryNext()).toBeNull(); // the stream is open
    const runs = on.app.get(QaRunsRepository, { strict: false });
    const settled = await Promise.all([1, 2, 3].map(() => runs.settle(stage.oid, crawlId, run)));
    expect(settled.filter(Boolean)).toHaveLength(1);
    const change = (await stream.next()) as unknown as {
      updateDescription: { updatedFields: Record<string, unknown> };
    };
    const { updatedFields } = change.updateDescription;
    expect(updatedFields).toMatchObject({ qa: null, lastQAState: 'complete' });
    expect(JSON.stringify(updatedFields)).toContain(run);
    expect(await stream.tryNext()).toBeNull();
    await stream.close();
    expect((await api.get(path(crawlId))).body).toMatchObject([{ id: run, state: 'complete' }]);
  });

  it('are listed with the active one first, then the finished by their end, the most recent first', async () => {
    const crawlId = await aCompleteCrawl();
    const [a, b, c] = [await aRun(crawlId), await aRun(crawlId), await aRun(crawlId)];
    // One that started early and ended last, as a long run does.
    await items().updateOne(
      { _id: crawlId },
      { $set: { [`qaFinished.${a}.finished`]: new Date(on.clock.nowMs() + 60_000) } },
    );
    const active = await start(crawlId);
    const ids = (await api.get(path(crawlId))).body.map(({ id }: { id: string }) => id);
    expect(ids).toEqual([active, a, c, b]);
    await untilSettled(crawlId);
  });

  it('read files that a crawler beside the service reaches, whatever its port is; seed files likewise', async () => {
    const raw = 'https://site.example/';
    const uploaded = await api.call('PUT', `/orgs/${stage.oid}/files/seedFile`, { query: { filename: 'a.txt' }, raw });
    const created = await api.post(`/orgs/${stage.oid}/crawlconfigs/`, {
      name: 'From a file',
      runNow: true,
      config: { seedFileId: uploaded.body.id, scopeType: 'page' },
    });
    const crawlId = created.body.run_now_job as string;
    await stage.pass(1, 1);
    expect(await (await fetch(stage.driver.run(crawlId)!.jobSpec.seedFileUrl!)).text()).toBe(raw);
    await stage.until(crawlId, 'complete');
    const run = await start(crawlId);
    await stage.pass(1, 1);
    const [source] = stage.driver.run(run)!.jobSpec.qaSource!.resources;
    const part = await fetch(source!.path, { headers: { range: 'bytes=0-1' } });
    expect([part.status, await part.text()]).toEqual([206, 'PK']);
    await untilSettled(crawlId);
  });
});
