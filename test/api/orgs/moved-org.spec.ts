import { days } from '../../../src/common/units/durations.js';
import { JobWorker } from '../../../src/jobs/job-worker.js';
import { anOrg } from '../../support/people.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';
import { waczOf } from '../../support/zip.js';

describe('an org that was exported, deleted and imported again', () => {
  let on: AppUnderTest;

  beforeAll(async () => {
    on = await startApp();
  });
  afterAll(() => on.close());

  it('shows what the comparison of its files found before, in every list', async () => {
    const api = await on.admin();
    const oid = await anOrg(on, { name: 'Moved' });
    const work = () => on.app.get(JobWorker, { strict: false }).drain();
    const raw = new Uint8Array(await waczOf(['https://a.example/', 'https://b.example/']));
    const { body: added } = await api.put(`/orgs/${oid}/uploads/stream`, undefined, {
      query: { filename: 'a.wacz' },
      raw,
    });
    await work();
    await api.post(`/orgs/${oid}/collections`, { name: 'Kept', crawlIds: [added.id] });
    await api.post(`/orgs/${oid}/all-crawls/verifyFiles`);
    await work();
    const shown = async () => (await api.get(`/orgs/${oid}/all-crawls/${added.id as string}`)).body;
    const before = await shown();
    expect(before.fixity).toEqual({ lastVerified: '2020-11-21T08:00:00Z', result: 'ok' });

    const archive = await (await api.fetch('GET', `/orgs/${oid}/export/json`)).text();
    expect((await api.delete(`/orgs/${oid}`)).status).toBe(200);
    await work();
    expect((await api.get(`/orgs/${oid}`)).status).toBe(404);
    const headers = { 'content-type': 'application/octet-stream' };
    const imported = await api.call('POST', '/orgs/import/json', { raw: archive, headers });
    expect([imported.status, imported.body]).toEqual([200, { imported: true }]);

    const after = await shown();
    expect([after.fixity, after.finished, after.pageCount]).toEqual([before.fixity, before.finished, before.pageCount]);
    for (const list of ['all-crawls', 'uploads', 'collections', `crawls/${added.id as string}/pages`]) {
      const { status, body } = await api.get(`/orgs/${oid}/${list}`);
      expect([list, status, body.items.length]).toEqual([list, 200, list.endsWith('/pages') ? 2 : 1]);
    }
    on.clock.advance(days(1));
    await api.post(`/orgs/${oid}/all-crawls/verifyFiles`);
    await work();
    expect((await shown()).fixity).toMatchObject({ result: 'missing' });
  });
});
