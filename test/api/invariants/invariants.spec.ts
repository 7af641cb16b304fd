import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../../../src/common/ids/uuid.js';
import { uuid } from '../../../src/database/uuid-codec.js';
import { Storages } from '../../../src/storage/storages.js';
import { runCli } from '../../../src/cli/cli.js';
import type { ApiClient } from '../../support/api-client.js';
import { CrawlStage } from '../../support/crawl-stage.js';
import { expectInvariants, violations } from '../../support/invariants.js';
import { type AppUnderTest, startApp } from '../../support/start-app.js';
import { waczOf } from '../../support/zip.js';

describe('the invariant check', () => {
  let on: AppUnderTest;
  let api: ApiClient;
  let oid: string;
  let crawlId: string;
  let uploadId: string;
  let collectionId: string;

  /** One of everything that is counted or stored. */
  beforeAll(async () => {
    on = await startApp();
    api = await on.admin();
    const stage = await CrawlStage.of(on);
    oid = stage.oid;
    stage.driver.script({ pagesPerSeed: 3, pageSeconds: 1 });
    const workflow = await stage.aWorkflow();
    crawlId = await stage.start(workflow);
    await stage.until(crawlId, 'complete');
    const raw = new Uint8Array(await waczOf(['https://a.example/', 'https://a.example/', 'https://b.example/']));
    const added = await api.put(`/orgs/${oid}/uploads/stream`, undefined, { query: { filename: 'a.wacz' }, raw });
    uploadId = added.body.id as string;
    const seeds = new TextEncoder().encode('https://a.example/\n');
    await api.put(`/orgs/${oid}/files/seedFile`, undefined, { query: { filename: 'a.txt' }, raw: seeds });
    await expectInvariants(on);
    const made = await api.post(`/orgs/${oid}/collections`, { name: 'Both', crawlIds: [crawlId, uploadId] });
    collectionId = made.body.id as string;
  });
  afterAll(() => on.close());

  const db = () => on.connection;
  const tamper = async (name: string, filter: object, update: object) => {
    const before = await db().collection(name).findOne(filter);
    if (!before) throw new Error(`nothing to change in ${name}`);
    await db().collection(name).updateOne(filter, update);
    return () => db().collection(name).replaceOne({ _id: before._id }, before);
  };
  const store = () => on.app.get(Storages).resolveDefault({ name: 'default', custom: false });
  const fileOf = async (itemId: string) => {
    const item = await db()
      .collection('crawls')
      .findOne({ _id: itemId as never });
    return (item?.['files'] as { filename: string; size: number }[])[0]!;
  };

  it('finds nothing wrong with what crawls, uploads, seed files and collections leave', async () => {
    await expectInvariants(on);
    const { body } = await api.get(`/orgs/${oid}/collections/${collectionId}`);
    expect(body).toMatchObject({ crawlCount: 2 });
    expect(body.pageCount).toBeGreaterThan(4);
  });

  it.each([
    ['an org', 'organizations', { default: true }, { bytesStored: 1 }],
    ['an org by kind', 'organizations', { default: true }, { bytesStoredSeedFiles: -1 }],
    ['a collection', 'collections', { name: 'Both' }, { pageCount: 1 }],
    ['an item by its files', 'crawls', { type: 'upload' }, { fileCount: 1 }],
    ['an item by its pages', 'crawls', { type: 'upload' }, { uniquePageCount: 1 }],
    ['a workflow', 'crawl_configs', { name: 'Site' }, { totalSize: -5 }],
  ])('tells a counter that is wrong: of %s', async (_what, name, filter, change: object) => {
    const [[field, by]] = Object.entries(change) as [[string, number]];
    const restore = await tamper(name, filter, { $inc: change });
    const found = await violations(on);
    await restore();
    expect(found).toEqual([expect.objectContaining({ field, oid })]);
    expect(Number(found[0]!.stored) - Number(found[0]!.expected)).toBe(by);
  });

  it('tells pages of items that are gone', async () => {
    const left = { _id: uuid(newId()), oid: uuid(oid), crawl_id: 'manual-gone', url: 'https://gone.example/' };
    await db()
      .collection('pages')
      .insertOne(left as never);
    const found = await violations(on);
    await db().collection('pages').deleteOne({ crawl_id: 'manual-gone' });
    expect(found).toEqual([expect.objectContaining({ subject: 'pages', oid, id: 'manual-gone', stored: 1 })]);
  });

  it('leaves alone what an event or a job is about to count', async () => {
    const restore = await tamper('collections', { name: 'Both' }, { $inc: { pageCount: 1 } });
    const job = { type: 'update-coll-stats', collection_id: uuid(collectionId), finished: null };
    const added = await db().collection('jobs').insertOne(job);
    expect(await violations(on)).toEqual([]);
    await db().collection('jobs').deleteOne({ _id: added.insertedId });
    expect(await violations(on)).toHaveLength(1);
    await restore();
  });

  it('tells objects without a record, but not those that are to be deleted', async () => {
    const key = `${oid}/uploads/stray.wacz`;
    await store().put(key, Buffer.from('stray'));
    await store().put(`${oid}/aaa`, Buffer.from('stray'));
    expect(await violations(on)).toEqual([
      { subject: 'object', oid, id: `${oid}/aaa`, field: 'record', stored: 5, expected: null },
      { subject: 'object', oid, id: key, field: 'record', stored: 5, expected: null },
    ]);
    await store().delete(`${oid}/aaa`);
    const file = { filename: key, size: 0, storage: { name: 'default', custom: false }, replicas: [] };
    const plan = { oid: uuid(oid), files: [file], leaseUntil: new Date(8e14) };
    const { insertedId } = await db().collection('file_deletions').insertOne(plan);
    expect(await violations(on)).toEqual([]);
    await db().collection('file_deletions').deleteOne({ _id: insertedId });
    await store().delete(key);
  });

  it.each(['crawl', 'upload'])('tells records without their object, or with another size: of a %s', async (type) => {
    const { filename, size } = await fileOf(type === 'crawl' ? crawlId : uploadId);
    const path = join(on.dataDir, 'storage', filename);
    const { body } = await store().get(filename);
    const bytes = Buffer.concat(await body.toArray());
    const of = { subject: 'file', oid, id: filename, expected: size };
    await writeFile(path, bytes.subarray(1));
    expect(await violations(on)).toEqual([{ ...of, field: 'size', stored: size - 1 }]);
    await rm(path);
    expect(await violations(on)).toEqual([{ ...of, field: 'object', stored: null }]);
    await store().put(filename, bytes);
    expect(await violations(on)).toEqual([]);
  });

  it('tells copies that are missing, and storages that nobody configured', async () => {
    const { filename, size } = await fileOf(uploadId);
    const withReplica = (name: string) =>
      tamper('crawls', { _id: uploadId }, { $set: { 'files.0.replicas': [{ name, custom: false }] } });
    const restore = await withReplica('elsewhere');
    expect(await violations(on)).toEqual([expect.objectContaining({ subject: 'file', id: 'elsewhere', stored: 1 })]);
    await restore();
    const seedFile = await db().collection('file_uploads').findOne({});
    const restoreSeed = await tamper('file_uploads', {}, { $set: { filename: `${filename}-copy` } });
    const found = await violations(on);
    await restoreSeed();
    expect(found.map(({ subject, id }) => [subject, id])).toEqual(
      expect.arrayContaining([
        ['object', seedFile?.['filename']],
        ['file', `${filename}-copy`],
      ]),
    );
    expect(size).toBeGreaterThan(0);
  });

  it('is what the command runs', async () => {
    const lines: string[] = [];
    const check = () => {
      lines.length = 0;
      return runCli(['check'], {
        launcher: { up: () => Promise.resolve(0), chromiumOnThisMachine: () => null, withDatabase: (work) => work({}) },
        terminal: { print: (line) => void lines.push(line), complain: (line) => void lines.push(line) },
        variables: {
          DATA_DIR: on.dataDir,
          MONGO_DB_URL: process.env['MUNIMENT_TEST_MONGO_URL'] ?? '',
          MONGO_DB_NAME: db().name,
          CRAWL_DRIVER: 'fake',
        },
        exitCode: 0,
      });
    };
    expect([await check(), lines.at(-1)]).toEqual([
      0,
      'ok      archive: 1 orgs, 1 workflows, 1 collections and 2 items recounted, 3 files and 3 objects compared, 0 days of the audit log verified',
    ]);
    const restore = await tamper('organizations', { default: true }, { $inc: { bytesStored: 7 } });
    const code = await check();
    await restore();
    expect(code).toBe(1);
    expect(lines.join('\n')).toMatch(/org [0-9a-f-]+: bytesStored \d+, not \d+\nFAILED {2}archive: 1 violations/);
  });
});
