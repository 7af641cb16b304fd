import { createHash } from 'node:crypto';
import { Redis } from 'ioredis';
import { RedisOriginals } from '../../../crawler/container/redis-originals.js';
import { CrawlControl } from '../../../src/crawls/control/crawl-control.js';
import { IndexCopier } from '../../../src/dedupe/index-copier.js';
import { SharedRedis } from '../../../src/drivers/containers/run-redis.js';
import type { IndexCopy } from '../../../src/drivers/index-copy.js';
import type { ApiClient } from '../../support/api-client.js';
import { anItem, settled } from '../../support/archive.js';
import { CrawlStage } from '../../support/crawl-stage.js';
import { eventually } from '../../support/eventually.js';
import { digestOfBody, indexedWacz, type Capture } from '../../support/indexed-wacz.js';
import { RedisServer } from '../../support/redis-server.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';

/** Bodies that a copy has at most. */
const MOST = 2_600;

const redis = await RedisServer.start();
afterAll(() => redis?.stop());

/** What `RedisServer` says loudly when there is no Redis. */
(redis ? describe : describe.skip)('crawls that read a copy of their index in Redis', () => {
  let under: AppUnderTest;
  let stage: CrawlStage;
  let oid: string;
  let owner: ApiClient;
  let client: Redis;
  let shared: SharedRedis;
  const open: RedisOriginals[] = [];
  let serial = 0;

  beforeAll(async () => {
    under = await startApp({ env: { CRAWL_DEDUPE_DIGESTS: String(MOST) } });
    stage = await CrawlStage.of(under);
    ({ oid } = stage);
    owner = await under.admin();
    client = new Redis(redis!.url, { maxRetriesPerRequest: 1, retryStrategy: () => 50 });
    client.on('error', () => undefined);
    shared = new SharedRedis({ redis: client, url: redis!.url });
  });
  beforeEach(() => {
    stage.driver.script({ pagesPerSeed: 100, pageSeconds: 5 });
    stage.driver.openIndexCopy = async (id) => {
      const found = await shared.index(id);
      return found === 'none' ? found : found.copy;
    };
  });
  afterEach(() => {
    for (const one of open.splice(0)) one.close();
  });
  afterAll(async () => {
    shared?.close();
    client?.disconnect();
    await under?.close();
  });

  const at = (path: string): string => `/orgs/${oid}/collections${path}`;
  const copier = (on = under): IndexCopier => on.app.get(IndexCopier, { strict: false });
  const holds = (crawlId: string) => under.connection.collection('item_holds').countDocuments({ crawlId });
  const aCrawlOf = async (...captures: Capture[]): Promise<string> =>
    anItem(under, oid, { contents: { [`crawl-${(serial += 1)}.wacz`]: await indexedWacz(captures) } });

  async function anIndexOf(...crawlIds: string[]): Promise<string> {
    const { body } = await owner.post(at(''), { name: `Copied ${(serial += 1)}`, crawlIds });
    expect((await owner.post(at(`/${body.id}/dedupeIndex/create`))).status).toBe(200);
    await settled(under);
    return body.id;
  }

  async function waiting(dedupeCollId: string): Promise<string> {
    const crawlId = await stage.aCrawl({ dedupeCollId });
    await stage.until(crawlId, 'waiting_dedupe_index');
    return crawlId;
  }

  /** Lets the copies follow what has changed. */
  async function followed(): Promise<void> {
    await settled(under);
    under.clock.advance(20_000);
    await copier().drain();
  }

  /** A crawl that runs, and what its crawler finds of these bodies. */
  async function running(dedupeCollId: string) {
    const crawlId = await waiting(dedupeCollId);
    await copier().drain();
    await stage.until(crawlId, 'running');
    return { crawlId, find: await finder(crawlId) };
  }

  async function finder(crawlId: string) {
    const place = await shared.index(crawlId);
    if (place === 'none') throw new Error('no place');
    const originals = new RedisOriginals(place.url, () => undefined);
    open.push(originals);
    return async (...bodies: string[]) => {
      // It asks nobody before it is connected.
      await eventually(() => expect(originals.isReady).toBe(true));
      return originals.find(bodies.map(digestOfBody));
    };
  }

  const cancel = async (crawlId: string): Promise<void> => {
    await under.app.get(CrawlControl, { strict: false }).cancel(await stage.org(), crawlId);
    await stage.until(crawlId, 'canceled');
    await shared.remove(crawlId);
  };

  it('wait until it is filled, find what the index has by the names of replay, and hold it', async () => {
    const original = await aCrawlOf(
      { url: 'https://a.example/ü', body: 'whole', size: 7_000 },
      { url: 'https://a.example/old', body: 'of an older tool', ts: '20200102030405' },
      { url: 'https://a.example/small', body: 'small', size: 999 },
    );
    const id = await anIndexOf(original);
    const { crawlId, find } = await running(id);
    const replay = (await owner.get(`/orgs/${oid}/crawls/${original}/replay.json`)).body;
    const [{ name, hash, size }] = replay.resources;
    expect(await find('whole', 'unknown', 'small', 'of an older tool')).toEqual([
      {
        digest: digestOfBody('whole'),
        url: 'https://a.example/ü',
        date: '2020-11-01T12:00:00.123Z',
        size: 7_000,
        itemId: original,
        wacz: { name, hash, size },
      },
      expect.objectContaining({ url: 'https://a.example/old', date: '2020-01-02T03:04:05.000Z' }),
    ]);
    expect(await holds(crawlId)).toBe(1);
    await cancel(crawlId);
    expect(await holds(crawlId)).toBe(0);
  });

  it('have the keys of the official crawler', async () => {
    const original = await aCrawlOf({ url: 'https://a.example/', body: 'official', size: 7_000 });
    const { crawlId } = await running(await anIndexOf(original));
    const place = await shared.index(crawlId);
    const index = new Redis(place === 'none' ? '' : place.url);
    const digest = createHash('sha256').update('official').digest('hex');
    expect(await index.hget('alldupes', digest)).toBe(original);
    expect(await index.hget(`h:${original}`, digest)).toBe('0 20201101120000123 https://a.example/ 7000');
    expect(JSON.parse((await index.lindex(`c:${original}:wacz`, 0)) ?? '')).toMatchObject({
      filename: expect.stringMatching(/\.wacz$/) as unknown,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
    });
    index.disconnect();
    await cancel(crawlId);
  });

  it('follow what joins and leaves the collection', async () => {
    const first = await aCrawlOf(
      { url: 'https://a.example/', body: 'shared' },
      { url: 'https://a.example/1', body: '1' },
    );
    const later = await aCrawlOf(
      { url: 'https://b.example/', body: 'shared' },
      { url: 'https://b.example/2', body: '2' },
    );
    const id = await anIndexOf(first);
    const { crawlId, find } = await running(id);
    await owner.post(at(`/${id}/add`), { crawlIds: [later] });
    await followed();
    expect((await find('shared', '1', '2')).map(({ itemId }) => itemId)).toEqual([first, first, later]);
    await owner.post(at(`/${id}/remove`), { crawlIds: [first] });
    await followed();
    // It is still held, since the crawl may have found it before.
    expect(await find('1')).toEqual([]);
    expect(await holds(crawlId)).toBe(2);
    await owner.post(at(`/${id}/add`), { crawlIds: [first] });
    await followed();
    expect((await find('1')).map(({ itemId }) => itemId)).toEqual([first]);
    await cancel(crawlId);
  });

  it('keep the files of what is deleted under them, and find it no more', async () => {
    const original = await aCrawlOf({ url: 'https://a.example/', body: 'kept' });
    const { crawlId, find } = await running(await anIndexOf(original));
    const { status } = await owner.post(`/orgs/${oid}/all-crawls/delete`, { crawl_ids: [original] });
    expect(status).toBe(200);
    const kept = () => under.connection.collection('retained_items').findOne({ _id: original as never });
    expect(await kept()).toMatchObject({ files: [expect.anything()] });
    await followed();
    expect(await find('kept')).toEqual([]);
    await cancel(crawlId);
  });

  it('go on, captured whole, when their index is deleted under them', async () => {
    const original = await aCrawlOf({ url: 'https://a.example/', body: 'lost' });
    const id = await anIndexOf(original);
    const { crawlId, find } = await running(id);
    expect(await find('lost')).toHaveLength(1);
    await under.connection
      .collection('collections')
      .updateMany({ indexState: 'crawling' }, { $set: { indexState: 'ready' } });
    expect((await owner.post(at(`/${id}/dedupeIndex/delete`), {})).status).toBe(200);
    await followed();
    expect(await find('lost')).toEqual([]);
    expect(await stage.state(crawlId)).toBe('running');
    await cancel(crawlId);
  });

  it('have their copy filled again after Redis lost its data', async () => {
    const original = await aCrawlOf({ url: 'https://a.example/', body: 'again' });
    const { crawlId } = await running(await anIndexOf(original));
    await redis!.kill({ empty: true });
    await redis!.up();
    await eventually(() => client.ping());
    await followed();
    expect(await (await finder(crawlId))('again')).toHaveLength(1);
    await cancel(crawlId);
  });

  it('get all of it though processes that filled it were cut short at every write', async () => {
    const captures = Array.from({ length: 2_500 }, (_, n) => ({ url: `https://a.example/${n}`, body: `cut ${n}` }));
    const id = await anIndexOf(await aCrawlOf(...captures.slice(0, 1_500)), await aCrawlOf(...captures.slice(1_000)));
    const full = stage.driver.openIndexCopy!;
    let allowed = 0;
    let cuts = 0;
    stage.driver.openIndexCopy = async (job) => {
      const copy = await full(job);
      let left = allowed++;
      return typeof copy === 'string' ? copy : cutShort(copy, () => left-- > 0 || (cuts++, false));
    };
    const crawlId = await waiting(id);
    await eventually(async () => {
      under.clock.advance(2_000);
      await copier().drain();
      expect(
        await under.connection.collection('dedupe_copies').countDocuments({ _id: crawlId as never, ready: true }),
      ).toBe(1);
    });
    expect(cuts).toBeGreaterThan(5);
    const find = await finder(crawlId);
    const found = (await Promise.all([0, 999, 1_250, 1_999, 2_499].map((n) => find(`cut ${n}`)))).flat();
    expect(found).toHaveLength(5);
    const place = await shared.index(crawlId);
    expect(place === 'none' ? 0 : await place.copy.size()).toBe(2_500);
    await cancel(crawlId);
  });

  it('start with a part of it where Redis or the settings have room for no more', async () => {
    const captures = Array.from({ length: MOST + 100 }, (_, n) => ({ url: `https://a.example/${n}`, body: `r ${n}` }));
    const id = await anIndexOf(await aCrawlOf(...captures));
    const partly = await running(id);
    expect(await partly.find(...captures.map(({ body }) => body))).toHaveLength(MOST);
    const full = stage.driver.openIndexCopy!;
    stage.driver.openIndexCopy = () => Promise.resolve('later');
    const refused = await waiting(id);
    await shared.index(refused);
    stage.driver.openIndexCopy = full;
    await client.config('SET', 'maxmemory', '1');
    under.clock.advance(2_000);
    await copier().drain();
    await client.config('SET', 'maxmemory', '0');
    await stage.until(refused, 'running');
    await cancel(refused);
    await cancel(partly.crawlId);
  });

  it('start without it where Redis has no database left, and never touch what others store there', async () => {
    const id = await anIndexOf(await aCrawlOf({ url: 'https://a.example/', body: 'place' }));
    const others = Array.from({ length: 15 }, (_, n) => new Redis(redis!.url.replace(/0$/, String(n + 1))));
    for (const one of others) await one.set('somebody', 'else');
    const crawlId = await waiting(id);
    await copier().drain();
    await stage.until(crawlId, 'running');
    await cancel(crawlId);
    await others[7]!.del('somebody');
    const { crawlId: next, find } = await running(id);
    expect(await find('place')).toHaveLength(1);
    await cancel(next);
    expect(await others[7]!.dbsize()).toBe(0);
    expect(await Promise.all(others.map((one) => one.get('somebody')))).toEqual(
      others.map((_, n) => (n === 7 ? null : 'else')),
    );
    for (const one of others) {
      await one.del('somebody');
      one.disconnect();
    }
  });

  it('are filled once by any number of services, in databases of their own', async () => {
    const second = await startApp({ like: under });
    try {
      const id = await anIndexOf(await aCrawlOf({ url: 'https://a.example/', body: 'twice' }));
      const crawlIds = await Promise.all([waiting(id), waiting(id)]);
      await Promise.all([copier().drain(), copier(second).drain()]);
      const places = await Promise.all(crawlIds.map((crawlId) => shared.index(crawlId)));
      expect(new Set(places.map((place) => (place === 'none' ? '' : place.url))).size).toBe(2);
      for (const crawlId of crawlIds) expect(await (await finder(crawlId))('twice')).toHaveLength(1);
      for (const crawlId of crawlIds) await cancel(crawlId);
    } finally {
      await second.stop();
    }
  });
});

/** The copy, until a write is not allowed. */
const cutShort = (copy: IndexCopy, mayWrite: () => boolean): IndexCopy =>
  new Proxy(copy, {
    get(target, name: keyof IndexCopy) {
      // No promise, though it comes out of one.
      if ((name as string) === 'then') return undefined;
      const method = target[name] as (...args: unknown[]) => unknown;
      return async (...args: unknown[]) => {
        if (name !== 'sources' && name !== 'size' && !mayWrite()) throw new Error('cut short');
        return method.apply(target, args);
      };
    },
  });
