import { newId } from '../../../src/common/ids/uuid.js';
import { WebdataQueries, type WebdataFilter, type WebdataRow } from '../../../src/exchange/data/webdata.queries.js';
import { Item, ItemSchema } from '../../../src/items/data/item.schema.js';
import { WatchedDatabase } from '../../support/watched-database.js';

const ITEMS = 600;
const AT = (n: number): Date => new Date(Date.UTC(2026, 0, 1) + n * 1000);
const [oid, other, foreign, collectionId] = [newId(), newId(), newId(), newId()];
const all: WebdataFilter = { oids: [oid, other], started: {}, made: {} };

describe('lists of files by WASAPI', () => {
  let database: WatchedDatabase;
  let queries: WebdataQueries;

  beforeAll(async () => {
    database = await WatchedDatabase.open();
    const model = await database.model<Item>(Item.name, ItemSchema);
    const rows = Array.from({ length: ITEMS }, (_, n) => ({
      ...{ _id: `manual-${n}`, oid: [oid, other, foreign][n % 3], type: 'crawl', userid: oid, state: 'complete' },
      // Several items begin in the same second.
      ...{ started: AT(Math.floor(n / 10)), finished: AT(n), collectionIds: n < 30 ? [collectionId] : [] },
      files: [0, 1].map((part) => ({ filename: `x/${n}-${part}.wacz`, size: 1, storage: { name: 'default' } })),
    }));
    await model.collection.insertMany(rows.map((row) => new model(row).toObject()) as never[]);
    queries = new WebdataQueries(model);
  });
  afterAll(() => database?.close());

  const keyOf = ({ _id, index }: WebdataRow): string => `${_id} ${index}`;

  it('are read along an index, a page deep in the list no less than the first', async () => {
    const first = await database.explain(() => queries.page(all, { skip: 0, limit: 20 }));
    expect(first.map(({ sorted, indexes }) => [sorted, indexes])).toEqual([[0, ['oid_1_started_-1__id_-1']]]);
    const rows = await queries.page(all, { skip: 700, limit: 1 });
    const deep = await database.explain(() =>
      queries.after(all, { ...rows[0]!, itemId: rows[0]!._id, index: rows[0]!.index }, 20),
    );
    expect(deep[0]!.indexes).toEqual(['oid_1_started_-1__id_-1']);
    expect(Math.max(...deep.map(({ sorted }) => sorted))).toBe(0);
  });

  it('of few items or a collection read no others', async () => {
    const some = { ...all, itemIds: ['manual-3', 'manual-4'] };
    const [byId] = await database.explain(() => queries.page(some, { skip: 0, limit: 20 }));
    expect(byId!.docsExamined).toBeLessThanOrEqual(2);
    const ofCollection = { ...all, collectionIds: [collectionId] };
    const [members] = await database.explain(() => queries.page(ofCollection, { skip: 0, limit: 20 }));
    expect(members!.docsExamined).toBeLessThanOrEqual(20);
    expect(await queries.count(ofCollection)).toBe(40);
  });

  it('tell each file once, wherever the pages are cut', async () => {
    const whole = (await queries.page(all, { skip: 0, limit: 10_000 })).map(keyOf);
    expect([whole.length, new Set(whole).size, await queries.count(all)]).toEqual([800, 800, 800]);
    const seen: string[] = [];
    let page = await queries.page(all, { skip: 0, limit: 37 });
    while (page.length > 0) {
      seen.push(...page.map(keyOf));
      const last = page.at(-1)!;
      page = await queries.after(all, { ...last, itemId: last._id }, 37);
    }
    expect(seen).toEqual(whole);
  });
});
