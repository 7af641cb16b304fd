import type { Model } from 'mongoose';
import { newId } from '../../../src/common/ids/uuid.js';
import type { ItemFilter } from '../../../src/items/data/item-filter.js';
import { ItemBackfills } from '../../../src/items/data/item-backfills.js';
import { Item, ItemSchema } from '../../../src/items/data/item.schema.js';
import { ItemsQueries } from '../../../src/items/data/items.queries.js';
import type { Explained } from '../../support/test-database.js';
import { WatchedDatabase } from '../../support/watched-database.js';

const SIZE = 600;
const AT = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);
const PAGE = { skip: 0, limit: 20 };
const CRAWLS: ItemFilter = { type: 'crawl' };
/** Orders whose indexes do not begin with the org. */
const OF_ALL_ORGS = ['started', 'finished'];

describe('lists of the crawls of all orgs', () => {
  let database: WatchedDatabase;
  let queries: ItemsQueries;
  const oids = [newId(), newId(), newId()];
  const [cid, collectionId, userid] = [newId(), newId(), newId()];
  /** Values that more items have than would be sorted in memory. */
  const busy = {
    ...{ cid: newId(), collectionId: newId(), userid: newId(), firstSeed: 'https://often.org/' },
    ...{ name: 'Often', description: 'Of often' },
  };

  beforeAll(async () => {
    database = await WatchedDatabase.open();
    const model: Model<Item> = await database.model<Item>(Item.name, ItemSchema);
    await model.insertMany(
      Array.from({ length: SIZE }, (_, n) => ({
        ...{ _id: `manual-${n}`, oid: oids[n % 3], type: n % 20 ? 'crawl' : 'upload' },
        ...{ userid: n % 2 ? busy.userid : n % 50 ? newId() : userid, cid: n % 2 ? busy.cid : n % 50 ? newId() : cid },
        ...{ collectionIds: [...(n % 2 ? [busy.collectionId] : []), ...(n % 40 ? [] : [collectionId])] },
        ...{ state: n % 50 === 1 ? 'running' : 'complete', started: AT((n * 37) % 90), finished: AT(n % 70) },
        ...{ firstSeed: n % 2 ? busy.firstSeed : `https://${n % 13}.org/`, fileSize: n % 11, pageCount: n % 7 },
        ...{ name: n % 2 ? busy.name : `Name ${n % 50}`, description: n % 2 ? busy.description : `About ${n % 50}` },
        ...{ crawlExecSeconds: n % 17, reviewStatus: n % 4 || null, qaRunCount: n % 3 },
        ...(n % 5 ? {} : { lastQAState: n % 10 ? 'failed' : 'complete', lastQAStarted: AT(n % 80) }),
      })),
    );
    await model.collection.updateOne({ _id: 'manual-7' as never }, { $unset: { type: '' } });
    await new ItemBackfills(model.db).fillTypes();
    queries = new ItemsQueries(model);
  });
  afterAll(() => database?.close());

  /** Explains the list itself, without the queries that choose its index. */
  const planOf = async (list: () => Promise<unknown>): Promise<Explained | undefined> =>
    (await database.explain(list))[0];

  const orders = [
    ...OF_ALL_ORGS,
    ...['fileSize', 'firstSeed', 'pageCount', 'reviewStatus', 'lastQAState', 'lastQAStarted'],
  ];
  const inBothDirections = (fields: string[]) => fields.flatMap((field) => [[field, 1] as const, [field, -1] as const]);
  const bothWays = inBothDirections(orders);
  /** Orders that are made by sorting what an index has of all crawls. */
  const sorted = inBothDirections(['qaRunCount', 'crawlExecSeconds']);
  const some = Array.from({ length: 400 }, (_, n) => `manual-${n}`);
  const leavingMany: ItemFilter[] = [
    ...[{}, { states: ['complete'] }, { ids: some }],
    ...Object.entries(busy).map(([field, value]) => ({ [field]: value })),
  ];

  it.each(bothWays)('by %s %s read one index in order, whatever leaves many', async (field, direction) => {
    const ofEach = field.startsWith('lastQA') ? `oid_1_${field}_${direction}_type_1` : `oid_1_type_1_${field}_-1`;
    const start = OF_ALL_ORGS.includes(field) ? `${field}_-1` : ofEach;
    for (const filter of leavingMany) {
      const request = { filter: { ...CRAWLS, ...filter }, sort: { field, direction } };
      const plan = await planOf(() => queries.pageAcrossOrgs({ ...request, bounds: PAGE }));
      const names = [...new Set(plan?.indexes)];
      expect([names.length, names[0]?.startsWith(start), plan?.sorted]).toEqual([1, true, 0]);
    }
  });

  it.each(bothWays)('by %s %s read few crawls of either end', async (field, direction) => {
    const sort = { field, direction };
    for (const skip of [0, SIZE * 0.95 - PAGE.limit]) {
      const request = { filter: CRAWLS, sort, bounds: { ...PAGE, skip } };
      const ofPage = await database.explain(() => queries.pageAcrossOrgs(request));
      expect(ofPage[0]?.docsExamined).toBeLessThanOrEqual(30);
      expect(ofPage[0]?.sorted).toBe(0);
    }
  });

  it.each(sorted)('by %s %s read the crawls of the page alone', async (field, direction) => {
    const request = { filter: CRAWLS, sort: { field, direction }, bounds: PAGE };
    const plans = await database.explain(() => queries.listAcrossOrgs(request));
    expect(plans.map(({ docsExamined }) => docsExamined)).toEqual([0, PAGE.limit]);
  });

  it.each([...bothWays, ...sorted])('by %s %s have each crawl once, from either end', async (field, direction) => {
    const sort = { field, direction };
    const bounds = Array.from({ length: 6 }, (_, n) => ({ skip: n * 100, limit: 100 }));
    const pages = await Promise.all(bounds.map((one) => queries.pageAcrossOrgs({ filter: CRAWLS, sort, bounds: one })));
    const all = pages.flatMap(({ items }) => items);
    expect([all.length, new Set(all.map(({ _id }) => _id)).size]).toEqual([SIZE * 0.95, SIZE * 0.95]);
    expect(pages.map(({ total }) => total)).toEqual(pages.map(() => SIZE * 0.95));
    const straight = await queries.listAcrossOrgs({ filter: CRAWLS, sort, bounds: { skip: 0, limit: SIZE } });
    expect(all.map(({ _id }) => _id)).toEqual(straight.map(({ _id }) => _id));
    const values = all.flatMap((item) => item[field as 'fileSize'] ?? []);
    expect(values).toEqual([...values].sort((a, b) => direction * (a < b ? -1 : a > b ? 1 : 0)));
  });

  it('are by start where no order is asked for', async () => {
    const plan = await planOf(() => queries.listAcrossOrgs({ filter: CRAWLS, sort: null, bounds: PAGE }));
    expect([plan?.indexes, plan?.sorted]).toEqual([['started_-1__id_-1'], 0]);
  });

  it.each<[string, ItemFilter, string]>([
    ['the states that run', { states: ['running', 'starting'] }, 'state_1_oid_1_type_1_started_1'],
    ['workflow', { cid }, 'cid_1_started_-1__id_-1'],
    ['collection', { collectionId }, 'oid_1_collectionIds_1_finished_-1__id_1'],
    ['user', { userid }, 'oid_1_userid_1'],
    ['first seed', { firstSeed: 'https://4.org/' }, 'oid_1_type_1_firstSeed_-1__id_-1'],
    ['name', { name: 'Name 4' }, 'oid_1_type_1_name_1'],
    ['description', { description: 'About 4' }, 'oid_1_type_1_description_1'],
    ['ids', { ids: ['manual-5', 'manual-6'] }, '_id_'],
  ])('of a selective %s read its index and sort what it leaves', async (_name, filter, index) => {
    const request = { filter: { ...CRAWLS, ...filter }, sort: { field: 'pageCount', direction: -1 as const } };
    const plan = await planOf(() => queries.pageAcrossOrgs({ ...request, bounds: PAGE }));
    expect([...new Set(plan?.indexes)]).toEqual([index]);
    expect(plan?.docsExamined).toBeLessThanOrEqual(30);
    expect(plan?.sorted).toBeLessThanOrEqual(30);
  });

  it('of a name or a description of any org are all found, and counted by their index', async () => {
    for (const filter of [{ name: 'Name 4' }, { description: 'About 4' }]) {
      const request = { filter: { ...CRAWLS, ...filter }, sort: null, bounds: PAGE };
      const { items, total } = await queries.pageAcrossOrgs(request);
      expect([items.length, total]).toEqual([12, 12]);
      expect(new Set(items.map(({ oid }) => oid)).size).toBe(oids.length);
      const plans = await database.explain(() => queries.pageAcrossOrgs(request));
      expect(plans.filter(({ docsExamined }) => docsExamined > 12)).toEqual([]);
    }
  });

  it('are counted without reading a crawl', async () => {
    const isOfCrawls = ({ docsExamined }: Explained): boolean => docsExamined > SIZE / 20;
    for (const filter of [
      CRAWLS,
      { ...CRAWLS, states: ['complete'] },
      { ...CRAWLS, states: ['running', 'complete'] },
    ]) {
      const plans = await database.explain(() => queries.countAcrossOrgs(filter));
      expect(plans.filter(isOfCrawls)).toEqual([]);
      const bounds = { skip: 0, limit: SIZE };
      const { length } = await queries.listAcrossOrgs({ filter, sort: null, bounds });
      expect(await queries.countAcrossOrgs(filter)).toBe(length);
    }
    expect(await queries.countAcrossOrgs({ ...CRAWLS, cid })).toBe(6);
    expect(await queries.countAcrossOrgs({ ...CRAWLS, states: ['running'] })).toBe(12);
  });
});
