import { CrawlControl } from '../../../src/crawls/control/crawl-control.js';
import { IndexUpkeep } from '../../../src/collections/dedupe/index-upkeep.js';
import type { Original } from '../../../src/drivers/crawl-driver.types.js';
import { uuid } from '../../../src/database/uuid-codec.js';
import type { ApiClient } from '../../support/api-client.js';
import { anItem, settled, somePages } from '../../support/archive.js';
import { CrawlStage } from '../../support/crawl-stage.js';
import { digestOfBody, indexedWacz, revisit, type Capture } from '../../support/indexed-wacz.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';

let under: AppUnderTest;
let stage: CrawlStage;
let oid: string;
let owner: ApiClient;

beforeAll(async () => {
  under = await startApp();
  stage = await CrawlStage.of(under);
  ({ oid } = stage);
  owner = await under.admin();
});
beforeEach(() => stage.driver.script({ pagesPerSeed: 100, pageSeconds: 5 }));
afterAll(() => under?.close());

const failing = ({ status, body }: { status: number; body: { detail: unknown } }) => [status, body.detail];
const at = (path = ''): string => `/orgs/${oid}/collections${path}`;
let serial = 0;

async function aCollection(crawlIds: string[] = []): Promise<string> {
  const { status, body } = await owner.post(at(), { name: `Index ${(serial += 1)}`, crawlIds });
  expect(status).toBe(200);
  return body.id;
}
async function aCrawlOf(captures: Capture[], fields: object = {}): Promise<string> {
  return anItem(under, oid, { contents: { [`crawl-${(serial += 1)}.wacz`]: await indexedWacz(captures) }, ...fields });
}
const index = async (id: string, action: 'create' | 'purge' | 'delete', body = {}) =>
  owner.post(at(`/${id}/dedupeIndex/${action}`), body);
const detail = async (id: string) => (await owner.get(at(`/${id}`))).body;
const stateOf = async (id: string): Promise<string> => (await detail(id)).indexState;
const statsOf = async (id: string) => (await detail(id)).indexStats;
const setState = (id: string, fields: object) =>
  under.connection.collection('collections').updateOne({ _id: uuid(id) as never }, { $set: fields });
const entries = () => under.connection.collection('dedupe_hashes').countDocuments();

const NOTHING = {
  totalUrls: 0,
  dupeUrls: 0,
  conservedSize: 0,
  totalCrawls: 0,
  totalCrawlSize: 0,
  removedCrawls: 0,
  removedCrawlSize: 0,
  updateProgress: 0,
  uniqueHashes: 0,
  estimatedRedundantSize: 0,
};

/** A crawl that runs on the index and can ask it. */
async function asking(
  dedupeCollId: string,
): Promise<{ crawlId: string; ask: (...bodies: string[]) => Promise<Original[]> }> {
  const crawlId = await stage.aCrawl({ dedupeCollId });
  await stage.until(crawlId, 'running');
  const ask = (...bodies: string[]) =>
    stage.driver.findOriginals({ oid, crawlId, collectionId: dedupeCollId, digests: bodies.map(digestOfBody) });
  return { crawlId, ask };
}
const cancel = async (crawlId: string): Promise<void> => {
  await under.app.get(CrawlControl, { strict: false }).cancel(await stage.org(), crawlId);
  await stage.until(crawlId, 'canceled');
};
const holds = () => under.connection.collection('item_holds').countDocuments();

describe('an index', () => {
  it('of a collection without items is idle at once, with nothing in it', async () => {
    const id = await aCollection();
    expect((await index(id, 'create')).body).toEqual({ success: true });
    expect(await detail(id)).toMatchObject({ indexState: 'idle', indexStats: NOTHING, indexLastSavedAt: null });
    expect(failing(await index(id, 'create'))).toEqual([400, 'index_already_exists']);
    const { items } = (await owner.get(at(), { hasDedupeIndex: 'true' })).body;
    expect(items.map((one: { id: string }) => one.id)).toContain(id);
  });

  it('of items is importing until all are read, then ready with true figures', async () => {
    const first = await aCrawlOf([
      { url: 'https://a.example/', body: 'home' },
      { url: 'https://a.example/style', body: 'style', size: 9_000 },
      { url: 'https://a.example/small', body: 'small', size: 999 },
      { url: 'https://a.example/gone', body: 'gone', fields: { status: '404' } },
      { url: 'https://a.example/sent', body: 'sent', fields: { method: 'POST' } },
      { url: 'https://a.example/old', body: 'old', fields: { digest: 'sha1:B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A' } },
      { url: 'urn:text:https://a.example/', body: 'text' },
      revisit('https://a.example/again', 'home'),
      revisit('https://a.example/unknown', 'nobody has it'),
    ]);
    const second = await aCrawlOf([
      { url: 'https://b.example/', body: 'home', ts: '20201102120000' },
      { url: 'https://b.example/own', body: 'own', ts: '20201102120000' },
    ]);
    const id = await aCollection([first, second]);
    expect((await index(id, 'create')).body).toEqual({ success: true });
    expect(['importing', 'ready']).toContain(await stateOf(id));
    await settled(under);
    expect(await stateOf(id)).toBe('ready');
    const { body } = await owner.get(`/orgs/${oid}/all-crawls`, { ids: [first, second] });
    const bytes = body.items.reduce((sum: number, { fileSize }: { fileSize: number }) => sum + fileSize, 0);
    expect(await statsOf(id)).toEqual({
      ...NOTHING,
      totalUrls: 10,
      dupeUrls: 2,
      conservedSize: 4_600,
      uniqueHashes: 3,
      estimatedRedundantSize: 5_000,
      totalCrawls: 2,
      totalCrawlSize: bytes,
      updateProgress: 1,
    });
  });

  it('is idle after three minutes without use, and ready again when something is done', async () => {
    const id = await aCollection([await aCrawlOf([{ url: 'https://a.example/' }])]);
    await index(id, 'create');
    await settled(under);
    const upkeep = under.app.get(IndexUpkeep, { strict: false });
    under.clock.advance(179_000);
    await upkeep.look();
    expect(await stateOf(id)).toBe('ready');
    under.clock.advance(2_000);
    await upkeep.look();
    expect(await detail(id)).toMatchObject({
      indexState: 'idle',
      indexLastSavedAt: under.clock.timestamp().toISOString().replace('.000Z', 'Z'),
    });
    const more = await aCrawlOf([{ url: 'https://b.example/' }]);
    await owner.post(at(`/${id}/add`), { crawlIds: [more] });
    await settled(under);
    expect(await detail(id)).toMatchObject({ indexState: 'ready', indexStats: { totalCrawls: 2, uniqueHashes: 2 } });
  });

  it('counts what has left the collection as removed until a purge', async () => {
    const [stays, leaves, goes] = [
      await aCrawlOf([{ url: 'https://s.example/' }]),
      await aCrawlOf([{ url: 'https://l.example/' }]),
      await aCrawlOf([{ url: 'https://g.example/' }]),
    ];
    const id = await aCollection([stays, leaves, goes]);
    await index(id, 'create');
    await settled(under);
    const { totalCrawlSize } = await statsOf(id);
    await owner.post(at(`/${id}/remove`), { crawlIds: [leaves] });
    expect((await owner.post(`/orgs/${oid}/crawls/delete`, { crawl_ids: [goes] })).status).toBe(200);
    await settled(under);
    expect(await statsOf(id)).toMatchObject({
      totalCrawls: 3,
      totalCrawlSize,
      removedCrawls: 2,
      uniqueHashes: 1,
      totalUrls: 1,
    });
    // What came back counts once.
    await owner.post(at(`/${id}/add`), { crawlIds: [leaves] });
    await settled(under);
    expect(await statsOf(id)).toMatchObject({ totalCrawls: 3, removedCrawls: 1, uniqueHashes: 2, totalUrls: 2 });

    expect((await index(id, 'purge')).body).toEqual({ updated: true });
    expect(['purging', 'ready']).toContain(await stateOf(id));
    await settled(under);
    expect(await detail(id)).toMatchObject({
      indexState: 'ready',
      indexStats: { totalCrawls: 2, removedCrawls: 0, removedCrawlSize: 0, uniqueHashes: 2 },
    });
  });

  it('leaves nothing behind when it is deleted, and its collection can go', async () => {
    const before = await entries();
    const id = await aCollection([await aCrawlOf([{ url: 'https://a.example/1' }, { url: 'https://a.example/2' }])]);
    await index(id, 'create');
    await settled(under);
    expect(await entries()).toBe(before + 2);
    expect(failing(await owner.delete(at(`/${id}`)))).toEqual([400, 'not_allowed_while_dedupe_index_exists']);
    expect((await index(id, 'delete')).body).toEqual({ deleted: true });
    await settled(under);
    expect(await detail(id)).toMatchObject({ indexState: null, indexStats: null, indexLastSavedAt: null });
    expect(await entries()).toBe(before);
    const left = { collectionId: uuid(id) as never };
    expect(await under.connection.collection('dedupe_sources').countDocuments(left)).toBe(0);
    expect((await owner.delete(at(`/${id}`))).status).toBe(200);
  });

  it('refuses what its state does not allow', async () => {
    const id = await aCollection();
    const unknown = '3f0f3c52-68f8-4d35-9a52-6f4a7bb1a111';
    expect(failing(await index(unknown, 'create'))).toEqual([404, 'collection_not_found']);
    expect(failing(await index(id, 'purge'))).toEqual([404, 'no_dedupe_index']);
    expect(failing(await index(id, 'delete'))).toEqual([404, 'no_dedupe_index']);
    await index(id, 'create');
    for (const indexState of ['importing', 'purging', 'crawling', 'initing', 'saved']) {
      await setState(id, { indexState });
      expect(failing(await index(id, 'purge'))).toEqual([400, 'dedupe_index_not_ready']);
    }
    await setState(id, { indexState: 'ready' });
    const both = await Promise.all([index(id, 'purge'), index(id, 'purge')]);
    const codes = both.map(({ status, body }) => [status, body.detail ?? null]);
    expect(codes).toContainEqual([200, null]);
    for (const [status, code] of codes)
      if (status !== 200) expect(['purge_job_already_running', 'dedupe_index_not_ready']).toContain(code);
    await settled(under);
    expect(await stateOf(id)).toBe('ready');
  });

  it('of the reference, whose entries are in its own files, is made anew', async () => {
    const id = await aCollection([await aCrawlOf([{ url: 'https://taken-over.example/' }])]);
    await setState(id, { indexState: 'saved', indexStats: null });
    await under.app.get(IndexUpkeep, { strict: false }).look();
    await settled(under);
    expect(await detail(id)).toMatchObject({ indexState: 'ready', indexStats: { uniqueHashes: 1, totalCrawls: 1 } });
  });

  it('takes an item that cannot be read as one with nothing in it', async () => {
    const broken = await anItem(under, oid, { contents: { [`broken-${serial}.wacz`]: Buffer.from('no zip') } });
    const id = await aCollection([broken, await aCrawlOf([{ url: 'https://a.example/' }])]);
    await index(id, 'create');
    await settled(under);
    expect(await detail(id)).toMatchObject({ indexState: 'ready', indexStats: { totalCrawls: 2, uniqueHashes: 1 } });
  });
});

describe('a crawl', () => {
  it('learns where bodies are, by the names of replay, and holds what it learnt of until it ends', async () => {
    const original = await aCrawlOf([
      { url: 'https://a.example/', body: 'asked', size: 7_000 },
      { url: 'https://a.example/old', body: 'of an older tool', ts: '20200102030405' },
    ]);
    const id = await aCollection([original]);
    await index(id, 'create');
    await settled(under);
    const { crawlId, ask } = await asking(id);
    expect(await stateOf(id)).toBe('crawling');
    const replay = (await owner.get(`/orgs/${oid}/crawls/${original}/replay.json`)).body;
    const [{ name, hash, size }] = replay.resources;
    expect(await ask('asked', 'unknown', 'of an older tool')).toEqual(
      expect.arrayContaining([
        {
          digest: digestOfBody('asked'),
          url: 'https://a.example/',
          date: '2020-11-01T12:00:00.123Z',
          size: 7_000,
          itemId: original,
          wacz: { name, hash, size },
        },
        expect.objectContaining({ date: '2020-01-02T03:04:05Z' }),
      ]),
    );
    expect(await ask('unknown')).toEqual([]);
    expect(await holds()).toBe(1);
    expect(failing(await index(id, 'delete'))).toEqual([400, 'dedupe_index_is_in_use']);
    await cancel(crawlId);
    expect(await holds()).toBe(0);
    expect(await stateOf(id)).toBe('ready');
    // A question that was under way leaves no hold behind.
    expect(await ask('asked')).toEqual([]);
    expect(await holds()).toBe(0);
  });

  it('is told nothing of items that left, are being deleted, or belong to another org or collection', async () => {
    const [left, marked] = [
      await aCrawlOf([{ url: 'https://a.example/', body: 'left' }]),
      await aCrawlOf([{ url: 'https://a.example/', body: 'marked' }]),
    ];
    const id = await aCollection([left, marked]);
    await index(id, 'create');
    await settled(under);
    const other = await aCollection();
    await index(other, 'create');
    const { crawlId, ask } = await asking(id);
    expect(await ask('left', 'marked')).toHaveLength(2);
    const elsewhere = (question: object) =>
      stage.driver.findOriginals({ oid, crawlId, collectionId: id, digests: [digestOfBody('left')], ...question });
    expect(await elsewhere({})).toHaveLength(1);
    expect(await elsewhere({ collectionId: other })).toEqual([]);
    expect(await elsewhere({ oid: '3f0f3c52-68f8-4d35-9a52-6f4a7bb1a111' })).toEqual([]);
    await under.connection.collection('crawls').updateOne({ _id: marked as never }, { $set: { deleted: true } });
    await owner.post(at(`/${id}/remove`), { crawlIds: [left] });
    expect(await ask('left', 'marked')).toEqual([]);
    await cancel(crawlId);
  });

  it('finds a body in another item after its first item has gone', async () => {
    const [first, second] = [
      await aCrawlOf([{ url: 'https://a.example/', body: 'twice' }]),
      await aCrawlOf([{ url: 'https://b.example/', body: 'twice' }]),
    ];
    const id = await aCollection([first]);
    await index(id, 'create');
    await settled(under);
    await owner.post(at(`/${id}/remove`), { crawlIds: [first] });
    await owner.post(at(`/${id}/add`), { crawlIds: [second] });
    await settled(under);
    const { crawlId, ask } = await asking(id);
    expect(await ask('twice')).toMatchObject([{ itemId: second, url: 'https://b.example/' }]);
    await cancel(crawlId);
  });

  it('waits while the index is brought up to date, and runs when it is ready or idle', async () => {
    const id = await aCollection();
    await index(id, 'create');
    await setState(id, { indexState: 'purging' });
    const crawlId = await stage.aCrawl({ dedupeCollId: id });
    await stage.until(crawlId, 'waiting_dedupe_index');
    await setState(id, { indexState: 'idle' });
    await stage.until(crawlId, 'running');
    expect(await stateOf(id)).toBe('crawling');
    await cancel(crawlId);
    expect(await stateOf(id)).toBe('ready');
  });

  it('makes the index on its first run, is committed to it, and tells what it saved', async () => {
    stage.driver.script({ pagesPerSeed: 2, pageSeconds: 1 });
    const id = await aCollection();
    const crawlId = await stage.aCrawl({ dedupeCollId: id, autoAddCollections: [id] });
    expect(await stateOf(id)).toBe('idle');
    expect(stage.driver.run(crawlId)?.jobSpec.dedupeCollectionId ?? id).toBe(id);
    await stage.until(crawlId, 'complete');
    await settled(under);
    expect(await detail(id)).toMatchObject({ indexState: 'ready', indexStats: { totalUrls: 2, totalCrawls: 1 } });
    const { body } = await owner.get(`/orgs/${oid}/crawls/${crawlId}`);
    expect(body.dedupeStats).toEqual({ uniqueHashes: 0, totalUrls: 2, dupeUrls: 0, conservedSize: 0 });
    expect(body.dedupeCollId).toBe(id);
  });

  it('links what it needed, and only then lets go of it', async () => {
    stage.driver.script({ pagesPerSeed: 2, pageSeconds: 5 });
    const original = await aCrawlOf([{ url: 'https://a.example/', body: 'needed' }]);
    const id = await aCollection([original]);
    await index(id, 'create');
    await settled(under);
    const { crawlId, ask } = await asking(id);
    expect(await ask('needed')).toHaveLength(1);
    stage.driver.run(crawlId)!.requiredCrawls = [original];
    await stage.until(crawlId, 'complete');
    expect(await holds()).toBe(0);
    expect((await owner.get(`/orgs/${oid}/crawls/${crawlId}`)).body.requiresCrawls).toEqual([original]);
    expect((await owner.get(`/orgs/${oid}/crawls/${original}`)).body.requiredByCrawls).toEqual([crawlId]);
  });

  it('needs what its originals need, too, when it may have skipped pages', async () => {
    stage.driver.script({ pagesPerSeed: 2, pageSeconds: 5 });
    const deeper = await aCrawlOf([{ url: 'https://a.example/picture', body: 'deeper' }]);
    const original = await aCrawlOf([{ url: 'https://a.example/', body: 'page' }], { requiresCrawls: [deeper] });
    const id = await aCollection([deeper, original]);
    await index(id, 'create');
    await settled(under);
    const other = await asking(id);
    const { config } = await stage.item(other.crawlId);
    await cancel(other.crawlId);
    for (const [depth, required] of [
      [-1, [original]],
      [1, [deeper, original]],
    ] as const) {
      const crawlId = await stage.aCrawl({ dedupeCollId: id, config: { ...config!, dedupePagesMinDepth: depth } });
      await stage.until(crawlId, 'running');
      stage.driver.run(crawlId)!.requiredCrawls = [original];
      await stage.until(crawlId, 'complete');
      const { requiresCrawls } = (await owner.get(`/orgs/${oid}/crawls/${crawlId}`)).body;
      expect([...requiresCrawls].sort()).toEqual([...required].sort());
    }
  });

  it('is told which originals are pages that have loaded, when it asks', async () => {
    const bodies = ['loaded', 'cut', 'unsaid', 'framed'];
    const original = await aCrawlOf(bodies.map((body) => ({ url: `https://p.example/${body}`, body })));
    const page = (path: string, loadState?: number) => ({
      url: `https://p.example/${path}`,
      ...(loadState === undefined ? {} : { loadState }),
    });
    await somePages(under, oid, original, [page('loaded', 2), page('cut', 1), page('unsaid')]);
    const id = await aCollection([original]);
    await index(id, 'create');
    await settled(under);
    const { crawlId, ask } = await asking(id);
    const digests = bodies.map(digestOfBody);
    const asked = { oid, crawlId, collectionId: id, digests, asksPages: true };
    const pages = (await stage.driver.findOriginals(asked)).filter(({ isPage }) => isPage);
    expect(pages.map(({ url }) => url).sort()).toEqual(['https://p.example/loaded', 'https://p.example/unsaid']);
    expect((await ask('loaded'))[0]).not.toHaveProperty('isPage');
    await cancel(crawlId);
  });

  it('goes on, captured whole, when its index is deleted under it', async () => {
    const original = await aCrawlOf([{ url: 'https://a.example/', body: 'lost' }]);
    const id = await aCollection([original]);
    await index(id, 'create');
    await settled(under);
    const { crawlId, ask } = await asking(id);
    await setState(id, { indexState: 'ready' });
    expect((await index(id, 'delete', { removeFromWorkflows: true })).body).toEqual({ deleted: true });
    expect(await ask('lost')).toEqual([]);
    await settled(under);
    expect(await stage.state(crawlId)).toBe('running');
    await cancel(crawlId);
    expect(await stateOf(id)).toBeNull();
  });
});

describe('a workflow', () => {
  const config = { seeds: [{ url: 'https://a.example/' }] };
  const make = async (body: object) => owner.post(`/orgs/${oid}/crawlconfigs/`, { name: 'w', config, ...body });
  const workflow = async (cid: string) => (await owner.get(`/orgs/${oid}/crawlconfigs/${cid}`)).body;

  it('makes the index of the collection that it names, and adds its crawls to it', async () => {
    const [one, two] = [await aCollection(), await aCollection()];
    const { status, body } = await make({ dedupeCollId: one });
    expect(status).toBe(200);
    expect(await workflow(body.id)).toMatchObject({ dedupeCollId: one, autoAddCollections: [one] });
    expect(await stateOf(one)).toBe('idle');
    const patched = await owner.patch(`/orgs/${oid}/crawlconfigs/${body.id}`, { dedupeCollId: two });
    expect(patched.body).toMatchObject({ updated: true, metadata_changed: true });
    expect(await stateOf(two)).toBe('idle');
    expect((await workflow(body.id)).autoAddCollections).toEqual(expect.arrayContaining([one, two]));
    const listed = (await owner.get(`/orgs/${oid}/crawlconfigs`, { dedupeCollId: two })).body;
    expect(listed.items.map(({ id }: { id: string }) => id)).toEqual([body.id]);
    expect((await index(two, 'delete', { removeFromWorkflows: true })).status).toBe(200);
    expect((await workflow(body.id)).dedupeCollId).toBeNull();
  });
});

describe('an upload', () => {
  it('is an original like any crawl', async () => {
    const id = await aCollection();
    await index(id, 'create');
    const raw = new Uint8Array(await indexedWacz([{ url: 'https://up.example/', body: 'uploaded' }]));
    const query = { filename: 'up.wacz', collections: id };
    const { status, body } = await owner.put(`/orgs/${oid}/uploads/stream`, undefined, { query, raw });
    expect(status).toBe(200);
    await settled(under);
    expect(await detail(id)).toMatchObject({ indexState: 'ready', indexStats: { uniqueHashes: 1, totalCrawls: 1 } });
    const { crawlId, ask } = await asking(id);
    const [resource] = (await owner.get(`/orgs/${oid}/uploads/${body.id}/replay.json`)).body.resources;
    const { name, hash, size } = resource;
    expect(await ask('uploaded')).toMatchObject([{ itemId: body.id, wacz: { name, hash, size } }]);
    await cancel(crawlId);
  });
});

describe('two services on one database', () => {
  it('import once', async () => {
    const second = await startApp({ like: under });
    try {
      const items = await Promise.all(
        Array.from({ length: 6 }, (_, n) =>
          aCrawlOf(Array.from({ length: 50 }, (_unused, k) => ({ url: `https://${n}.example/${k}`, body: `${k}` }))),
        ),
      );
      const id = await aCollection(items);
      await index(id, 'create');
      for (let n = 0; n < 3; n++) await Promise.all([settled(under), settled(second)]);
      expect(await detail(id)).toMatchObject({
        indexState: 'ready',
        indexStats: { totalUrls: 300, uniqueHashes: 50, estimatedRedundantSize: 250 * 5_000, totalCrawls: 6 },
      });
    } finally {
      await second.stop();
    }
  });
});
