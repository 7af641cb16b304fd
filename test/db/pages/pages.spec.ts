import type { Model } from 'mongoose';
import { newId } from '../../../src/common/ids/uuid.js';
import { uuid } from '../../../src/database/uuid-codec.js';
import { Page, PageSchema, PAGE_ORDERS, type NewPage } from '../../../src/pages/data/page.schema.js';
import { PageReviewsRepository } from '../../../src/pages/data/page-reviews.repository.js';
import { PagesQueries } from '../../../src/pages/data/pages.queries.js';
import { PagesRepository } from '../../../src/pages/data/pages.repository.js';
import { countParts, PAGE_SORT_FIELDS, planPageQuery, type PageFilter } from '../../../src/pages/data/page-query.js';
import { explained, openTestDatabase, type TestDatabase } from '../../support/test-database.js';

const AT = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);

describe('pages in the database', () => {
  let database: TestDatabase;
  let model: Model<Page>;
  let repository: PagesRepository;
  let queries: PagesQueries;
  let reviews: PageReviewsRepository;
  const oid = newId();
  const otherOid = newId();

  const page = (crawlId: string, n: number, more: Partial<NewPage> = {}): NewPage => ({
    _id: newId(),
    crawl_id: crawlId,
    url: `https://example.org/${String(n).padStart(4, '0')}`,
    title: `Page number ${n}`,
    ts: AT(n),
    status: 200,
    mime: 'text/html',
    isSeed: n % 10 === 0,
    isFile: false,
    isError: false,
    ...more,
  });

  beforeAll(async () => {
    database = await openTestDatabase();
    model = await database.model<Page>(Page.name, PageSchema);
    repository = new PagesRepository(model);
    queries = new PagesQueries(model);
    reviews = new PageReviewsRepository(model);
  });
  afterAll(() => database?.close());

  describe('insertion', () => {
    it('counts only what is new of a large batch, wherever in it that is', async () => {
      const batch = Array.from({ length: 301 }, (_, n) => page('insert-large', n, { isFile: n % 2 === 0 }));
      const known = batch.filter((_, n) => n % 3 === 0);
      expect((await repository.insertBatch(oid, known)).inserted).toBe(101);
      expect(await repository.insertBatch(oid, batch)).toEqual({ inserted: 200, filePages: 100, errorPages: 0 });
      expect(await repository.count(oid, 'insert-large')).toBe(301);
    });

    it('counts only what is new when a batch is repeated', async () => {
      const batch = [
        page('insert-1', 1, { isFile: true }),
        page('insert-1', 2, { isError: true }),
        page('insert-1', 3),
      ];
      expect(await repository.insertBatch(oid, batch)).toEqual({ inserted: 3, filePages: 1, errorPages: 1 });
      const again = [...batch, page('insert-1', 4, { isError: true })];
      expect(await repository.insertBatch(oid, again)).toEqual({ inserted: 1, filePages: 0, errorPages: 1 });
      expect(await repository.countsOf(oid, 'insert-1')).toEqual({
        pageCount: 4,
        uniquePageCount: 4,
        filePageCount: 1,
        errorPageCount: 2,
      });
    });

    it('stores ids as BSON UUIDs, leaves nulls out and always writes the three flags', async () => {
      const { _id } = page('insert-2', 1);
      await repository.insertBatch(oid, [{ _id, crawl_id: 'insert-2', url: 'https://e.org/', ts: AT(0), title: null }]);
      const stored = await model.collection.findOne({ crawl_id: 'insert-2' });
      expect(stored).toEqual({
        _id: uuid(_id),
        oid: uuid(oid),
        crawl_id: 'insert-2',
        url: 'https://e.org/',
        ts: AT(0),
        isSeed: false,
        isFile: false,
        isError: false,
      });
    });

    it('leaves a page of another org alone that has the same id', async () => {
      const first = page('insert-3', 1);
      await repository.insertBatch(otherOid, [first]);
      expect((await repository.insertBatch(oid, [{ ...first, title: 'taken over' }])).inserted).toBe(0);
      expect(await repository.findById(oid, first._id)).toBeNull();
      expect((await repository.findById(otherOid, first._id))?.title).toBe('Page number 1');
    });
  });

  describe('filters', () => {
    const at = { judged: '', refused: '', noted: '', plain: '', bulk: '' };
    const list = async (filter: PageFilter): Promise<string[]> => {
      const pages = await queries.list(oid, { crawlIds: ['filters'], filter, skip: 0, limit: 100 });
      const names = Object.fromEntries(Object.entries(at).map(([name, id]) => [id, name]));
      expect(await queries.count(oid, ['filters'], filter)).toBe(pages.length);
      return pages.map(({ _id }) => names[_id] ?? _id).sort();
    };

    beforeAll(async () => {
      const note = { id: newId(), text: 'odd', created: AT(0), userid: newId(), userName: 'R' };
      const pages = [
        page('filters', 1, {
          approved: true,
          qa: { 'qa-1': { screenshotMatch: 0, textMatch: 1, resourceCounts: null } },
        }),
        page('filters', 2, {
          approved: false,
          qa: { 'qa-1': { screenshotMatch: 0.5, textMatch: null, resourceCounts: null } },
        }),
        page('filters', 3, { notes: [note], title: 'Crawling ümlauts', depth: 2 }),
        page('filters', 4, { isSeed: true, title: 'The archives of towns' }),
        page('filters', 5),
      ];
      Object.keys(at).forEach((name, i) => (at[name as keyof typeof at] = pages[i]?._id ?? ''));
      await repository.insertBatch(oid, pages);
      // As the reference stores pages that it inserts in bulk.
      await model.collection.updateOne({ _id: uuid(at.bulk) as never }, { $unset: { isSeed: '', isFile: '' } });
    });

    it.each<[string, PageFilter, string[]]>([
      ['reviewed', { reviewed: true }, ['judged', 'noted', 'refused']],
      ['not reviewed', { reviewed: false }, ['bulk', 'plain']],
      ['approved true', { approved: [true] }, ['judged']],
      ['approved none matches missing', { approved: [null] }, ['bulk', 'noted', 'plain']],
      ['approved true or false', { approved: [true, false] }, ['judged', 'refused']],
      ['has notes', { hasNotes: true }, ['noted']],
      ['has no notes', { hasNotes: false }, ['bulk', 'judged', 'plain', 'refused']],
      ['seeds', { isSeed: true }, ['plain']],
      ['missing isSeed counts as false', { isSeed: false }, ['bulk', 'judged', 'noted', 'refused']],
      ['depth', { depth: 2 }, ['noted']],
      ['time', { ts: AT(3) }, ['noted']],
      ['exact address', { urls: ['https://example.org/0002'] }, ['refused']],
      ['address as lower bound', { urlPrefix: 'https://example.org/0004' }, ['bulk', 'plain']],
      ['search of an address', { search: 'https://example.org/0004' }, ['bulk', 'plain']],
      ['search of title words, stemmed', { search: 'archive' }, ['plain']],
      ['QA run', { qa: { runId: 'qa-1' } }, ['judged', 'refused']],
      ['QA bound of 0', { qa: { runId: 'qa-1', by: 'screenshotMatch', bounds: { gt: 0 } } }, ['refused']],
      ['QA range', { qa: { runId: 'qa-1', by: 'screenshotMatch', bounds: { gte: 0, lt: 0.5 } } }, ['judged']],
      ['QA null is in no range', { qa: { runId: 'qa-1', by: 'textMatch', bounds: { gte: 0 } } }, ['judged']],
      ['an unknown QA run', { qa: { runId: 'qa-9' } }, []],
    ])('%s', async (_name, filter, expected) => {
      expect(await list(filter)).toEqual(expected);
    });

    it('never shows pages of another org', async () => {
      expect(await queries.list(otherOid, { crawlIds: ['filters'], filter: {}, skip: 0, limit: 10 })).toEqual([]);
      expect(await queries.count(otherOid, ['filters'], {})).toBe(0);
    });
  });

  describe('reviews', () => {
    const note = (text: string) => ({ id: newId(), text, created: AT(9), userid: newId(), userName: 'Rita' });

    it('keeps every note when several are added at once, also onto a null list', async () => {
      const target = page('reviews', 1);
      await repository.insertBatch(oid, [target]);
      await model.collection.updateOne({ _id: uuid(target._id) as never }, { $set: { notes: null } });
      const ref = { oid, crawlId: 'reviews', pageId: target._id };
      await Promise.all(Array.from({ length: 8 }, (_, i) => reviews.addNote(ref, note(`$note ${i}`))));
      const stored = await repository.findById(oid, target._id);
      expect(stored?.notes?.map(({ text }) => text).sort()).toEqual(Array.from({ length: 8 }, (_, i) => `$note ${i}`));
    });

    it('replaces a note in its place and removes the listed ones only', async () => {
      const target = page('reviews', 2);
      await repository.insertBatch(oid, [target]);
      const ref = { oid, crawlId: 'reviews', pageId: target._id };
      const [a, b] = [note('a'), note('b')];
      await reviews.addNote(ref, a);
      await reviews.addNote(ref, b);
      expect(await reviews.replaceNote(ref, { ...a, text: 'A', userName: 'Eva' })).toBe(true);
      expect((await repository.findById(oid, target._id))?.notes?.map(({ text }) => text)).toEqual(['A', 'b']);
      expect(await reviews.replaceNote(ref, note('stranger'))).toBe(false);
      expect(await reviews.removeNotes(ref, [a.id, newId()], AT(10))).toBe(true);
      expect((await repository.findById(oid, target._id))?.notes).toEqual([b]);
    });

    it('changes nothing through another org or another item', async () => {
      const target = page('reviews', 3);
      await repository.insertBatch(oid, [target]);
      const by = { userid: newId(), modified: AT(1) };
      expect(await reviews.setApproved({ oid: otherOid, crawlId: 'reviews', pageId: target._id }, true, by)).toBe(
        false,
      );
      expect(await reviews.setApproved({ oid, crawlId: 'other', pageId: target._id }, true, by)).toBe(false);
      expect((await repository.findById(oid, target._id))?.approved).toBeUndefined();
    });
  });

  describe('plans over many pages', () => {
    const items = Array.from({ length: 320 }, (_, i) => `plan-${i}`);

    beforeAll(async () => {
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

    describe('with notes here and there', () => {
      const noted = (n: number): Partial<NewPage> => {
        const note = () => ({ id: newId(), text: 'n', created: AT(0), userid: newId(), userName: 'R' });
        return n % 9 ? {} : { notes: Array.from({ length: 1 + (n % 3) }, note) };
      };

      beforeAll(async () => {
        for (const item of ['noted-1', 'noted-2', ...items.slice(0, 170).map((_, n) => `noted-more-${n}`)]) {
          const count = item.startsWith('noted-more') ? 3 : 240;
          const alike = (n: number) => ({ depth: n % 2, ts: AT(n % 7), url: `https://example.org/${n % 5}` });
          const pages = Array.from({ length: count }, (_, n) =>
            page(item, n, { ...alike(n), ...noted(n), ...(n % 4 ? {} : { approved: n % 8 === 0 }) }),
          );
          await repository.insertBatch(oid, pages);
        }
        // What is left of notes that were removed, and how the reference may have stored none.
        await model.collection.updateMany({ crawl_id: /^noted/, depth: 1, notes: null }, { $set: { notes: [] } });
        await model.collection.updateMany({ crawl_id: /^noted/, ts: AT(2), notes: null }, { $set: { notes: null } });
      });

      const idsOf = (pages: Page[]): string[] => pages.map(({ _id }) => _id);

      it.each([null, ...PAGE_SORT_FIELDS])(
        'an item gives the same pages from either end, ties too, by %s',
        async (field) => {
          const filters: PageFilter[] = [{}, { hasNotes: false }, { hasNotes: true }, { reviewed: true }, { depth: 1 }];
          for (const filter of [
            ...filters,
            { reviewed: false },
            { approved: [null] },
            { urlPrefix: 'https://example.org/2' },
          ])
            for (const direction of [1, -1] as const) {
              const sort = field ? { field, direction } : null;
              const whole = { crawlIds: ['noted-1'], filter, sort, skip: 0, limit: 1000 };
              const ids = idsOf(await queries.list(oid, whole));
              expect(ids.length).toBeGreaterThan(20);
              for (const skip of [0, 20, ids.length - 13, ids.length - 1, ids.length + 5]) {
                const { items: shown, total } = await queries.page(oid, 'noted-1', { filter, sort, skip, limit: 25 });
                expect(total).toBe(ids.length);
                expect(idsOf(shown)).toEqual(ids.slice(skip, skip + 25));
              }
            }
        },
      );

      it.each([
        ['of two items', ['noted-1', 'noted-2']],
        ['of more items than MongoDB merges', ['noted-1', ...items.slice(0, 170).map((_, n) => `noted-more-${n}`)]],
      ])('a collection %s is ordered by notes as one sort of the database orders it', async (_name, crawlIds) => {
        for (const filter of [{}, { depth: 1 }, { hasNotes: true }, { hasNotes: false }, { approved: [true, null] }])
          for (const direction of [1, -1] as const) {
            const all = await model.collection
              .find({ ...planPageQuery(crawlIds, filter).filter, oid: uuid(oid) } as never)
              .sort({ 'notes.id': direction, _id: direction })
              .hint({ $natural: 1 })
              .toArray();
            const expected = all.map(({ _id }) => String(_id));
            for (const skip of [0, 30, expected.length - 40]) {
              const request = { crawlIds, filter, sort: { field: 'notes', direction } as const, skip, limit: 25 };
              expect(idsOf(await queries.list(oid, request))).toEqual(expected.slice(skip, skip + 25));
            }
          }
      });

      it('the pages without notes of a collection are merged in the order of their ids', async () => {
        const crawlIds = items.slice(0, 150).map((_, n) => `noted-more-${n}`);
        const { filter, hint } = planPageQuery(crawlIds, { hasNotes: false }, { field: 'notes', direction: 1 });
        const cursor = model.collection
          .find({ ...filter, oid: uuid(oid) } as never)
          .sort({ _id: 1 })
          .limit(25)
          .hint(hint ?? {});
        const found = explained(await cursor.explain('executionStats'));
        expect(found.stages).toContain('SORT_MERGE');
        expect([found.sorted, found.indexes]).toEqual([0, ['oid_1_crawl_id_1_notes.id_1__id_1']]);
      });
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
});
