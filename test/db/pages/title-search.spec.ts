import type { Model } from 'mongoose';
import { newId } from '../../../src/common/ids/uuid.js';
import { uuid } from '../../../src/database/uuid-codec.js';
import { Page, PageSchema, type NewPage } from '../../../src/pages/data/page.schema.js';
import {
  planPageQuery,
  planTitleEntry,
  planTitleLook,
  planTitlesWith,
  type PageFilter,
} from '../../../src/pages/data/page-query.js';
import { PagesQueries } from '../../../src/pages/data/pages.queries.js';
import { PagesRepository } from '../../../src/pages/data/pages.repository.js';
import { explained, openTestDatabase, type TestDatabase } from '../../support/test-database.js';

const INDEX = 'oid_1_crawl_id_1_titleTerms_1_titleLength_1__id_1';
const WORDS = (
  'Archive archives Crawling crawled Café CAFÉ cafe\u0301 the of Ünder town towns Running | - climate change changes ' +
  "climate change don't town's C++ 日本語 foo_bar 2024 rare"
).split(' ');

const numbered = (count: number): string => Array.from({ length: count }, (_, n) => `word${n}`).join(' ');

/** Titles of one to twelve words, each word up to four times; the same each time. */
function titles(count: number): string[] {
  let seed = 42;
  const next = (below: number): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * below);
  };
  return Array.from({ length: count }, () => {
    const used = new Map<string, number>();
    const words = Array.from({ length: 1 + next(12) }, () => WORDS[next(WORDS.length - (next(4) ? 1 : 0))] ?? '');
    return words
      .filter((word) => {
        const stem = word.toLowerCase().slice(0, 4);
        used.set(stem, (used.get(stem) ?? 0) + 1);
        return (used.get(stem) ?? 0) <= 4;
      })
      .join(' ');
  });
}

describe('search of titles', () => {
  let database: TestDatabase;
  let model: Model<Page>;
  let repository: PagesRepository;
  let queries: PagesQueries;
  const oid = newId();
  const one = ['titles-0'];
  /** More than MongoDB merges. */
  const many = Array.from({ length: 155 }, (_, n) => `titles-${n}`);

  const page = (crawlId: string, title: string | null, more: Partial<NewPage> = {}): NewPage => ({
    ...{ _id: newId(), crawl_id: crawlId, url: 'https://example.org/', ts: new Date(0), depth: 0, title, ...more },
  });

  beforeAll(async () => {
    database = await openTestDatabase();
    model = await database.model<Page>(Page.name, PageSchema);
    repository = new PagesRepository(model);
    queries = new PagesQueries(model);
    const [more, of] = [titles(310), ['archive', 'Town', 'run', 'café', 'crawl', '日本語', null, '...']];
    const pages = [
      ...[...titles(300), ...of].map((title, n) => page('titles-0', title, { depth: n % 3 })),
      ...more.map((title, n) => page(many[n % many.length] ?? '', title, { depth: n % 3 })),
    ];
    await repository.insertBatch(oid, pages);
    await repository.insertBatch(newId(), [page('titles-0', 'Archive of another org')]);
  });
  afterAll(() => database?.close());

  /** What MongoDB's own search finds, with its scores. */
  const foundByMongo = async (
    crawlIds: string[],
    search: string,
    depth: number | null = null,
  ): Promise<Map<string, number>> => {
    const filter = { $text: { $search: search }, oid: uuid(oid), crawl_id: { $in: crawlIds } };
    const cursor = model.collection
      .find({ ...filter, ...(depth === null ? {} : { depth }) } as never)
      .project({ score: { $meta: 'textScore' } });
    return new Map((await cursor.toArray()).map(({ _id, score }) => [String(_id), score as number]));
  };

  const idsOf = (pages: Page[]): string[] => pages.map(({ _id }) => _id);
  const listed = async (crawlIds: string[], filter: PageFilter, skip = 0, limit = 2000): Promise<string[]> =>
    idsOf(await queries.list(oid, { crawlIds, filter, skip, limit }));

  it.each([
    ...['archive', 'ARCHIVES of the town', 'climate change', 'climate change -rare', 'crawl', 'cafe', 'run 2024 rare'],
    ...['"climate change"', 'town -"climate change"', 'archive "CAFE archive"', '日本語', 'foo_bar c', "don't", 'the'],
    ...['nothing', '-rare', 'archive crawl cafe town run climate change 2024', '"a" town', 'town ""', '"e c" cafe'],
    // As a long title is pasted, and more words than are looked for one by one.
    ...[WORDS.join(' '), `${WORDS.join(' ')} ${numbered(19)}`, `${WORDS.join(' ')} ${numbered(60)} -rare "e c"`],
  ])('finds and ranks as MongoDB does: %s', async (search) => {
    // Of few pages in each of many items, a third of the searches.
    for (const crawlIds of search.length % 3 ? [one] : [one, many]) {
      const scores = await foundByMongo(crawlIds, search);
      const ids = await listed(crawlIds, { search });
      expect(new Set(ids)).toEqual(new Set(scores.keys()));
      expect(ids).toHaveLength(scores.size);
      const ranks = ids.map((id) => scores.get(id) ?? 0);
      for (const [n, rank] of ranks.entries()) expect(rank).toBeLessThanOrEqual((ranks[n - 1] ?? Infinity) + 1e-6);
      expect(await queries.count(oid, crawlIds, { search })).toBe(ids.length);
    }
  });

  it.each<[string, number | null]>([
    ['archive', null],
    ['climate change', null],
    ['cafe -rare town', 1],
    ['town "climate change"', null],
    [`town cafe -rare ${numbered(40)}`, 1],
  ])('gives the same pages of a list from either end: %s, depth %s', async (search, depth) => {
    const filter = { search, depth };
    const ids = await listed(one, filter);
    expect(new Set(ids)).toEqual(new Set((await foundByMongo(one, search, depth)).keys()));
    for (const skip of [0, 7, Math.max(0, ids.length - 8), ids.length, ids.length + 3]) {
      const { items, total } = await queries.page(oid, 'titles-0', { filter, skip, limit: 10 });
      expect(total).toBe(ids.length);
      expect(idsOf(items)).toEqual(ids.slice(skip, skip + 10));
    }
    const all = await listed(many, filter);
    expect(await listed(many, filter, 20, 10)).toEqual(all.slice(20, 30));
  });

  it('orders by another field what the words find', async () => {
    for (const crawlIds of [one, many])
      for (const search of ['town', 'rare']) {
        const request = { crawlIds, filter: { search }, sort: { field: 'title', direction: -1 } as const };
        const pages = await queries.list(oid, { ...request, skip: 0, limit: 2000 });
        expect(new Set(idsOf(pages))).toEqual(new Set((await foundByMongo(crawlIds, search)).keys()));
        const bytes = pages.map(({ title }) => Buffer.from(title ?? ''));
        for (const [n, title] of bytes.entries())
          expect(Buffer.compare(title, bytes[n - 1] ?? title)).toBeLessThanOrEqual(0);
      }
  });

  describe('by index', () => {
    const crawlIds = Array.from({ length: 150 }, (_, n) => `common-${n}`);

    beforeAll(async () => {
      const pages = crawlIds.flatMap((crawlId, n) =>
        Array.from({ length: 4 }, (_, i) => page(crawlId, `Common ${'word '.repeat(1 + ((n + i) % 3))}${n}`)),
      );
      const ofOne = Array.from({ length: 600 }, (_, n) => page('common', `Common ${n % 2 ? 'odd' : 'even one'}`));
      await repository.insertBatch(oid, [...pages, ...ofOne]);
    });

    const explain = async (plan: { filter: object; sort: object; hint?: object }, projection?: object) => {
      const cursor = model.collection.find({ ...plan.filter, oid: uuid(oid) } as never).sort(plan.sort as never);
      if (projection) cursor.project(projection);
      return explained(
        await cursor
          .limit(25)
          .hint(plan.hint as never)
          .explain('executionStats'),
      );
    };

    it('reads the matches of a common word in order, from the index alone', async () => {
      for (const ids of [['common'], crawlIds]) {
        const found = await explain(planTitleEntry(ids, { search: 'commonly' }, 'common'), { titleLength: 1 });
        expect([found.indexes, found.sorted, found.docsExamined]).toEqual([[INDEX], 0, 0]);
        expect(found.keysExamined).toBeLessThan(2 * ids.length + 30);
      }
    });

    it.each(['common odd', 'common -odd', '"common even"'])('reads no more than it has to for %s', async (search) => {
      const found = await explain(planTitleEntry(['common'], { search }, 'common'));
      expect([found.indexes, found.sorted]).toEqual([[INDEX], 0]);
      expect(found.docsExamined).toBeLessThanOrEqual(25 + 300);
    });

    it('reads titles with several words by the first of them, and sorts nothing', async () => {
      const search = 'odd one common';
      const ofBoth = planTitlesWith(['common'], { search }, { words: ['odd', 'common'], atLeast: 2 });
      const ofTwo = planTitlesWith(['common'], { search }, { words: ['odd', 'one', 'common'], atLeast: 2 });
      const inOrder = planTitleEntry(['common'], { search }, 'odd', { entries: ['common', 'common 2'], isNone: false });
      const alone = planTitleEntry(['common'], { search }, 'odd', { entries: ['common', 'common 2'], isNone: true });
      for (const [plan, read] of [
        [ofBoth, 300] as const,
        [ofTwo, 600] as const,
        [inOrder, 25] as const,
        [alone, 300] as const,
      ]) {
        const found = await explain(plan);
        expect([found.indexes, found.sorted]).toEqual([[INDEX], 0]);
        expect(found.docsExamined).toBeLessThanOrEqual(read);
      }
    });

    it('looks for repeated and for missing words in the index, once for each item', async () => {
      const repeated = ['common 2', 'common 3', 'common 4', 'odd 2', 'odd 3', 'odd 4'];
      for (const ids of [['common'], crawlIds])
        for (const entries of [repeated, [null], [null, ...repeated]]) {
          const found = await explain(planTitleLook(ids, entries), { _id: 1 });
          expect([found.indexes, found.sorted, found.docsExamined]).toEqual([[INDEX], 0, 0]);
          expect(found.keysExamined).toBeLessThanOrEqual(2 * ids.length + 2);
        }
    });

    it('finds the matches of more words than it merges by the index, and sorts nothing', async () => {
      const { filter, hint } = planPageQuery(crawlIds, { search: `commonly ${numbered(40)}` });
      const found = await explain({ filter, sort: {}, ...(hint ? { hint } : {}) });
      expect([found.indexes, found.sorted]).toEqual([[INDEX], 0]);
      expect(found.docsExamined).toBeLessThanOrEqual(25);
    });

    it('orders a common word by another field along that index', async () => {
      const plan = planPageQuery(crawlIds, { search: 'common' }, { field: 'title', direction: 1 });
      const found = await explain(plan);
      expect([found.indexes, found.sorted]).toEqual([['oid_1_crawl_id_1_title_1__id_1'], 0]);
    });

    it('counts from the index alone', async () => {
      const { filter, hint } = planPageQuery(['common'], { search: 'common odd' });
      const pipeline = [{ $match: { ...filter, oid: uuid(oid) } }, { $group: { _id: 1, n: { $sum: 1 } } }];
      const output = await model.collection.aggregate(pipeline as never, { hint }).explain('executionStats');
      const found = explained((output as { stages?: { $cursor: unknown }[] }).stages?.[0]?.$cursor ?? output);
      expect([found.indexes, found.docsExamined]).toEqual([[INDEX], 0]);
    });
  });
});
