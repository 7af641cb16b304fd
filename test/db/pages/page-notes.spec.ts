import type { Model } from 'mongoose';
import { newId } from '../../../src/common/ids/uuid.js';
import { uuid } from '../../../src/database/uuid-codec.js';
import { Page, PageSchema, type NewPage } from '../../../src/pages/data/page.schema.js';
import { PagesQueries } from '../../../src/pages/data/pages.queries.js';
import { PagesRepository } from '../../../src/pages/data/pages.repository.js';
import { PAGE_SORT_FIELDS, planPageQuery, type PageFilter } from '../../../src/pages/data/page-query.js';
import { AT, aNewPage as page } from '../../support/new-page.js';
import { explained, openTestDatabase, type TestDatabase } from '../../support/test-database.js';

describe('lists of pages with notes here and there', () => {
  let database: TestDatabase;
  let model: Model<Page>;
  let repository: PagesRepository;
  let queries: PagesQueries;
  const oid = newId();
  const more = Array.from({ length: 170 }, (_, n) => `noted-more-${n}`);

  const noted = (n: number): Partial<NewPage> => {
    const note = () => ({ id: newId(), text: 'n', created: AT(0), userid: newId(), userName: 'R' });
    return n % 9 ? {} : { notes: Array.from({ length: 1 + (n % 3) }, note) };
  };

  beforeAll(async () => {
    database = await openTestDatabase();
    model = await database.model<Page>(Page.name, PageSchema);
    repository = new PagesRepository(model);
    queries = new PagesQueries(model);
    for (const item of ['noted-1', 'noted-2', ...more]) {
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
  afterAll(() => database?.close());

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
    ['of more items than MongoDB merges', ['noted-1', ...more]],
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
    const crawlIds = more.slice(0, 150);
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
