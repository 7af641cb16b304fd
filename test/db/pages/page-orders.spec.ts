import type { Model } from 'mongoose';
import { newId } from '../../../src/common/ids/uuid.js';
import { uuid } from '../../../src/database/uuid-codec.js';
import { Page, PageSchema, type NewPage, type StoredPageNote } from '../../../src/pages/data/page.schema.js';
import { planPageQuery, type PageFilter, type PageSort } from '../../../src/pages/data/page-query.js';
import { PagesQueries } from '../../../src/pages/data/pages.queries.js';
import { PagesRepository } from '../../../src/pages/data/pages.repository.js';
import { explained } from '../../support/test-database.js';
import { WatchedDatabase } from '../../support/watched-database.js';

const AT = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);
const BOTH_WAYS = [1, -1] as const;
const MEASURES = (['screenshotMatch', 'textMatch'] as const).flatMap((field) =>
  BOTH_WAYS.map((direction) => [field, direction] as const),
);

describe('orders of pages that no compound index gives', () => {
  let database: WatchedDatabase;
  let model: Model<Page>;
  let repository: PagesRepository;
  let queries: PagesQueries;
  const oid = newId();

  const page = (crawlId: string, n: number, more: Partial<NewPage> = {}): NewPage => ({
    ...{ _id: newId(), crawl_id: crawlId, url: `https://example.org/${n}`, title: `Page ${n}`, ts: AT(n % 50) },
    ...{ isSeed: n === 0, ...more },
  });
  const idsOf = (pages: Page[]): string[] => pages.map(({ _id }) => _id);

  beforeAll(async () => {
    database = await WatchedDatabase.open();
    model = await database.model<Page>(Page.name, PageSchema);
    repository = new PagesRepository(model);
    queries = new PagesQueries(model);
  });
  afterAll(() => database?.close());

  /** @returns what the database did for the first 25 pages of a list; `others`: plans that it could have taken instead */
  const explain = async (crawlIds: string[], filter: PageFilter, sort: PageSort | null) => {
    const plan = planPageQuery(crawlIds, filter, sort);
    const cursor = model.collection
      .find({ ...plan.filter, oid: uuid(oid) } as never)
      .sort(plan.sort as never)
      .limit(25)
      .hint(plan.hint ?? {});
    const output = (await cursor.explain('executionStats')) as { queryPlanner: { rejectedPlans: unknown[] } };
    return { ...explained(output), others: output.queryPlanner.rejectedPlans.length };
  };

  /** The list read at once, of which every page has to be a part. */
  const expectPages = async (crawlId: string, filter: PageFilter, sort: PageSort): Promise<Page[]> => {
    const all = await queries.list(oid, { crawlIds: [crawlId], filter, sort, skip: 0, limit: 1000 });
    const ids = idsOf(all);
    for (const skip of [0, 25, ids.length - 13, ids.length + 5]) {
      const { items, total } = await queries.page(oid, crawlId, { filter, sort, skip, limit: 25 });
      expect(total).toBe(ids.length);
      expect(idsOf(items)).toEqual(ids.slice(skip, skip + 25));
    }
    return all;
  };

  describe('by the values of a QA run', () => {
    const SIZE = 420;
    const qa = { runId: 'qa-1' };
    const many: PageFilter = { qa: { ...qa, by: 'screenshotMatch', bounds: { gte: 0.3 } } };

    beforeAll(async () => {
      const found = (n: number) => ({
        screenshotMatch: n % 7 ? (n % 11) / 10 : null,
        textMatch: n % 3 ? (n % 13) / 12 : null,
        resourceCounts: { crawlGood: n, crawlBad: 0, replayGood: n, replayBad: 0 },
      });
      const pages = Array.from({ length: SIZE }, (_, n) =>
        page('compared', n, {
          ...(n % 21 ? { qa: { 'qa-1': found(n), 'qa-0': found(n + 1) } } : n % 2 ? { qa: { 'qa-0': found(n) } } : {}),
          ...(n % 4 ? {} : { approved: true }),
        }),
      );
      await repository.insertBatch(oid, pages);
      // Of a run that somehow says the same of pages of another item.
      await repository.insertBatch(oid, [page('other', 1, { qa: { 'qa-1': found(1) } })]);
    });

    it.each(MEASURES)('%s %s reads one index in order', async (field, direction) => {
      const found = await explain(['compared'], { qa }, { field, direction });
      expect([found.indexes, found.sorted, found.others]).toEqual([['qa.$**_1'], 0, 0]);
      expect(found.docsExamined).toBe(25);
    });

    it.each(MEASURES)('%s %s sorts nothing where a filter leaves many', async (field, direction) => {
      for (const filter of [many, { qa, approved: [true] }, { qa, approved: [null], hasNotes: false }]) {
        const found = await explain(['compared'], filter, { field, direction });
        expect([found.indexes, found.sorted, found.others]).toEqual([['qa.$**_1'], 0, 0]);
      }
    });

    it.each(MEASURES)('%s %s shows every page once, from either end, none lowest', async (field, direction) => {
      const few: PageFilter = { qa: { ...qa, by: 'textMatch', bounds: { lt: 0.2 } } };
      for (const filter of [{ qa }, many, few, { qa, approved: [true] }]) {
        const listed = await expectPages('compared', filter, { field, direction });
        expect(new Set(idsOf(listed)).size).toBe(listed.length);
        const expected = await queries.list(oid, { crawlIds: ['compared'], filter, skip: 0, limit: 1000 });
        expect(idsOf(listed).sort()).toEqual(idsOf(expected).sort());
        const values = listed.map((one) => one.qa?.['qa-1']?.[field] ?? -1);
        expect(values).toEqual([...values].sort((a, b) => (a - b) * direction));
      }
    });

    it('a range that few are in is found by the same index, for the list and for its total', async () => {
      const filter: PageFilter = { qa: { ...qa, by: 'screenshotMatch', bounds: { gte: 0.95 } } };
      const { total } = await queries.page(oid, 'compared', { filter, skip: 0, limit: 25 });
      expect(total).toBeGreaterThan(20);
      const plans = await database.explain(() => queries.page(oid, 'compared', { filter, skip: 0, limit: 25 }));
      // Which they are, the list, and the total.
      expect(plans.map(({ indexes }) => indexes)).toEqual([['qa.$**_1'], ['_id_'], ['qa.$**_1']]);
      for (const { docsExamined } of plans) expect(docsExamined).toBeLessThanOrEqual(total);
    });

    it.each([null, 'screenshotMatch', 'textMatch', 'notes', 'url'] as const)(
      'with any other filter and in the order of %s, total and pages agree',
      async (field) => {
        const bounded = [qa, { ...qa, by: 'textMatch' as const, bounds: { gt: 0.1, lte: 1 } }];
        const others: PageFilter[] = [{ reviewed: true }, { reviewed: false }, { approved: [null] }, { isSeed: false }];
        for (const run of bounded)
          for (const other of [...others, { approved: [true], hasNotes: false }, { search: 'page' }]) {
            const filter = { ...other, qa: run };
            const expected = await queries.list(oid, { crawlIds: ['compared'], filter, skip: 0, limit: 1000 });
            expect(expected.length).toBeGreaterThan(25);
            const sort = field && { field, direction: -1 as const };
            const { items, total } = await queries.page(oid, 'compared', { filter, sort, skip: 0, limit: 1000 });
            expect([total, idsOf(items).sort()]).toEqual([expected.length, idsOf(expected).sort()]);
          }
      },
    );

    it('follows what a run stores and what is deleted of it', async () => {
      const sort: PageSort = { field: 'screenshotMatch', direction: -1 };
      const filter = { qa: { runId: 'qa-9' } };
      const { _id: pageId } = page('watched', 1);
      await repository.insertBatch(oid, [page('watched', 1, { _id: pageId })]);
      const list = async () => (await queries.page(oid, 'watched', { filter, sort, skip: 0, limit: 5 })).items.length;
      expect(await list()).toBe(0);
      const at = { crawlId: 'watched', pageId, qaRunId: 'qa-9' };
      await repository.setQa(oid, at, { screenshotMatch: null, textMatch: 0, resourceCounts: null });
      expect(await list()).toBe(1);
      await repository.unsetQa(oid, 'watched', ['qa-9']);
      expect(await list()).toBe(0);
    });
  });

  describe('by notes', () => {
    const note = (): StoredPageNote => ({ id: newId(), text: 'n', created: AT(0), userid: newId(), userName: 'R' });
    const small = Array.from({ length: 150 }, (_, n) => `small-${n}`);

    beforeAll(async () => {
      const notes = (n: number) => (n % 2 ? { notes: Array.from({ length: 1 + (n % 3) }, note) } : {});
      const pages = Array.from({ length: 500 }, (_, n) => page('large', n, notes(n)));
      for (const item of small) pages.push(...Array.from({ length: 3 }, (_, n) => page(item, n, notes(n))));
      await repository.insertBatch(oid, pages);
      // What is left of notes that were removed: an empty list, which an index takes for a list.
      await model.collection.updateMany({ url: /[02]$/, notes: null } as never, { $set: { notes: [] } });
    });

    it.each(BOTH_WAYS)('%s sorts nothing, whichever pages are asked for', async (direction) => {
      const some: PageFilter[] = [{}, { hasNotes: true }, { hasNotes: false }, { reviewed: true }, { reviewed: false }];
      for (const filter of some) {
        const found = await explain(['large'], filter, { field: 'notes', direction });
        expect([found.indexes.length, found.sorted]).toEqual([1, 0]);
      }
    });

    it.each(BOTH_WAYS)('%s merges the scans of a collection, with notes and without', async (direction) => {
      for (const [hasNotes, index] of [
        [true, 'oid_1_crawl_id_1_notes.0.id_1__id_1'],
        [false, 'oid_1_crawl_id_1_notes.id_1__id_1'],
      ] as const) {
        const found = await explain(small, { hasNotes }, { field: 'notes', direction });
        expect(found.stages).toContain('SORT_MERGE');
        expect([found.indexes, found.sorted]).toEqual([[index], 0]);
        expect(found.docsExamined).toBeLessThanOrEqual(25);
      }
    });

    it.each(BOTH_WAYS)('%s puts those without before the others, by the id of the first note', async (direction) => {
      for (const crawlIds of [small, [...small, 'large']]) {
        const request = { crawlIds, filter: {}, sort: { field: 'notes', direction } as const };
        const listed = await queries.list(oid, { ...request, skip: 0, limit: 1000 });
        const keys = listed.map(({ _id, notes }) => `${notes?.[0]?.id ?? ''} ${_id}`);
        expect(keys).toHaveLength(crawlIds === small ? 450 : 950);
        expect(keys).toEqual(direction === 1 ? [...keys].sort() : [...keys].sort().reverse());
        const part = await queries.list(oid, { ...request, skip: 280, limit: 40 });
        expect(idsOf(part)).toEqual(idsOf(listed).slice(280, 320));
      }
    });

    it.each(BOTH_WAYS)('%s gives the same pages from either end', async (direction) => {
      for (const hasNotes of [true, false])
        expect(await expectPages('large', { hasNotes }, { field: 'notes', direction })).toHaveLength(250);
    });
  });
});
