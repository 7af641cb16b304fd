import type { Model } from 'mongoose';
import { newId } from '../../../src/common/ids/uuid.js';
import { IGNORE_CASE_AND_ACCENTS } from '../../../src/database/org-scoped.js';
import { uuid } from '../../../src/database/uuid-codec.js';
import { CollectionStatsQueries } from '../../../src/collections/data/collection-stats.queries.js';
import { Collection, CollectionSchema } from '../../../src/collections/data/collection.schema.js';
import {
  COLLECTION_SORT_FIELDS,
  CollectionsQueries,
  toCollectionFilter,
  toCollectionSort,
} from '../../../src/collections/data/collections.queries.js';
import { Item, ItemSchema } from '../../../src/items/data/item.schema.js';
import { Page, PageSchema } from '../../../src/pages/data/page.schema.js';
import { PagesRepository } from '../../../src/pages/data/pages.repository.js';
import { explained, openTestDatabase, type TestDatabase } from '../../support/test-database.js';

const AT = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);

describe('collections in the database', () => {
  let database: TestDatabase;
  let collections: Model<Collection>;
  let items: Model<Item>;
  let pages: PagesRepository;
  let queries: CollectionsQueries;
  let stats: CollectionStatsQueries;
  const oid = newId();

  beforeAll(async () => {
    database = await openTestDatabase();
    collections = await database.model<Collection>(Collection.name, CollectionSchema);
    items = await database.model<Item>(Item.name, ItemSchema);
    const pageModel = await database.model<Page>(Page.name, PageSchema);
    pages = new PagesRepository(pageModel);
    queries = new CollectionsQueries(collections, items);
    stats = new CollectionStatsQueries(items, pageModel);
    await collections.insertMany(
      Array.from({ length: 400 }, (_, n) => ({
        _id: newId(),
        oid: n < 300 ? oid : newId(),
        name: `Name ${n}`,
        slug: `name-${n}`,
        description: n % 3 ? `D ${n}` : null,
        caption: n % 5 ? `c ${n}` : null,
        created: AT(n),
        modified: AT(n % 50),
        crawlCount: n % 7,
        pageCount: n % 11,
        totalSize: n,
        dateLatest: n % 4 ? AT(n % 20) : null,
        dateEarliest: n % 4 ? AT(-n) : null,
        access: n % 13 < 6 ? 'public' : 'private',
      })),
    );
  });
  afterAll(() => database?.close());

  const explain = async (
    filter: Parameters<typeof toCollectionFilter>[0],
    sort: Parameters<typeof toCollectionSort>[0],
  ) =>
    explained(
      await collections.collection
        .find({ ...toCollectionFilter(filter), oid: uuid(oid) } as never)
        .collation(IGNORE_CASE_AND_ACCENTS)
        .sort(toCollectionSort(sort) as never)
        .limit(20)
        .explain('executionStats'),
    );

  it.each(COLLECTION_SORT_FIELDS.flatMap((field) => [[field, 1] as const, [field, -1] as const]))(
    'lists by %s %s read one index in order',
    async (field, direction) => {
      for (const filter of [{}, { access: 'public' }]) {
        const found = await explain(filter, { field, direction });
        expect(found.stages).not.toContain('COLLSCAN');
        expect(found.sorted).toBe(0);
        expect(found.docsExamined).toBeLessThanOrEqual(60);
      }
    },
  );

  it('a name is looked up in its index, and the natural order is an index too', async () => {
    const named = await explain({ name: 'NAME 7' }, null);
    expect([named.indexes, named.docsExamined]).toEqual([['oid_1_name_1'], 1]);
    expect((await explain({}, null)).sorted).toBe(0);
  });

  it('a list holds every collection once over its pages', async () => {
    for (const field of COLLECTION_SORT_FIELDS) {
      const seen: string[] = [];
      for (let skip = 0; skip < 300; skip += 90)
        seen.push(
          ...(await queries.list(oid, {}, { field, direction: -1 }, { skip, limit: 90 })).map(({ _id }) => _id),
        );
      expect(new Set(seen).size).toBe(300);
    }
  });

  describe('statistics', () => {
    const collectionId = newId();
    const item = (_id: string, more: Partial<Item> = {}): Partial<Item> => ({
      _id,
      oid,
      type: 'crawl',
      userid: newId(),
      state: 'complete',
      started: AT(0),
      collectionIds: [collectionId],
      files: [
        {
          filename: `${oid}/${_id}.wacz`,
          hash: '',
          size: 7,
          storage: { name: 'default', custom: false },
          replicas: [],
        },
      ],
      ...more,
    });
    const page = (crawl_id: string, url: string, seconds: number) => ({ _id: newId(), crawl_id, url, ts: AT(seconds) });

    beforeAll(async () => {
      await items.insertMany([
        item('manual-1', { tags: ['b', 'a'] }),
        item('manual-2', { tags: ['a'], state: 'stopped_by_user' }),
        item('manual-3', { tags: ['c'] }),
        item('manual-failed', { state: 'failed', tags: ['z'] }),
        item('manual-elsewhere', { collectionIds: [newId()] }),
      ]);
      const hosts = Array.from({ length: 14 }, (_, n) =>
        page('manual-2', `https://h${String(n).padStart(2, '0')}.org/`, 100 + n),
      );
      await pages.insertBatch(oid, [
        page('manual-1', 'https://a.org:8080/x?y=1', 5),
        page('manual-1', 'https://a.org:8080/y', 6),
        page('manual-2', 'https://a.org:8080/x?y=1', 7),
        page('manual-failed', 'https://failed.org/', 1),
        page('manual-elsewhere', 'https://elsewhere.org/', 1),
        page('manual-2', 'urn:odd', 8),
        ...hosts,
      ]);
    });

    it('count successful members only', async () => {
      const found = await stats.compute(oid, collectionId);
      expect(found).toMatchObject({
        crawlCount: 3,
        totalSize: 21,
        pageCount: 18,
        uniquePageCount: 17,
        tags: ['a', 'b', 'c'],
        dateEarliest: AT(5),
        dateLatest: AT(113),
        preloadResources: [{ name: 'manual-3.wacz', crawlId: 'manual-3' }],
      });
      expect(found.topPageHosts).toHaveLength(10);
      expect(found.topPageHosts?.slice(0, 2)).toEqual([
        { host: 'a.org:8080', count: 3 },
        { host: 'h00.org', count: 1 },
      ]);
    });

    it('are empty for a collection without members', async () => {
      expect(await stats.compute(oid, newId())).toEqual({
        crawlCount: 0,
        totalSize: 0,
        pageCount: 0,
        uniquePageCount: 0,
        tags: [],
        dateEarliest: null,
        dateLatest: null,
        preloadResources: [],
        topPageHosts: [],
      });
    });
  });
});
