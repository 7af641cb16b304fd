import type { Model } from 'mongoose';
import { newId } from '../../../src/common/ids/uuid.js';
import { uuid } from '../../../src/database/uuid-codec.js';
import { Page, PageSchema, type NewPage } from '../../../src/pages/data/page.schema.js';
import type { PageFilter, PageSort } from '../../../src/pages/data/page-query.js';
import { PagesQueries } from '../../../src/pages/data/pages.queries.js';
import { PagesRepository } from '../../../src/pages/data/pages.repository.js';
import { MOST_UNSTORED } from '../../../src/pages/data/unstored-titles.js';
import { aNewPage } from '../../support/new-page.js';
import { WatchedDatabase } from '../../support/watched-database.js';

const INDEX = 'oid_1_crawl_id_1_titleTerms_1_titleLength_1__id_1';
const TEXT_INDEX = 'title_text';

/** As while a crawl runs: of some pages no words are stored yet. */
describe('search among titles whose words are not all stored', () => {
  let database: WatchedDatabase;
  let model: Model<Page>;
  let repository: PagesRepository;
  let queries: PagesQueries;
  const oid = newId();
  const one = ['item-0'];
  /** More than MongoDB merges. */
  const many = Array.from({ length: 155 }, (_, n) => `item-${n}`);
  const note = (n: number) => ({ id: newId(), text: `${n}`, created: new Date(0), userid: oid, userName: 'A' });

  const titleOf = (n: number): string | null =>
    n % 41 === 0
      ? null
      : ['Town', 'Towns of climate', 'A town, the Town', 'Climate change', 'Rare town changes', 'Café', 'Other'][
          n % 7
        ] + (n % 7 ? ` number ${n % 13}` : '');
  const page = (crawlId: string, n: number): NewPage =>
    aNewPage(crawlId, n, {
      ...{ title: titleOf(n), depth: n % 3, status: n % 4 ? 200 : 404 },
      ...(n % 5 ? {} : { approved: n % 2 === 0 }),
      ...(n % 9 ? {} : { notes: [note(n)] }),
      ...(n % 2 ? { qa: { run: { screenshotMatch: (n % 10) / 10, textMatch: null, resourceCounts: null } } } : {}),
    });

  beforeAll(async () => {
    database = await WatchedDatabase.open();
    model = await database.model<Page>(Page.name, PageSchema);
    repository = new PagesRepository(model);
    queries = new PagesQueries(model);
    const pages = [
      ...Array.from({ length: 300 }, (_, n) => page('item-0', n)),
      ...Array.from({ length: 240 }, (_, n) => page(many[n % many.length] ?? '', n + 3)),
    ];
    await repository.insertBatch(oid, pages);
  });
  afterAll(() => database?.close());

  const forgetSome = async (): Promise<void> => {
    const pages = await model.collection.find({ oid: uuid(oid) } as never).toArray();
    const ids = pages.filter((_, n) => n % 3 === 0).map(({ _id }) => _id);
    await model.collection.updateMany({ _id: { $in: ids } }, { $unset: { titleTerms: '', titleLength: '' } });
  };

  const SEARCHES: PageFilter[] = [
    ...[
      'town',
      'climate change',
      '"climate change"',
      'town -rare',
      'cafe',
      'rare changes -"number 3"',
      'the',
      'nothing',
    ],
    ...[`town climate ${Array.from({ length: 40 }, (_, n) => `word${n}`).join(' ')}`],
  ].map((search) => ({ search }));
  const FILTERS: PageFilter[] = [
    ...[{ depth: 1 }, { isSeed: true }, { isSeed: false }, { hasNotes: true }, { hasNotes: false }],
    ...[{ reviewed: true }, { reviewed: false }, { approved: [true, null] }, { qa: { runId: 'run' } }],
  ].map((filter) => ({ search: 'town change', ...filter }));
  const SORTS = (['url', 'title', 'ts', 'notes'] as const).map((field, n) => ({
    ...{ field, direction: n % 2 ? (-1 as const) : (1 as const) },
  }));

  const ofOne = [
    ...SEARCHES.map((filter) => ({ filter, sort: null })),
    ...SORTS.map((sort) => ({ filter: { search: 'town' }, sort })),
    ...FILTERS.map((filter, n) => ({ filter, sort: n % 2 ? (SORTS[(n >> 1) % SORTS.length] ?? null) : null })),
  ];
  const ofMany = [
    ...SEARCHES.slice(2, 5).map((filter) => ({ filter, sort: null })),
    ...SORTS.slice(0, 2).map((sort) => ({ filter: { search: 'town' }, sort })),
  ];

  /** Ids of each of the lists, in order. */
  const lists = async (): Promise<string[][]> => {
    const found: string[][] = [];
    for (const [crawlIds, requests] of [[one, ofOne] as const, [many, ofMany] as const])
      for (const request of requests) {
        const pages = await queries.list(oid, { ...request, crawlIds, skip: 0, limit: 1000 });
        found.push(pages.map(({ _id }) => _id));
      }
    return found;
  };

  /** Begin and end of each of these lists, and their numbers of pages. */
  const expectPagesOf = async (expected: string[][]): Promise<void> => {
    for (const [n, request] of ofOne.entries()) {
      const ids = expected[n] ?? [];
      for (const skip of [0, Math.max(0, ids.length - 5)]) {
        const { items, total } = await queries.page(oid, 'item-0', { ...request, skip, limit: 10 });
        expect([total, items.map(({ _id }) => _id)]).toEqual([ids.length, ids.slice(skip, skip + 10)]);
      }
    }
    for (const [n, request] of ofMany.entries())
      expect(await queries.count(oid, many, request.filter)).toBe(expected[ofOne.length + n]?.length);
  };

  it('gives the same lists and numbers as when all are stored, also while they are being stored', async () => {
    const expected = await lists();
    await forgetSome();
    expect(await lists()).toEqual(expected);
    await Promise.all([expectPagesOf(expected), repository.fillTitleWords(oid, many)]);
    await forgetSome();
    await expectPagesOf(expected);
  });

  describe('by index', () => {
    const explained = async (filter: PageFilter, sort: PageSort | null = null) =>
      (await database.explain(() => queries.page(oid, 'item-0', { filter, sort, skip: 0, limit: 25 }))).map(
        ({ indexes, sorted, docsExamined }) => ({ indexes, sorted, docsExamined }),
      );

    beforeAll(async () => {
      await repository.fillTitleWords(oid, many);
      await forgetSome();
    });

    it('reads them, those of them that are left, and then what is stored, and sorts nothing', async () => {
      const found = await explained({ search: 'town' });
      const total = await queries.count(oid, one, { search: 'town' });
      const missing = await model.countDocuments({ crawl_id: 'item-0', titleTerms: null });
      // Unstored titles, the filter over their matches, the look for repeated words, four numbers of times; pages; total.
      expect(found.map(({ indexes }) => indexes)).toEqual([
        [INDEX],
        ['_id_'],
        ...Array.from({ length: 5 }, () => [INDEX]),
        ['_id_'],
        [INDEX],
      ]);
      expect(found.map(({ sorted }) => sorted)).toEqual(found.map(() => 0));
      expect(found[0]?.docsExamined).toBe(missing);
      expect(found[1]?.docsExamined).toBeLessThan(total);
      // The number of what is stored is counted in the index alone.
      expect(found.at(-1)?.docsExamined).toBe(0);
    });

    it('orders many by another field along its index, and few after they were found', async () => {
      const sort: PageSort = { field: 'url', direction: 1 };
      const listOf = async (search: string) => (await explained({ search }, sort)).at(-2);
      const ofMany = await listOf('town');
      expect([ofMany?.indexes, ofMany?.sorted]).toEqual([['oid_1_crawl_id_1_url_1_isSeed_-1_ts_1__id_1'], 0]);
      const ofFew = await listOf('rare');
      expect(ofFew?.indexes).toEqual(['_id_']);
      expect(ofFew?.sorted).toBeLessThanOrEqual(100);
    });

    it("finds titles by MongoDB's text index where too many are without words, and sorts nothing", async () => {
      const titled = Array.from({ length: MOST_UNSTORED + 1 }, (_, n) => {
        const title = n % 100 < 40 ? titleOf(n % 300) : null;
        return aNewPage('taken-over', n, { title, depth: n % 3 });
      });
      await repository.insertBatch(oid, titled, false);
      await repository.insertBatch(oid, [
        ...[aNewPage('taken-over', 9, { title: 'Town and country' }), aNewPage('item-0', 9, { title: 'Country town' })],
      ]);
      const requests = [
        ...SEARCHES.map((filter) => ({ filter, sort: null })),
        ...SORTS.map((sort) => ({ filter: { search: 'town country -rare', depth: 1 }, sort })),
      ];
      const listed = async () => {
        const found = [];
        for (const request of requests) {
          const all = await queries.list(oid, { ...request, crawlIds: ['taken-over', ...many], skip: 0, limit: 5000 });
          const number = await queries.count(oid, ['taken-over', ...many], request.filter);
          const first = await queries.page(oid, 'taken-over', { ...request, skip: 0, limit: 5 });
          const last = await queries.page(oid, 'taken-over', {
            ...request,
            skip: Math.max(0, first.total - 3),
            limit: 5,
          });
          found.push([number, first.total, ...[all, first.items, last.items].map((of) => of.map(({ _id }) => _id))]);
        }
        return found;
      };
      const before = await listed();
      for (const request of requests.filter(({ filter }) => filter.search !== 'the')) {
        const work = () => queries.page(oid, 'taken-over', { ...request, skip: 0, limit: 5 });
        const plans = await database.explain(work);
        expect(plans.map(({ sorted }) => sorted)).toEqual(plans.map(() => 0));
        expect(plans.flatMap(({ indexes }) => indexes)).toContain(TEXT_INDEX);
      }
      await repository.fillTitleWords(oid, ['taken-over']);
      expect(await listed()).toEqual(before);
    });
  });
});
