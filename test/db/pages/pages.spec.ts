import type { Model } from 'mongoose';
import { newId } from '../../../src/common/ids/uuid.js';
import { uuid } from '../../../src/database/uuid-codec.js';
import { Page, PageSchema } from '../../../src/pages/data/page.schema.js';
import { PageReviewsRepository } from '../../../src/pages/data/page-reviews.repository.js';
import { PagesQueries } from '../../../src/pages/data/pages.queries.js';
import { PagesRepository } from '../../../src/pages/data/pages.repository.js';
import type { PageFilter } from '../../../src/pages/data/page-query.js';
import { AT, aNewPage as page } from '../../support/new-page.js';
import { openTestDatabase, type TestDatabase } from '../../support/test-database.js';

describe('pages in the database', () => {
  let database: TestDatabase;
  let model: Model<Page>;
  let repository: PagesRepository;
  let queries: PagesQueries;
  let reviews: PageReviewsRepository;
  const oid = newId();
  const otherOid = newId();

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
        titleTerms: [''],
        titleLength: 0,
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
});
