import type { Model } from 'mongoose';
import { newId } from '../../../src/common/ids/uuid.js';
import { uuid } from '../../../src/database/uuid-codec.js';
import { ItemMigrationsRepository } from '../../../src/items/data/item-migrations.repository.js';
import { Item, ItemSchema } from '../../../src/items/data/item.schema.js';
import { PageTitleFill } from '../../../src/items/page-jobs/page-title-fill.js';
import { PageReAddsRepository } from '../../../src/pages/data/page-readds.repository.js';
import { Page, PageSchema, type NewPage } from '../../../src/pages/data/page.schema.js';
import { PagesQueries } from '../../../src/pages/data/pages.queries.js';
import { PagesRepository } from '../../../src/pages/data/pages.repository.js';
import { titleIndexOf } from '../../../src/pages/data/title-words.facts.js';
import { openTestDatabase, type TestDatabase } from '../../support/test-database.js';

describe('words of titles that were stored without', () => {
  let database: TestDatabase;
  let model: Model<Page>;
  let fill: PageTitleFill;
  let queries: PagesQueries;
  const [oid, otherOid] = [newId(), newId()];
  const items = Array.from({ length: 160 }, (_, n) => `item-${String(n)}`);

  beforeAll(async () => {
    database = await openTestDatabase();
    model = await database.model<Page>(Page.name, PageSchema);
    const itemModel = await database.model<Item>(Item.name, ItemSchema);
    queries = new PagesQueries(model);
    fill = new PageTitleFill(new ItemMigrationsRepository(itemModel), new PagesRepository(model));
    const stored = [...items.map((_id) => ({ _id, oid })), { _id: 'other', oid: otherOid }];
    await itemModel.collection.insertMany(stored.map((item) => ({ ...item, oid: uuid(item.oid) })) as never[]);
  });
  afterAll(() => database?.close());

  /** As the reference stores them. */
  const insert = async (of: string, crawlId: string, titles: (string | null)[]): Promise<void> => {
    const page = (title: string | null) => ({
      ...{ _id: uuid(newId()), oid: uuid(of), crawl_id: crawlId, url: 'https://e.org/', ts: new Date(0) },
      ...(title === null ? {} : { title }),
    });
    await model.collection.insertMany(titles.map(page) as never[]);
  };

  const page = (crawlId: string, title: string | null): NewPage => ({
    ...{ _id: newId(), crawl_id: crawlId, url: 'https://e.org/', ts: new Date(0), title },
  });
  const titlesFound = async (crawlIds: string[], search: string): Promise<(string | null | undefined)[]> => {
    const pages = await queries.list(oid, { crawlIds, filter: { search }, skip: 0, limit: 2000 });
    expect(await queries.count(oid, crawlIds, { search })).toBe(pages.length);
    return pages.map(({ title }) => title);
  };
  const unfilled = () => model.collection.countDocuments({ titleTerms: null } as never);
  const ends = async (): Promise<void> => {
    await fill.start();
    await fill.settled();
  };

  it('are found nevertheless, beside others, and after they were filled', async () => {
    await insert(oid, 'item-0', ['Archives of the town', null, 'Town', 'Nothing']);
    await insert(otherOid, 'other', ['The town of another org']);
    await new PagesRepository(model).insertBatch(oid, [page('item-0', 'Towns here'), page('item-159', 'A town there')]);
    const [of, all] = [
      ['Town', 'Towns here', 'Archives of the town'],
      ['item-0', 'item-159'],
    ];
    const before = await titlesFound(['item-0'], 'town');
    expect([before[0], new Set(before)]).toEqual(['Town', new Set(of)]);
    expect(new Set(await titlesFound(all, 'town'))).toEqual(new Set([...of, 'A town there']));
    expect(await unfilled()).toBe(5);

    await ends();

    expect(await unfilled()).toBe(0);
    expect(new Set(await titlesFound(['item-0'], 'town'))).toEqual(new Set(of));
    expect(new Set(await titlesFound(all, 'town'))).toEqual(new Set([...of, 'A town there']));
    for (const { title, titleTerms, titleLength } of await model.find().lean().exec())
      expect({ titleTerms, titleLength }).toEqual(titleIndexOf(title));
  });

  it('are filled for more pages than one write takes, in any item, when something was added', async () => {
    const many = Array.from({ length: 1203 }, (_, n) => `Number ${String(n)}`);
    await insert(oid, 'item-3', many);
    await insert(oid, 'item-158', ['Number of the last']);
    await Promise.all([ends(), ends()]);
    expect(await unfilled()).toBe(0);
    expect(await titlesFound(['item-3'], 'numbers')).toHaveLength(1203);
    expect(await titlesFound(['item-158'], 'numbers')).toEqual(['Number of the last']);
  });

  it('follow the title of a page that is read again', async () => {
    const [titled, untitled, fresh] = [page('item-5', 'Old words'), page('item-5', 'Kept words'), page('item-5', null)];
    await new PagesRepository(model).insertBatch(oid, [titled, untitled]);
    const readd = { oid, crawlId: 'item-5', mark: 'job' };
    const readds = new PageReAddsRepository(model);
    await readds.write(readd, [{ ...titled, title: 'New ones' }, { ...untitled, title: null }, fresh]);
    await readds.end(readd, []);
    expect(new Set(await titlesFound(['item-5'], 'old new kept'))).toEqual(new Set(['New ones', 'Kept words']));
    expect(await titlesFound(['item-5'], 'old')).toEqual([]);
    expect(await unfilled()).toBe(0);
  });

  it('stop being filled with the service', async () => {
    await insert(oid, 'item-7', ['Left for the next time']);
    await fill.onModuleDestroy();
    await ends();
    expect(await unfilled()).toBe(1);
    expect(await titlesFound(['item-7'], 'next')).toEqual(['Left for the next time']);
  });
});
