import type { Model } from 'mongoose';
import { newId } from '../../../src/common/ids/uuid.js';
import type { SortDirection } from '../../../src/common/pagination/page.js';
import { fillMissing } from '../../../src/database/backfill.js';
import { orderedNames } from '../../../src/orgs/data/org-backfills.js';
import { nameOrder, Org, OrgSchema } from '../../../src/orgs/data/org.schema.js';
import { OrgsQueries } from '../../../src/orgs/data/orgs.queries.js';
import { explained, openTestDatabase, type TestDatabase } from '../../support/test-database.js';

const SIZE = 60;

describe('lists of all orgs by name', () => {
  let database: TestDatabase;
  let orgs: Model<Org>;
  let queries: OrgsQueries;
  /** Names in the expected order: the default org first, the others by name. */
  let expected: string[];

  beforeAll(async () => {
    database = await openTestDatabase();
    orgs = await database.model<Org>(Org.name, OrgSchema);
    queries = new OrgsQueries(orgs);
    const named = Array.from(
      { length: SIZE },
      (_, n) => `${n % 2 ? 'org' : 'ORG'} ${(n * 37) % SIZE}${n % 5 ? '' : '_é'}`,
    );
    // The reference stores orgs without the name by which lists are ordered, and often without the flag.
    const docs = named.map((name, n) => ({
      ...{ _id: newId(), name, slug: `s-${n}`, storage: { name: 'default', custom: false } },
      ...(n === 7 ? { default: true } : n % 3 ? { default: false } : {}),
    }));
    await orgs.collection.insertMany(docs.map((doc) => new orgs(doc).toObject()) as never[]);
    await orgs.collection.updateMany({ name: /_é$/ }, { $unset: { default: '' } });
    const byKey = (a: string, b: string): number =>
      Buffer.compare(Buffer.from(nameOrder(a)), Buffer.from(nameOrder(b)));
    const first = named[7] as string;
    expected = [first, ...named.filter((name) => name !== first).sort(byKey)];
  });
  afterAll(() => database?.close());

  const fillNames = () => fillMissing(orderedNames(orgs.collection));
  const names = async (direction: SortDirection, skip: number, limit: number): Promise<string[]> =>
    (await queries.list({ everyOrg: true }, { field: 'name', direction }, { skip, limit })).map(({ name }) => name);
  const turned = (): string[] => [expected[0] as string, ...expected.slice(1).reverse()];

  const expectEveryPage = async (): Promise<void> => {
    for (const limit of [1, 7, 25, SIZE + 5])
      for (let skip = 0; skip <= SIZE + 2; skip += limit) {
        expect(await names(1, skip, limit)).toEqual(expected.slice(skip, skip + limit));
        expect(await names(-1, skip, limit)).toEqual(turned().slice(skip, skip + limit));
      }
  };

  it('are in order in a database of the reference, before its orgs have the name to order by', async () => {
    expect(await orgs.collection.countDocuments({ nameLower: { $exists: true } })).toBe(0);
    await expectEveryPage();
  });

  it('give the same pages from the index, whichever end they are read from', async () => {
    expect(await fillNames()).toBe(SIZE);
    expect(await fillNames()).toBe(0);
    await expectEveryPage();
  });

  it('follow a name that another version changed, from the next start on', async () => {
    const last = expected.at(-1) as string;
    await orgs.collection.updateOne({ name: last }, { $set: { name: '0 first of all' } });
    expect(await fillNames()).toBe(1);
    expect((await names(1, 1, 1))[0]).toBe('0 first of all');
    await orgs.collection.updateOne({ name: '0 first of all' }, { $set: { name: last } });
    expect(await fillNames()).toBe(1);
  });

  it.each([1, -1] as const)('are read from one index alone, direction %d', async (direction) => {
    const ids = (await orgs.collection.find({ default: true }).toArray()).map(({ _id }) => _id);
    const page = orgs.collection
      .find({ nameLower: { $gte: '' }, _id: { $nin: ids } })
      .sort({ nameLower: direction, _id: direction })
      .hint({ nameLower: 1, _id: 1 })
      .project({ _id: 1 })
      .skip(20)
      .limit(10);
    const found = explained(await page.explain('executionStats'));
    expect(found.indexes).toEqual(['nameLower_1__id_1']);
    expect([found.sorted, found.docsExamined]).toEqual([0, 0]);
  });
});
