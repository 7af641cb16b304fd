import type { Model } from 'mongoose';
import { newId } from '../../../src/common/ids/uuid.js';
import { uuid } from '../../../src/database/uuid-codec.js';
import { Page, PageSchema } from '../../../src/pages/data/page.schema.js';
import type { PageFilter } from '../../../src/pages/data/page-query.js';
import { PagesQueries } from '../../../src/pages/data/pages.queries.js';
import { PagesRepository } from '../../../src/pages/data/pages.repository.js';
import { MOST_AT_ONCE } from '../../../src/pages/data/title-search.js';
import { aNewPage } from '../../support/new-page.js';
import { WatchedDatabase } from '../../support/watched-database.js';

const LIMIT = 25;
const INSERTED_AT_ONCE = 2000;
/** More than are found at once, of any kind. */
const MANY = MOST_AT_ONCE + 300;

/** Lists where words are in very many titles, and what decides is how many of them a title has. */
describe('search for words that many titles have', () => {
  let database: WatchedDatabase;
  let model: Model<Page>;
  let queries: PagesQueries;
  const oid = newId();
  /** More than MongoDB merges. */
  const many = Array.from({ length: 160 }, (_, n) => `spread-${n}`);

  /** Titles of so many words, these first. */
  const long = (words: string, length: number): string => {
    const given = words.split(' ');
    return [...given, ...Array.from({ length: length - given.length }, (_, n) => `filling${n}`)].join(' ');
  };
  const LISTS: Record<string, (n: number) => string> = {
    // One title has both.
    apart: (n) => long(n === 777 ? 'bridge copper' : n % 2 ? 'bridge' : 'copper', n === 777 ? 12 : 4),
    together: (n) => long(n === 777 ? 'bridge' : 'bridge copper', 4 + (n % 3)),
    // Short titles have one word, long ones two: many of each.
    mixed: (n) => (n % 3 ? long(n % 2 ? 'bridge' : 'copper', 2 + (n % 5)) : long('bridge copper', 8 + (n % 4))),
    // As site names are repeated.
    repeated: (n) =>
      long(
        n % 2
          ? 'copper copper bridge'
          : n % 3
            ? 'copper bridge'
            : n % 8
              ? 'bridge bridge'
              : 'bridge copper bridge copper',
        5 + (n % 6),
      ),
    // Three words: any two are together often, all three once.
    pairs: (n) =>
      long(
        n === 777 ? 'bridge copper stone' : (['bridge copper', 'copper stone', 'bridge stone', 'stone'][n % 4] ?? ''),
        6,
      ),
  };

  beforeAll(async () => {
    database = await WatchedDatabase.open();
    model = await database.model<Page>(Page.name, PageSchema);
    queries = new PagesQueries(model);
    const repository = new PagesRepository(model);
    const pages = Object.entries(LISTS).flatMap(([item, titleOf]) =>
      Array.from({ length: item === 'mixed' ? 3 * MANY : MANY }, (_, n) =>
        aNewPage(item, n, { title: titleOf(n), depth: n % 7 }),
      ),
    );
    pages.push(
      ...many.flatMap((item, at) =>
        Array.from({ length: 10 }, (_, n) => aNewPage(item, n, { title: LISTS['apart']?.(10 * at + n) ?? '' })),
      ),
    );
    for (let at = 0; at < pages.length; at += INSERTED_AT_ONCE)
      await repository.insertBatch(oid, pages.slice(at, at + INSERTED_AT_ONCE));
  });
  afterAll(() => database?.close());

  /** In MongoDB's own order. */
  const expectedOf = async (crawlIds: readonly string[], { search, depth = null }: PageFilter): Promise<string[]> => {
    const filter = {
      $text: { $search: search },
      oid: uuid(oid),
      crawl_id: { $in: crawlIds },
      ...(depth === null ? {} : { depth }),
    };
    const found = await model.collection
      .find(filter as never)
      .project({ score: { $meta: 'textScore' } })
      .toArray();
    const scored = found.map(({ _id, score }) => ({ id: String(_id), score: Math.round((score as number) * 1e6) }));
    return scored.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).map(({ id }) => id);
  };
  const pageOf = async (item: string, filter: PageFilter, skip: number) => {
    const { items, total } = await queries.page(oid, item, { filter, skip, limit: LIMIT });
    return { ids: items.map(({ _id }) => _id), total };
  };

  describe.each(Object.keys(LISTS))('of pages %s', (item) => {
    const searches =
      item === 'pairs'
        ? ['bridge copper stone', 'stone bridge', 'stone bridge copper none at all']
        : ['copper bridge', 'copper bridge nothing', 'bridge -copper', '"copper bridge"', '"bridge stone"'];

    it.each(searches)('gives the pages of the list as MongoDB orders them: %s', async (search) => {
      for (const depth of [null, 3]) {
        const expected = await expectedOf([item], { search, depth });
        const last = Math.max(0, expected.length - (expected.length % LIMIT || LIMIT));
        for (const skip of [
          0,
          LIMIT,
          Math.floor(expected.length / 3),
          Math.ceil(expected.length / 2),
          last - LIMIT,
          last,
        ].filter((at) => at >= 0))
          expect(await pageOf(item, { search, depth }, skip)).toEqual({
            ids: expected.slice(skip, skip + LIMIT),
            total: expected.length,
          });
      }
    });
  });

  // Of 800 pages, the mixed ones 2,400: a search for the first page or the last is sent what it needs to know.
  it.each([
    ['apart', 300],
    ['together', 300],
    ['mixed', 1000],
    ['repeated', 600],
  ])('is sent few of the pages %s', async (item, most) => {
    const filter = { search: 'copper bridge' };
    const { total } = await pageOf(item, filter, 0);
    for (const skip of [0, total - LIMIT])
      expect(await database.sentTo(() => pageOf(item, filter, skip))).toBeLessThan(most);
  });

  it('finds the one title of many items that has both', async () => {
    const filter = { search: 'bridge copper' };
    const expected = await expectedOf(many, filter);
    const found = await queries.list(oid, { crawlIds: many, filter, skip: 0, limit: LIMIT });
    expect(found.map(({ _id }) => _id)).toEqual(expected.slice(0, LIMIT));
  });
});
