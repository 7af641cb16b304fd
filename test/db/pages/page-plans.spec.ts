import type { Model } from 'mongoose';
import { newId } from '../../../src/common/ids/uuid.js';
import { uuid } from '../../../src/database/uuid-codec.js';
import { Page, PageSchema, PAGE_ORDERS } from '../../../src/pages/data/page.schema.js';
import { PagesQueries } from '../../../src/pages/data/pages.queries.js';
import { PagesRepository } from '../../../src/pages/data/pages.repository.js';
import { countParts, PAGE_SORT_FIELDS, planPageQuery, type PageFilter } from '../../../src/pages/data/page-query.js';
import { AT, aNewPage as page } from '../../support/new-page.js';
import { explained, openTestDatabase, type TestDatabase } from '../../support/test-database.js';

describe('plans over many pages', () => {
  let database: TestDatabase;
  let model: Model<Page>;
  let repository: PagesRepository;
  let queries: PagesQueries;
  const oid = newId();

  const items = Array.from({ length: 320 }, (_, i) => `plan-${i}`);

  beforeAll(async () => {
    database = await openTestDatabase();
    model = await database.model<Page>(Page.name, PageSchema);
    repository = new PagesRepository(model);
    queries = new PagesQueries(model);
    for (const [i, item] of items.entries())
      await repository.insertBatch(
        oid,
        Array.from({ length: 12 }, (_, n) =>
          page(item, (i * 7919 + n * 104729) % 4000, { isSeed: n === 0, depth: n % 3, status: n % 4 ? 200 : 404 }),
        ),
      );
    await repository.insertBatch(
      oid,
      Array.from({ length: 400 }, (_, n) => page('plan-big', n)),
    );
  });
  afterAll(() => database?.close());

  const explain = async (
    crawlIds: string[],
    filter: PageFilter,
    field?: (typeof PAGE_SORT_FIELDS)[number],
    direction: 1 | -1 = 1,
  ) => {
    const plan = planPageQuery(crawlIds, filter, field ? { field, direction } : null);
    const cursor = model.collection
      .find({ ...plan.filter, oid: uuid(oid) } as never)
      .sort(plan.sort as never)
      .limit(25);
    if (plan.hint) cursor.hint(plan.hint);
    return explained(await cursor.explain('executionStats'));
  };

  it.each(PAGE_SORT_FIELDS.flatMap((field) => [[field, 1] as const, [field, -1] as const]))(
    'by %s %s reads one index in order, for one item and for a collection',
    async (field, direction) => {
      // Notes are lists, and MongoDB does not merge scans of an index of lists.
      for (const ids of field === 'notes' ? [['plan-big']] : [['plan-big'], items.slice(0, 150)]) {
        const found = await explain(ids, {}, field, direction);
        expect(found.sorted).toBe(0);
        expect(found.indexes).toHaveLength(1);
        expect(found.docsExamined).toBeLessThanOrEqual(25);
      }
    },
  );

  it('finds an address, a range of addresses and the default order by index', async () => {
    for (const filter of [{}, { urlPrefix: 'https://example.org/03' }, { search: 'https://example.org/03' }]) {
      const found = await explain(['plan-big'], filter);
      expect(found.sorted).toBe(0);
      expect(found.docsExamined).toBeLessThanOrEqual(25);
    }
    const exact = await explain(items.slice(0, 150), { urls: ['https://example.org/0042'] });
    expect(exact.indexes).toEqual(['oid_1_crawl_id_1_url_1_isSeed_-1_ts_1__id_1']);
    expect(exact.sorted).toBe(0);
    const moment = await explain(items.slice(0, 150), { ts: new Date(0) });
    expect(moment.indexes).toEqual(['oid_1_crawl_id_1_ts_1_isSeed_-1__id_1']);
    expect(moment.sorted).toBe(0);
  });

  it.each<[PageFilter, string]>([
    [{ isSeed: true }, 'isSeed_-1_ts_1'],
    [{ depth: 1 }, 'isSeed_-1_ts_1'],
    [{ isSeed: true, ts: AT(3) }, 'ts_1_isSeed_-1'],
  ])('merges the scans of a collection for the filter %o', async (filter, index) => {
    const found = await explain(items.slice(0, 150), filter);
    expect(found.sorted).toBe(0);
    expect(found.indexes).toEqual([`oid_1_crawl_id_1_${index}__id_1`]);
  });

  it.each<[PageFilter, string, 'depth' | 'approved' | 'isSeed' | 'url' | 'ts']>([
    [{ depth: 1 }, 'depth_1', 'depth'],
    [{ approved: [true] }, 'approved_1', 'approved'],
    [{ isSeed: true }, 'isSeed_-1_ts_1', 'isSeed'],
    [{ urls: ['https://example.org/0042'] }, 'url_1_isSeed_-1_ts_1', 'url'],
    [{ ts: AT(3) }, 'ts_1_isSeed_-1', 'ts'],
  ])('merges them in the order of a field that the filter %o fixes', async (filter, index, field) => {
    for (const direction of [1, -1] as const) {
      const found = await explain(items.slice(0, 150), filter, field, direction);
      expect(found.sorted).toBe(0);
      expect(found.indexes).toEqual([`oid_1_crawl_id_1_${index}__id_1`]);
    }
  });

  it.each<[PageFilter, string[]]>([
    [{}, ['isSeed_-1_ts_1']],
    [{ isSeed: false }, ['isSeed_-1_ts_1']],
    [{ depth: 1 }, ['depth_1']],
    [{ approved: [null] }, ['approved_1']],
    [{ hasNotes: false }, ['isSeed_-1_ts_1', 'notes.id_1']],
    [{ urlPrefix: 'https://example.org/03' }, ['url_1_isSeed_-1_ts_1']],
  ])('counts the pages of an item that %o leaves without reading any that are not noted', async (filter, indexes) => {
    const counted: string[] = [];
    for (const { filter: part, hint } of countParts(filter)) {
      const match = { $match: { ...planPageQuery(['plan-big'], part).filter, oid: uuid(oid) } };
      const pipeline = [match, { $group: { _id: 1, n: { $sum: 1 } } }] as never[];
      const output = await model.collection.aggregate(pipeline, { hint }).explain('executionStats');
      const found = explained((output as { stages?: { $cursor: unknown }[] }).stages?.[0]?.$cursor ?? output);
      counted.push(...found.indexes);
      expect(found.docsExamined).toBe(0);
    }
    expect(counted).toEqual(indexes.map((index) => `oid_1_crawl_id_1_${index}__id_1`));
  });

  it('has an index for every order it offers', () => {
    const orders = PAGE_ORDERS.map((order) => Object.keys(order)[0]?.replace('notes.id', 'notes'));
    expect(new Set(orders)).toEqual(new Set(PAGE_SORT_FIELDS));
  });

  it.each([
    { skip: 0, limit: 25 },
    { skip: 1000, limit: 30 },
    { skip: 3700, limit: 300 },
  ])('a collection of more items than MongoDB merges gives the same page as one sort would: %o', async (bounds) => {
    const listed = await queries.list(oid, {
      crawlIds: items,
      filter: {},
      sort: { field: 'url', direction: -1 },
      ...bounds,
    });
    const all = await model
      .find({ oid, crawl_id: { $in: items } })
      .lean()
      .exec();
    const urls = all
      .map(({ url }) => url)
      .sort()
      .reverse();
    expect(listed.map(({ url }) => url)).toEqual(urls.slice(bounds.skip, bounds.skip + bounds.limit));
  });

  it.each([1, 320])('pages that are alike come once each over all pages of a list of %d items', async (count) => {
    const [same, alike] = [AT(0), `https://example.org/same-${count}`];
    const crawlIds = items.slice(0, count);
    for (const item of crawlIds.slice(0, 60))
      await repository.insertBatch(
        oid,
        Array.from({ length: count === 1 ? 90 : 3 }, () => page(item, 0, { url: alike, ts: same, isSeed: true })),
      );
    const sorts = PAGE_SORT_FIELDS.flatMap((field) => [
      { field, direction: 1 as const },
      { field, direction: -1 as const },
    ]);
    for (const sort of [null, ...(count === 1 ? sorts : sorts.slice(0, 2))]) {
      const seen: string[] = [];
      for (let skip = 0; ; skip += 40) {
        const listed = await queries.list(oid, { crawlIds, filter: { urls: [alike] }, sort, skip, limit: 40 });
        seen.push(...listed.map(({ _id }) => _id));
        if (listed.length < 40) break;
      }
      expect([new Set(seen).size, seen.length]).toEqual(count === 1 ? [90, 90] : [180, 180]);
    }
  });

  it('groups captures by address, complete in both orders', async () => {
    const crawlIds = items.slice(0, 50);
    const all = await model
      .find({ oid, crawl_id: { $in: crawlIds } })
      .lean()
      .exec();
    const numberOf = (url: string): number => all.filter((one) => one.url === url).length;
    for (const filter of [{}, { urlPrefix: 'https://example.org/1' }]) {
      const groups = await queries.captures(oid, { crawlIds, filter }, 5);
      expect(groups).toHaveLength(5);
      for (const { url, captures } of groups) expect(captures).toHaveLength(numberOf(url));
    }
  });
});
