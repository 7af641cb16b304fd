import { jest } from '@jest/globals';
import { RunFinisher } from '../../../src/crawls/run/run-finisher.js';
import { decode, uuid } from '../../../src/database/uuid-codec.js';
import { ItemHoldsRepository } from '../../../src/items/data/item-holds.repository.js';
import type { Item } from '../../../src/items/data/item.schema.js';
import { ItemsRepository } from '../../../src/items/data/items.repository.js';
import { ItemDeleter } from '../../../src/items/deletion/item-deleter.js';
import { KeptItems } from '../../../src/items/deletion/kept-items.js';
import { KeptItemReaper } from '../../../src/items/deletion/kept-item-reaper.js';
import { FileOwners } from '../../../src/objects/data/file-owners.js';
import { QaSpecBuilder } from '../../../src/qa/qa-spec-builder.js';
import { Storages } from '../../../src/storage/storages.js';
import { ZipArchive } from '../../../formats/zip/zip-archive.js';
import type { ApiClient } from '../../support/api-client.js';
import { anItem, settled } from '../../support/archive.js';
import { BufferSource } from '../../support/byte-source.js';
import { CrawlStage } from '../../support/crawl-stage.js';
import { expectInvariants, violations } from '../../support/invariants.js';
import { aMember, anOrg } from '../../support/people.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';

interface Resource {
  readonly name: string;
  readonly crawlId: string;
  readonly fromDependency: boolean;
  readonly path: string;
}

describe('files of deleted items that others need', () => {
  let on: AppUnderTest;
  let stage: CrawlStage;
  let api: ApiClient;
  let oid: string;

  beforeAll(async () => {
    on = await startApp();
    stage = await CrawlStage.of(on);
    oid = stage.oid;
    api = await on.admin();
  });
  afterAll(() => on.close());
  beforeEach(async () => {
    await settled(on);
    for (const name of [
      'crawls',
      'retained_items',
      'item_holds',
      'collections',
      'crawl_configs',
      'crawl_jobs',
      'pages',
    ])
      await on.connection.collection(name).deleteMany({});
    for (const { key } of (await store().list('')).objects) await store().delete(key);
  });

  const at = (path: string) => `/orgs/${oid}/all-crawls${path}`;
  const linked = async (name: string, requires: readonly string[] = [], more: Partial<Item> = {}): Promise<string> => {
    const itemId = `manual-20260101000000-${name}`;
    const contents = { [`${name}.wacz`]: Buffer.from(`contents of ${name}`) };
    await anItem(on, oid, { _id: itemId, contents, requiresCrawls: [...requires], ...more });
    const filter = { _id: { $in: requires as never[] } };
    await on.connection.collection('crawls').updateMany(filter, { $addToSet: { requiredByCrawls: itemId } } as never);
    return itemId;
  };
  /** Brings the org's counter in line with items that were stored directly. */
  const counted = async () => {
    await api.post(`/orgs/${oid}/recalculate-storage`);
    await settled(on);
  };
  const bytes = async () => (await api.get(`/orgs/${oid}`)).body.bytesStored as number;
  const store = () => on.app.get(Storages, { strict: false }).resolveDefault({ name: 'default', custom: false });
  const isStored = async (name: string) => (await store().head(`${oid}/${name}.wacz`)) !== null;
  const kept = () => on.connection.collection('retained_items').find({}).sort({ _id: 1 }).toArray();
  const keptIds = async () => (await kept()).map(({ _id }) => String(_id).split('-').at(-1));
  const remove = (ids: string[], more: object = {}) => api.post(at('/delete'), { crawl_ids: ids, ...more });
  const replay = async (itemId: string) =>
    (await api.get(at(`/${itemId}/replay.json`), { withDependencies: true })).body as {
      resources: Resource[];
      missingRequiresCrawls: string[];
      fileSizeWithDeps: number;
    };

  it('stay until the last dependent is deleted, and nobody else sees them', async () => {
    const original = await linked('first', [], { type: 'crawl' });
    const dependent = await linked('second', [original]);
    await counted();
    const before = await bytes();
    const seen = await replay(dependent);
    const answer = await remove([original]);
    expect([answer.status, answer.body]).toEqual([200, { deleted: true, storageQuotaReached: false }]);
    expect((await api.get(at(`/${original}/replay.json`))).status).toBe(404);
    expect((await api.get(at(''))).body.items.map(({ id }: { id: string }) => id)).toEqual([dependent]);
    expect((await remove([original])).status).toBe(404);

    expect(await replay(dependent)).toEqual({ ...seen });
    expect(seen.resources.map(({ name, fromDependency }) => [name, fromDependency])).toEqual([
      ['second.wacz', false],
      ['first.wacz', true],
    ]);
    expect(seen).toMatchObject({ missingRequiresCrawls: [], fileSizeWithDeps: 35 });
    const file = await fetch(new URL(seen.resources[1]!.path, on.baseUrl));
    expect(await file.text()).toBe('contents of first');
    expect(await bytes()).toBe(before);
    const metrics = (await api.get(`/orgs/${oid}/metrics`)).body;
    expect(metrics).toMatchObject({ archivedItemCount: 1, keptItemCount: 1, storageUsedKeptItems: 17 });
    const download = await api.get(at(`/${dependent}/download`), { withDependencies: true });
    expect(download.status).toBe(200);
    await expectInvariants(on);
    await counted();
    expect(await bytes()).toBe(before);

    await remove([dependent]);
    expect([await isStored('first'), await isStored('second'), await kept()]).toEqual([false, false, []]);
    expect(await bytes()).toBe(before - 35);
    await expectInvariants(on);
  });

  it('stay through a line of dependents, and go with its end', async () => {
    const [a, b] = [await linked('a'), await linked('b', ['manual-20260101000000-a'])];
    const c = await linked('c', [b]);
    await counted();
    await remove([b]);
    expect(await keptIds()).toEqual(['b']);
    await remove([a]);
    expect(await keptIds()).toEqual(['a', 'b']);
    expect((await replay(c)).resources.map(({ name }) => name)).toEqual(['c.wacz', 'b.wacz']);
    await expectInvariants(on);
    await remove([c]);
    expect([await keptIds(), await isStored('a'), await isStored('b')]).toEqual([[], false, false]);
    await expectInvariants(on);
  });

  it.each([0, 1, 2])('go at once when a line of items is deleted at once, in whatever order: %i', async (first) => {
    const a = await linked('a');
    const b = await linked('b', [a]);
    const c = await linked('c', [b, a]);
    await counted();
    const ids = [a, b, c];
    await remove([...ids.slice(first), ...ids.slice(0, first)]);
    expect([await kept(), (await store().list(`${oid}/`)).objects]).toEqual([[], []]);
    await expectInvariants(on);
  });

  it('stay for one dependent when another goes, and originals forget dependents that are gone', async () => {
    const a = await linked('a');
    const [b, c] = [await linked('b', [a]), await linked('c', [a])];
    await counted();
    await remove([b]);
    expect((await api.get(at(`/${a}`))).body.requiredByCrawls).toEqual([c]);
    await remove([a]);
    expect((await kept())[0]).toMatchObject({ requiredBy: [c] });
    await remove([c]);
    expect(await kept()).toEqual([]);
    await expectInvariants(on);
  });

  it('two that need each other go when nobody else needs them', async () => {
    const a = await linked('a', ['manual-20260101000000-b']);
    const b = await linked('b', [a]);
    await on.connection.collection('crawls').updateOne({ _id: b as never }, { $set: { requiredByCrawls: [a] } });
    const c = await linked('c', [b]);
    await counted();
    await remove([a]);
    await remove([b]);
    expect(await keptIds()).toEqual(['a', 'b']);
    await remove([c]);
    expect(await kept()).toEqual([]);
    await expectInvariants(on);
  });

  it('are read by collections, quality checks and downloads', async () => {
    const a = await linked('a');
    const b = await linked('b', [a]);
    await counted();
    const made = await api.post(`/orgs/${oid}/collections`, { name: 'Of b', crawlIds: [b], access: 'public' });
    const path = `/orgs/${oid}/collections/${made.body.id as string}`;
    const names = async (where: string) =>
      ((await api.get(where)).body.resources as Resource[]).map(({ name, fromDependency }) => [name, fromDependency]);
    const both = [
      ['b.wacz', false],
      ['a.wacz', true],
    ];
    expect(await names(`${path}/replay.json`)).toEqual(both);
    await remove([a]);
    expect(await names(`${path}/replay.json`)).toEqual(both);
    expect(await names(`${path}/public/replay.json`)).toEqual(both);
    const members = async (where: string, query: Record<string, string> = {}) => {
      const answer = await api.fetch('GET', where, { query });
      const archive = await ZipArchive.open(new BufferSource(Buffer.from(await answer.arrayBuffer())));
      return (await archive.find((name) => name.endsWith('.wacz'))).map(({ name }) => name).sort();
    };
    expect(await members(`${path}/download`)).toEqual(['a.wacz', 'b.wacz']);
    expect(await members(at(`/${b}/download`), { withDependencies: 'true' })).toEqual(['a.wacz', 'b.wacz']);
    expect(await members(at(`/${b}/download`))).toEqual(['b.wacz']);
    const item = await on.app.get(ItemsRepository, { strict: false }).findById(oid, b);
    const job = { _id: 'qa-1', crawlId: b, oid, storage: { name: 'default', custom: false } };
    const context = { job, item, org: await stage.org() } as never;
    const { qaSource } = await on.app.get(QaSpecBuilder, { strict: false }).build(context);
    expect(qaSource?.resources.map(({ name, fromDependency }) => [name, fromDependency])).toEqual(both);
  });

  it('a collection tells its readers that a file was taken down', async () => {
    const a = await linked('a');
    const b = await linked('b', [a]);
    const made = await api.post(`/orgs/${oid}/collections`, { name: 'Of b', crawlIds: [b] });
    await settled(on);
    const path = `/orgs/${oid}/collections/${made.body.id as string}/replay.json`;
    const first = await api.get(path);
    const headers = { 'If-None-Match': first.headers.get('etag') ?? '' };
    expect((await api.call('GET', path, { headers })).status).toBe(304);
    await remove([a], { retain: false });
    const later = await api.call('GET', path, { headers });
    expect([later.status, (later.body as { resources: Resource[] }).resources.map(({ name }) => name)]).toEqual([
      200,
      ['b.wacz'],
    ]);
  });

  it('go with a takedown, which names the items that break', async () => {
    const a = await linked('a');
    const [b, c] = [await linked('b', [a]), await linked('c', [a])];
    await counted();
    const before = await bytes();
    const answer = await remove([a], { retain: false });
    expect([answer.status, answer.body]).toEqual([
      200,
      { deleted: true, storageQuotaReached: false, brokenItems: [b, c] },
    ]);
    expect([await isStored('a'), await bytes()]).toEqual([false, before - 13]);
    expect((await replay(b)).missingRequiresCrawls).toEqual([a]);
    await expectInvariants(on);
    expect((await remove([b, c], { retain: false })).body.brokenItems).toEqual([]);
    expect(await kept()).toEqual([]);
    await expectInvariants(on);
  });

  it('that were kept can be taken down later, by the owner of the item or of the org', async () => {
    const a = await linked('a');
    const b = await linked('b', [a]);
    await counted();
    await remove([a]);
    expect((await remove([a])).status).toBe(404);
    const crawler = await aMember(on, oid, 20);
    const refused = await crawler.api.post(at('/delete'), { crawl_ids: [a], retain: false });
    expect([refused.status, await isStored('a')]).toEqual([403, true]);
    const answer = await api.post(`/orgs/${oid}/crawls/delete`, { crawl_ids: [a], retain: false });
    expect(answer.body).toEqual({ deleted: 1, storageQuotaReached: false, brokenItems: [b] });
    expect([await isStored('a'), (await replay(b)).missingRequiresCrawls]).toEqual([false, [a]]);
    expect((await remove([a], { retain: false })).status).toBe(404);
    await expectInvariants(on);
  });

  it('are verified like those of items', async () => {
    const a = await linked('a');
    await linked('b', [a]);
    await counted();
    await remove([a]);
    const verify = async () => {
      const { body } = await api.post(`/orgs/${oid}/all-crawls/verifyFiles`);
      await settled(on);
      return ((await api.get(`/orgs/${oid}/jobs/${body.started as string}`)).body as { success: boolean }).success;
    };
    expect([await verify(), (await kept())[0]?.['fixity']]).toMatchObject([true, { result: 'ok' }]);
    await store().put(`${oid}/a.wacz`, Buffer.from('contents of A'));
    on.clock.advance(86_400_000);
    expect([await verify(), (await kept())[0]?.['fixity']]).toMatchObject([false, { result: 'damaged' }]);
  });

  it('get copies that a job makes after the deletion, and lose them with the last dependent', async () => {
    const a = await linked('a');
    const b = await linked('b', [a]);
    await counted();
    const owners = on.app.get(FileOwners, { strict: false });
    const [file] = await owners.copiedFilesOf('item', oid, a);
    await remove([a]);
    expect(await owners.filesOf('item', oid, a)).toMatchObject([{ filename: file?.filename }]);
    const copy = { name: 'copies', custom: false };
    expect(await owners.addReplica({ kind: 'item', oid, id: a }, file!.filename, copy)).toBe(true);
    expect((await kept())[0]?.['files']).toMatchObject([{ replicas: [copy] }]);
    await remove([b]);
    const jobs = await on.connection.collection('jobs').find({ type: 'delete-replica' }).toArray();
    expect(jobs).toMatchObject([{ file_path: file!.filename, replica_storage: copy, object_id: a }]);
    expect(await owners.addReplica({ kind: 'item', oid, id: a }, file!.filename, copy)).toBe(false);
    await on.connection.collection('jobs').deleteMany({});
  });

  it('of uploads are kept and counted as uploads', async () => {
    const a = await linked('a', [], { type: 'upload' });
    const b = await linked('b', [a]);
    await counted();
    const { body } = await api.post(`/orgs/${oid}/uploads/delete`, { crawl_ids: [a] });
    expect(body).toEqual({ deleted: true, storageQuotaReached: false });
    expect((await api.get(`/orgs/${oid}`)).body).toMatchObject({ bytesStoredUploads: 13, bytesStored: 26 });
    await expectInvariants(on);
    await remove([b]);
    expect((await api.get(`/orgs/${oid}`)).body).toMatchObject({ bytesStoredUploads: 0, bytesStored: 0 });
    await expectInvariants(on);
  });

  it('of a takedown go as well when a crash interrupts it', async () => {
    const a = await linked('a');
    const b = await linked('b', [a]);
    await counted();
    await on.connection
      .collection('crawls')
      .updateOne({ _id: a as never }, { $set: { deleted: true, isTakeDown: true } });
    await on.app.get(ItemDeleter, { strict: false }).recover();
    expect([await isStored('a'), (await replay(b)).missingRequiresCrawls]).toEqual([false, [a]]);
    await expectInvariants(on);
  });

  it('go with their org', async () => {
    const other = await anOrg(on);
    const own = oid;
    oid = other;
    try {
      const a = await linked('a');
      const b = await linked('b', [a]);
      await linked('c', [b]);
      await remove([a]);
      expect(await keptIds()).toEqual(['a']);
      await on.app.get(ItemHoldsRepository, { strict: false }).hold(oid, b, [a], on.clock.now());
      await api.delete(`/orgs/${oid}`);
      await settled(on);
      const count = (name: string) => on.connection.collection(name).countDocuments({ oid: uuid(other) });
      expect([await count('crawls'), await count('retained_items'), await count('item_holds')]).toEqual([0, 0, 0]);
      expect((await store().list(`${other}/`)).objects).toEqual([]);
    } finally {
      oid = own;
    }
  });

  describe('for a crawl that still runs', () => {
    const hold = (crawlId: string, itemIds: string[]) =>
      on.app.get(ItemHoldsRepository, { strict: false }).hold(oid, crawlId, itemIds, on.clock.now());
    const running = async () => {
      stage.driver.script({ pagesPerSeed: 2, pageSeconds: 60 });
      const crawlId = await stage.aCrawl();
      await stage.until(crawlId, 'running');
      return crawlId;
    };
    const holds = () => on.connection.collection('item_holds').countDocuments({});

    it('stay, and are linked when it ends with them', async () => {
      const [a, unused] = [await linked('a'), await linked('unused')];
      await counted();
      const crawlId = await running();
      await hold(crawlId, [a, unused]);
      await remove([a, unused]);
      expect(await keptIds()).toEqual(['a', 'unused']);
      expect(await violations(on)).toEqual([]);
      stage.driver.run(crawlId)!.requiredCrawls = [a];
      await stage.until(crawlId, 'complete');
      expect((await api.get(at(`/${crawlId}`))).body.requiresCrawls).toEqual([a]);
      expect([await keptIds(), await isStored('unused'), await holds()]).toEqual([['a'], false, 0]);
      expect((await replay(crawlId)).resources.map(({ fromDependency }) => fromDependency)).toContain(true);
      await expectInvariants(on);
      await remove([crawlId]);
      expect(await kept()).toEqual([]);
      await expectInvariants(on);
    });

    it('go with its end also when it was told of them in that moment', async () => {
      const a = await linked('a');
      const dependent = await linked('dependent', [a]);
      await counted();
      const crawlId = await running();
      await remove([a]);
      expect(await keptIds()).toEqual(['a']);
      const items = on.app.get(KeptItems, { strict: false });
      const letGo = items.letGo.bind(items);
      jest.spyOn(items, 'letGo').mockImplementationOnce(async (...given) => {
        await letGo(...given);
        // Its end is not stored yet, so others still take it for running.
        await hold(crawlId, [a]);
        await on.connection.collection('crawls').deleteOne({ _id: dependent as never });
        const gone = { $set: { requiredBy: [], dueAt: on.clock.now() } };
        await on.connection.collection('retained_items').updateOne({ _id: a as never }, gone);
        await on.app.get(KeptItemReaper, { strict: false }).recover();
      });
      stage.driver.run(crawlId)!.requiredCrawls = [];
      await stage.until(crawlId, 'complete');
      expect([await kept(), await isStored('a'), await holds()]).toEqual([[], false, 0]);
    });

    it('go when it fails', async () => {
      const a = await linked('a');
      await counted();
      const crawlId = await running();
      await hold(crawlId, [a]);
      await remove([a]);
      expect(await keptIds()).toEqual(['a']);
      expect((await api.post(`/orgs/${oid}/crawls/${crawlId}/cancel`)).status).toBe(200);
      await stage.until(crawlId, 'canceled');
      expect([await kept(), await isStored('a'), await holds()]).toEqual([[], false, 0]);
      await expectInvariants(on);
    });

    it('go when it is deleted itself', async () => {
      const a = await linked('a');
      await counted();
      const crawlId = await running();
      await hold(crawlId, [a]);
      await remove([a]);
      await remove([crawlId]);
      expect([await kept(), await isStored('a'), await holds()]).toEqual([[], false, 0]);
      await expectInvariants(on);
    });

    it('that the driver has lost, are all taken as needed', async () => {
      const a = await linked('a');
      await counted();
      const crawlId = await running();
      await hold(crawlId, [a]);
      const job = decode(await stage.job(crawlId));
      const item = await stage.item(crawlId);
      const context = { job, item, run: item, org: await stage.org() } as never;
      await on.app.get(RunFinisher, { strict: false }).finish(context, 'complete', { held: null, observed: null });
      expect((await stage.item(crawlId)).requiresCrawls).toEqual([a]);
      expect(await holds()).toBe(0);
    });

    it('are not kept by what a crawl held that has ended', async () => {
      const a = await linked('a');
      const ended = await linked('ended');
      await counted();
      await hold(ended, [a]);
      await remove([a]);
      expect([await kept(), await holds()]).toEqual([[], 0]);
    });
  });

  it('are decided once by processes that delete at the same time', async () => {
    const other = await startApp({ like: on });
    try {
      const second = await other.admin();
      for (let round = 0; round < 4; round++) {
        const a = await linked(`a${round}`);
        const b = await linked(`b${round}`, [a]);
        const c = await linked(`c${round}`, [a, b]);
        await counted();
        const all = [a, b, c].map((id, n) => (n === round % 3 ? second : api).post(at('/delete'), { crawl_ids: [id] }));
        const statuses = (await Promise.all(all)).map(({ status }) => status);
        expect(statuses).toEqual([200, 200, 200]);
        const reapers = [on, other].map((under) => under.app.get(KeptItemReaper, { strict: false }));
        await Promise.all(reapers.map((reaper) => reaper.recover()));
        expect([round, await keptIds(), await bytes()]).toEqual([round, [], 0]);
      }
      await expectInvariants(on);
    } finally {
      await other.stop();
    }
  });

  it('are checked: needed, linked, counted and in one place', async () => {
    const a = await linked('a');
    const b = await linked('b', [a]);
    await counted();
    await remove([a]);
    expect(await violations(on)).toEqual([]);
    const items = on.connection.collection('crawls');
    const keptItems = on.connection.collection('retained_items');
    const filter = { _id: a as never };
    const found = async (update: object) => {
      const before = await keptItems.findOne(filter);
      await keptItems.updateOne(filter, update);
      const all = await violations(on);
      if (before) await keptItems.replaceOne(filter, before);
      return all.map(({ subject, id, field }) => [subject, id, field]);
    };
    expect(await found({ $set: { requiredBy: [] } })).toEqual([
      ['item', b, `kept for it: ${a}`],
      ['keptItem', a, 'isNeeded'],
    ]);
    expect(await found({ $push: { requiredBy: 'manual-gone' } as never })).toEqual([['keptItem', a, 'requiredBy']]);
    expect(await found({ $inc: { fileSize: 1 } })).toEqual([['keptItem', a, 'fileSize']]);
    const lost = { ...(await keptItems.findOne(filter)) } as never;
    await keptItems.deleteOne(filter);
    const all = (await violations(on)).map(({ subject, id }) => [subject, id]);
    expect(all).toEqual([
      ['org', oid],
      ['org', oid],
      ['item', b],
      ['object', `${oid}/a.wacz`],
    ]);
    await keptItems.insertOne(lost);
    await items.insertOne({
      ...(await items.findOne({ _id: b as never })),
      _id: a as never,
      files: [],
      fileCount: 0,
      fileSize: 0,
      requiresCrawls: [],
    });
    expect((await violations(on)).map(({ subject, field }) => [subject, field])).toEqual([['keptItem', 'isItem']]);
    await items.deleteOne(filter);
    await expectInvariants(on);
  });
});
