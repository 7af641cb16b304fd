import { newId } from '../../../src/common/ids/uuid.js';
import { OrgData } from '../../../src/orgs/org-data.js';
import type { ApiClient } from '../../support/api-client.js';
import { anItem, settled, somePages } from '../../support/archive.js';
import { anOrg } from '../../support/people.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';
import { zipOf } from '../../support/zip.js';

let under: AppUnderTest;
let admin: ApiClient;
beforeAll(async () => {
  under = await startApp();
  admin = await under.admin();
});
afterAll(() => under?.close());

const file = (size: number) => ({
  filename: `f-${newId()}.wacz`,
  hash: '',
  size,
  storage: { name: 'default', custom: false },
  replicas: [],
});

it("the files of crawls, their QA runs and uploads are an org's storage when it is counted again", async () => {
  const oid = await anOrg(under);
  const run = { id: 'qa-1', userid: newId(), userName: null, started: new Date(0), finished: null, state: 'running' };
  const qaRun = { ...run, crawlExecSeconds: 0, image: null, stats: null, files: [file(5)], fileSize: 5, fileCount: 1 };
  await anItem(under, oid, { files: [file(10), file(1)], qaFinished: { 'qa-1': qaRun } });
  await anItem(under, oid, { _id: `upload-${newId()}`, type: 'upload', files: [file(100)] });
  const { body } = await admin.post(`/orgs/${oid}/recalculate-storage`);
  expect(body.success).toBe(true);
  await settled(under);
  expect((await admin.get(`/orgs/${oid}`)).body).toMatchObject({
    bytesStored: 116,
    bytesStoredCrawls: 16,
    bytesStoredUploads: 100,
  });
});

it('items, pages and objects go with their org', async () => {
  const oid = await anOrg(under);
  const item = await anItem(under, oid, { contents: { 'gone.wacz': Buffer.from('x') } });
  await somePages(under, oid, item, [{}, {}]);
  await admin.delete(`/orgs/${oid}`);
  await settled(under);
  const { uuid } = await import('../../../src/database/uuid-codec.js');
  const count = (name: string) => under.connection.collection(name).countDocuments({ oid: uuid(oid) });
  expect([await count('crawls'), await count('pages')]).toEqual([0, 0]);
  expect(await under.app.get(OrgData, { strict: false }).bytesStored(oid)).toMatchObject({ crawl: 0, upload: 0 });
});

it("items of the reference's old format are brought to the present one, whatever their pages lack", async () => {
  const oid = await anOrg(under);
  const id = newId();
  const page = JSON.stringify({ id, url: 'https://old.org/', title: 'Old', ts: '2020-01-01T00:00:00Z' });
  const wacz = await zipOf([{ name: 'pages/pages.jsonl', content: page }]);
  const old = { version: 1, stats: { found: 1, done: 1, size: 1, req_crawls: [] }, pageCount: 0 };
  const item = await anItem(under, oid, { ...old, contents: { 'old.wacz': wacz } });
  await somePages(under, oid, item, [{ _id: id, url: 'https://old.org/', approved: true }]);
  const failed = await anItem(under, oid, { ...old, state: 'failed' });
  expect((await admin.post('/orgs/all/jobs/migrateCrawls')).body).toMatchObject({ success: true });
  await settled(under);
  const pages = (await admin.get(`/orgs/${oid}/crawls/${item}/pages`)).body.items;
  expect(pages).toMatchObject([{ id, filename: 'old.wacz', title: 'Old', approved: true, isSeed: true }]);
  const list = (await admin.get(`/orgs/${oid}/all-crawls`)).body.items as { id: string; version: number }[];
  expect(list.map(({ version }) => version)).toEqual([2, 2]);
  expect(list.map((one) => one.id).sort()).toEqual([item, failed].sort());
});
