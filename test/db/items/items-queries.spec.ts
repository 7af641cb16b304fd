import type { Model } from 'mongoose';
import { newId } from '../../../src/common/ids/uuid.js';
import { uuid } from '../../../src/database/uuid-codec.js';
import { ItemBackfills } from '../../../src/items/data/item-backfills.js';
import { Item, ItemSchema } from '../../../src/items/data/item.schema.js';
import type { ItemFilter } from '../../../src/items/data/item-filter.js';
import { countHint, queryAlong } from '../../../src/items/data/item-hints.js';
import { ItemsQueries, type ItemSort } from '../../../src/items/data/items.queries.js';
import { ItemValuesQueries } from '../../../src/items/data/item-values.queries.js';
import { Workflow, WorkflowSchema } from '../../../src/workflows/data/workflow.schema.js';
import { explained, type Explained } from '../../support/test-database.js';
import { WatchedDatabase } from '../../support/watched-database.js';

/** With the one of ids there is one more. */
const MOST_INDEXES = 29;
const AT = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);

/** Orders of lists of both types that an index has. */
const SORT_FIELDS = ['started', 'finished', 'fileSize', 'reviewStatus', 'lastQAState', 'lastQAStarted', 'firstSeed'];
/** Orders of lists of one type that an index has. */
const TYPED_SORT_FIELDS = [...SORT_FIELDS, 'pageCount'];
/** Orders that are made by sorting what an index has of all items. */
const SORTED_FIELDS = ['qaRunCount', 'crawlExecSeconds'];
const bothWays = (fields: string[]) => fields.flatMap((field) => [[field, 1] as const, [field, -1] as const]);
const isByQa = (field: string): boolean => field === 'lastQAState' || field === 'lastQAStarted';
const sortBy = (field: string, direction: 1 | -1): ItemSort => ({ field, direction });
/** The name of the index of an order. */
const indexOf = (field: string, direction: 1 | -1): string =>
  isByQa(field)
    ? `oid_1_${field}_${direction}_type_1__id_${direction}`
    : `oid_1_type_1_${field}_-1__id_-1${field === 'pageCount' ? '_state_1_qaRunCount_1_crawlExecSeconds_1' : ''}`;

describe('lists of items', () => {
  let database: WatchedDatabase;
  let model: Model<Item>;
  let queries: ItemsQueries;
  let values: ItemValuesQueries;
  const [oid, otherOid, cid, collectionId, dedupeCollId, userid] = Array.from({ length: 6 }, newId) as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];

  const item = (_id: string, n: number, more: Partial<Item> = {}): Partial<Item> => ({
    _id,
    oid,
    type: 'crawl',
    userid: newId(),
    state: 'complete',
    started: AT(n),
    finished: AT(n + 60),
    fileSize: n * 10,
    ...more,
  });

  beforeAll(async () => {
    database = await WatchedDatabase.open();
    model = await database.model<Item>(Item.name, ItemSchema);
    queries = new ItemsQueries(model);
    const workflows = await database.model<Workflow>(Workflow.name, WorkflowSchema);
    values = new ItemValuesQueries(model, workflows);
    await workflows.insertMany([
      { _id: cid, oid, name: '', firstSeed: 'https://seed.org/', config: {}, created: AT(0), modified: AT(0) },
    ]);
  });
  afterAll(() => database?.close());

  describe('filters', () => {
    beforeAll(async () => {
      await model.insertMany([
        item('manual-a', 1, { cid, name: 'Été', tags: ['x', 'y'], reviewStatus: 2, firstSeed: 'https://a.org/' }),
        item('manual-b', 2, { cid, tags: ['x'], reviewStatus: 5, state: 'failed', dedupeCollId, userid }),
        item('manual-c', 3, { requiresCrawls: ['manual-a'], collectionIds: [collectionId], description: 'D' }),
        item('upload-d', 4, {
          type: 'upload',
          tags: ['y'],
          requiredByCrawls: ['manual-c'],
          state: 'processing-upload',
        }),
        item('manual-z', 5, { oid: otherOid, cid, name: 'Été', collectionIds: [collectionId] }),
      ]);
      await model.collection.updateOne({ _id: 'manual-c' as never }, { $unset: { type: '', requiredByCrawls: '' } });
      await new ItemBackfills(model.db).fillTypes();
    });
    afterAll(() => model.deleteMany({}));

    it.each<[string, ItemFilter, string[]]>([
      ['nothing asked', {}, ['manual-a', 'manual-b', 'manual-c', 'upload-d']],
      ['crawls, those without a type too', { type: 'crawl' }, ['manual-a', 'manual-b', 'manual-c']],
      ['uploads', { type: 'upload' }, ['upload-d']],
      ['states', { states: ['failed', 'processing-upload'] }, ['manual-b', 'upload-d']],
      ['an unknown state', { states: ['gone'] }, []],
      ['workflow', { cid }, ['manual-a', 'manual-b']],
      ['user', { userid }, ['manual-b']],
      ['name, exactly', { name: 'Été' }, ['manual-a']],
      ['name in another case', { name: 'été' }, []],
      ['description', { description: 'D' }, ['manual-c']],
      ['first seed', { firstSeed: 'https://a.org/' }, ['manual-a']],
      ['all tags', { tags: ['x', 'y'], tagMatch: 'and' }, ['manual-a']],
      ['any tag', { tags: ['x', 'y'], tagMatch: 'or' }, ['manual-a', 'manual-b', 'upload-d']],
      ['collection', { collectionId }, ['manual-c']],
      ['dedupe collection', { dedupeCollId }, ['manual-b']],
      ['requires any of', { requiresCrawls: ['manual-a', 'manual-q'] }, ['manual-c']],
      ['required by any of', { requiredByCrawls: ['manual-c'] }, ['upload-d']],
      ['requires something', { hasRequiresCrawls: true }, ['manual-c']],
      ['requires nothing', { hasRequiresCrawls: false }, ['manual-a', 'manual-b', 'upload-d']],
      [
        'required by nothing, also where the list is missing',
        { hasRequiredByCrawls: false },
        ['manual-a', 'manual-b', 'manual-c'],
      ],
      ['the list wins over the flag', { requiresCrawls: ['manual-a'], hasRequiresCrawls: false }, ['manual-c']],
      ['ids', { ids: ['manual-b', 'manual-z'] }, ['manual-b']],
      ['review range', { reviewStatus: { min: 3, max: 5 } }, ['manual-b']],
      ['one review value', { reviewStatus: { min: 2, max: 2 } }, ['manual-a']],
    ])('%s', async (_name, filter, expected) => {
      const found = await queries.list(oid, {
        filter,
        sort: { field: '_id', direction: 1 },
        bounds: { skip: 0, limit: 50 },
      });
      expect(found.map(({ _id }) => _id)).toEqual(expected);
      expect(await queries.count(oid, filter)).toBe(expected.length);
    });

    it('counts tags of successful items, or of all, by frequency and then by name', async () => {
      expect(await queries.tagCounts(oid, null, true)).toEqual([
        { tag: 'x', count: 1 },
        { tag: 'y', count: 1 },
      ]);
      expect(await queries.tagCounts(oid, 'upload', false)).toEqual([{ tag: 'y', count: 1 }]);
      expect(await queries.tagCounts(otherOid, null, false)).toEqual([]);
    });

    it('offers distinct values without the empty ones, of one type or collection, the newest ids first', async () => {
      expect(await values.searchValues(oid, {})).toEqual({
        ids: ['upload-d', 'manual-c', 'manual-b', 'manual-a'],
        names: ['Été'],
        descriptions: ['D'],
        firstSeeds: ['https://seed.org/'],
      });
      expect((await values.searchValues(oid, { collectionId })).ids).toEqual(['manual-c']);
      expect((await values.searchValues(oid, { type: 'upload' })).firstSeeds).toEqual([]);
    });
  });

  describe('plans over many items', () => {
    const SIZE = 1500;
    /** An id used both for a workflow and for a collection. */
    const busy = newId();

    beforeAll(async () => {
      const many = Array.from({ length: SIZE }, (_, n) =>
        item(`manual-${n}`, (n * 7919) % SIZE, {
          type: n % 10 === 0 ? 'upload' : 'crawl',
          state: n % 5 === 0 ? 'failed' : 'complete',
          name: `Item ${n}`,
          ...(n % 40 ? {} : { requiresCrawls: ['manual-1'], userid, dedupeCollId, state: 'canceled' }),
          tags: [`t${n % 300}`, ...(n % 2 ? ['often'] : [])],
          cid: n % 100 === 0 ? cid : n % 2 ? busy : newId(),
          collectionIds: n % 50 === 0 ? [collectionId] : n % 2 ? [busy] : [],
          reviewStatus: n % 6 || null,
          ...(n % 2 ? { firstSeed: 'https://often.org/' } : {}),
          lastQAState: n % 4 ? null : 'complete',
          lastQAStarted: n % 4 ? null : AT(n),
        }),
      );
      await model.insertMany(many);
    });

    const explain = async (filter: ItemFilter, sort: ItemSort | null): Promise<Explained> => {
      const request = { filter, sort, bounds: { skip: 0, limit: 20 } };
      const [found] = await database.explain(() => queries.list(oid, request));
      if (!found) throw new Error('nothing was read');
      return found;
    };

    it.each(bothWays(SORT_FIELDS))(
      'by %s %s, with the states that the client always sends, reads one index in order',
      async (field, direction) => {
        for (const filter of [{}, { states: ['complete', 'stopped_by_user'] }]) {
          const found = await explain(filter, sortBy(field, direction));
          const index = field === 'finished' ? 'oid_1_finished_-1__id_-1' : indexOf(field, direction);
          expect([...new Set(found.indexes)]).toEqual([index]);
          expect(found.sorted).toBe(0);
          expect(found.docsExamined).toBeLessThanOrEqual(120);
        }
      },
    );

    it.each(bothWays(TYPED_SORT_FIELDS))(
      'of one type by %s %s reads no item of the other',
      async (field, direction) => {
        for (const type of ['crawl', 'upload'] as const) {
          const found = await explain({ type }, sortBy(field, direction));
          expect(found.indexes).toEqual([indexOf(field, direction)]);
          expect(found.sorted).toBe(0);
          expect(found.docsExamined).toBeLessThanOrEqual(20);
        }
      },
    );

    it.each(bothWays(SORTED_FIELDS))('by %s %s reads no items but those of the page', async (field, direction) => {
      for (const filter of [{}, { type: 'crawl' as const, states: ['complete'] }]) {
        const request = { filter, sort: sortBy(field, direction), bounds: { skip: 40, limit: 20 } };
        const found = await database.explain(() => queries.list(oid, request));
        expect(found.map(({ docsExamined }) => docsExamined).filter((number) => number > 0)).toEqual([20]);
      }
    });

    it('without an order reads one index, whatever the type', async () => {
      for (const filter of [{}, { type: 'crawl' as const }, { type: 'upload' as const }]) {
        const found = await explain(filter, null);
        expect([...new Set(found.indexes)]).toEqual(['oid_1_type_1_started_-1__id_-1']);
        expect([found.sorted, found.docsExamined]).toEqual([0, 20]);
      }
    });

    it.each<[string, ItemFilter]>([
      ['name', { name: 'Item 42' }],
      ['tag', { tags: ['t7'] }],
      ['workflow', { cid }],
      ['collection', { collectionId }],
      ['ids', { ids: ['manual-5', 'manual-6'] }],
      ['dependencies', { hasRequiresCrawls: true }],
      ['user', { userid }],
      ['dedupe collection', { dedupeCollId }],
      ['a rare state', { states: ['canceled'] }],
    ])('a selective filter by %s reads its own index', async (_name, filter) => {
      const found = await explain(filter, sortBy('finished', -1));
      expect(found.stages).not.toContain('COLLSCAN');
      expect(found.docsExamined).toBeLessThanOrEqual(60);
      expect(found.sorted).toBeLessThanOrEqual(100);
    });

    it.each(bothWays(SORT_FIELDS))(
      'a filter that leaves many is read in the order of %s %s, nothing sorted',
      async (field, direction) => {
        const many = Array.from({ length: 700 }, (_, n) => `manual-${n * 2 + 1}`);
        for (const filter of [{ tags: ['often'] }, { collectionId: busy }, { cid: busy }, { ids: many }]) {
          const found = await explain(filter, sortBy(field, direction));
          expect(found.stages).not.toContain('COLLSCAN');
          expect(found.sorted).toBe(0);
        }
      },
    );

    it.each<[string, ItemFilter]>([
      ['firstSeed', { firstSeed: 'https://often.org/' }],
      ['reviewStatus', { reviewStatus: { min: 3, max: 3 } }],
    ])('an order by %s, which all matches have alike, is not made by sorting them', async (field, filter) => {
      for (const type of [null, 'crawl'] as const)
        for (const direction of [1, -1] as const) {
          const found = await explain({ ...filter, type }, { field, direction });
          expect(found.sorted).toBe(0);
          expect(found.docsExamined).toBeLessThanOrEqual(20);
        }
    });

    it('reads nothing but an index to count what the client asks for', async () => {
      const filters: ItemFilter[] = [
        {},
        { type: 'crawl' },
        { states: ['complete'] },
        { type: 'upload', states: ['failed'] },
      ];
      for (const filter of [...filters, { userid }, { hasRequiresCrawls: true }, { dedupeCollId }]) {
        const match = { $match: model.find({ ...queryAlong(filter, countHint(filter)), oid }).cast(model) };
        const pipeline = [match, { $group: { _id: 1, n: { $sum: 1 } } }] as never[];
        const output = await model.collection
          .aggregate(pipeline, { hint: countHint(filter) })
          .explain('executionStats');
        const found = explained(output);
        expect(found.docsExamined).toBe(0);
      }
    });

    it.each([null, ...TYPED_SORT_FIELDS, ...SORTED_FIELDS])(
      'gives the same pages from either end, by %s',
      async (field) => {
        const untyped = field === null || SORT_FIELDS.includes(field);
        for (const type of [...(untyped ? [null] : []), 'crawl', 'upload'] as const)
          for (const direction of [1, -1] as const) {
            const request = {
              filter: { type, hasRequiresCrawls: false },
              sort: field ? sortBy(field, direction) : null,
            };
            const straight = await queries.list(oid, { ...request, bounds: { skip: 0, limit: SIZE } });
            const ids = straight.map(({ _id }) => _id);
            for (const skip of [0, 90, 333, ids.length - 7, ids.length + 3]) {
              const { items, total } = await queries.page(oid, { ...request, bounds: { skip, limit: 50 } });
              expect(total).toBe(ids.length);
              expect(items.map(({ _id }) => _id)).toEqual(ids.slice(skip, skip + 50));
            }
          }
      },
    );

    it('gives every item once over all pages, whatever the order', async () => {
      for (const field of ['reviewStatus', 'lastQAState'] as const) {
        const seen: string[] = [];
        for (let skip = 0; skip < SIZE; skip += 400) {
          const page = await queries.list(oid, { filter: {}, sort: sortBy(field, -1), bounds: { skip, limit: 400 } });
          seen.push(...page.map(({ _id }) => _id));
        }
        expect(new Set(seen).size).toBe(SIZE);
      }
    });

    it('puts crawls before uploads where QA never looked', async () => {
      const page = await queries.list(oid, {
        filter: {},
        sort: sortBy('lastQAStarted', 1),
        bounds: { skip: 0, limit: SIZE },
      });
      const never = page.filter(({ lastQAStarted }) => !lastQAStarted).map(({ type }) => type);
      expect(never.lastIndexOf('crawl')).toBeLessThan(never.indexOf('upload'));
    });

    it('leaves files and config out', async () => {
      const [first] = await queries.list(oid, { filter: {}, sort: null, bounds: { skip: 0, limit: 1 } });
      expect(first).not.toHaveProperty('files');
      expect(first).not.toHaveProperty('config');
    });

    it('has few indexes, since every write of an item goes to all of them', () => {
      expect(ItemSchema.indexes().length).toBeLessThanOrEqual(MOST_INDEXES);
    });

    it('holds its index for the count of an org', async () => {
      const counting = [{ $match: { oid: uuid(oid) } }, { $group: { _id: 1, n: { $sum: 1 } } }];
      const output = await model.collection.aggregate(counting as never[]).explain('executionStats');
      expect(explained(output).stages).not.toContain('COLLSCAN');
    });
  });
});
