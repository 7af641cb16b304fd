import type { Model } from 'mongoose';
import { newId } from '../../src/common/ids/uuid.js';
import { Collection, CollectionSchema } from '../../src/collections/data/collection.schema.js';
import { COLLECTION_SORT_FIELDS, CollectionsQueries } from '../../src/collections/data/collections.queries.js';
import { SEED_FILE_ORDERS, SeedFile, SeedFileSchema } from '../../src/files/data/seed-file.schema.js';
import { SeedFilesRepository } from '../../src/files/data/seed-files.repository.js';
import { ItemBackfills } from '../../src/items/data/item-backfills.js';
import { Item, ItemSchema } from '../../src/items/data/item.schema.js';
import { ItemValuesQueries } from '../../src/items/data/item-values.queries.js';
import { ItemsQueries } from '../../src/items/data/items.queries.js';
import { BrowserProfile, BrowserProfileSchema } from '../../src/profiles/data/browser-profile.schema.js';
import { PROFILE_SORTS, ProfilesQueries } from '../../src/profiles/data/profiles.queries.js';
import { Workflow, WorkflowSchema } from '../../src/workflows/data/workflow.schema.js';
import { WorkflowsQueries } from '../../src/workflows/data/workflows.queries.js';
import type { Explained } from '../support/test-database.js';
import { WatchedDatabase } from '../support/watched-database.js';

const AT = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);
const SIZE = 300;
const PAGE = { skip: 0, limit: 20 };
const many = <T>(make: (n: number) => T): T[] => Array.from({ length: SIZE }, (_, n) => make(n));
const bothWays = <F extends string>(fields: readonly F[]) =>
  fields.flatMap((field) => [
    { field, direction: 1 as const },
    { field, direction: -1 as const },
  ]);

/** Lists of items are in items/, of pages in pages/, of jobs and notifications in folders of theirs. */
describe('plans of lists and of the values that filters offer', () => {
  let database: WatchedDatabase;
  let collections: CollectionsQueries;
  let files: SeedFilesRepository;
  let profiles: ProfilesQueries;
  let items: ItemsQueries;
  let values: ItemValuesQueries;
  let workflows: WorkflowsQueries;
  const [oid, cid, collectionId] = [newId(), newId(), newId()];

  const fill = async <T>(name: string, schema: Parameters<WatchedDatabase['model']>[1], rows: object[]) => {
    const model: Model<T> = await database.model<T>(name, schema);
    await model.collection.insertMany(rows.map((row) => new model(row).toObject()) as never[]);
    return model;
  };

  beforeAll(async () => {
    database = await WatchedDatabase.open();
    const archived = await fill<Item>(
      Item.name,
      ItemSchema,
      many((n) => ({
        ...{ _id: `manual-${n}`, oid, type: n % 3 ? 'crawl' : 'upload', userid: oid, state: 'complete' },
        ...{ started: AT(n), finished: AT(n), cid: n % 3 ? cid : null, collectionIds: n % 2 ? [collectionId] : [] },
        ...{ tags: [`tag ${n % 200}`], name: n % 5 ? `Name ${n % 7}` : '', description: `About ${n % 4}` },
      })),
    );
    await archived.collection.updateOne({ _id: 'manual-1' as never }, { $unset: { type: '' }, $set: { name: 'Old' } });
    await new ItemBackfills(archived.db).fillTypes();
    const workflow = { _id: cid, oid, name: '', firstSeed: 'https://seed.org/', config: {}, created: AT(0) };
    const configs = await fill<Workflow>(Workflow.name, WorkflowSchema, [
      { ...workflow, modified: AT(0), tags: ['t'] },
    ]);
    items = new ItemsQueries(archived);
    workflows = new WorkflowsQueries(configs);
    values = new ItemValuesQueries(archived, configs);
    const stored = await fill<Collection>(
      Collection.name,
      CollectionSchema,
      many((n) => ({
        ...{ _id: newId(), oid, name: `name ${n}`, slug: `name-${n}`, description: `D ${n % 9}`, caption: `${n % 8}` },
        ...{ created: AT(n), modified: AT(n % 50), crawlCount: n % 7, pageCount: n % 11, totalSize: n },
        ...{ dateLatest: AT(n % 20), dateEarliest: AT(-n), access: n % 2 ? 'public' : 'private' },
        ...{ indexState: n % 2 ? 'idle' : null },
      })),
    );
    collections = new CollectionsQueries(stored, archived);
    const file = { hash: '', storage: { name: 'default', custom: false }, originalFilename: 'a.txt', userid: oid };
    const seedFiles = await fill<SeedFile>(
      SeedFile.name,
      SeedFileSchema,
      many((n) => ({
        ...{ ...file, _id: newId(), oid, filename: `${n}`, size: n % 40, mime: 'text/plain', userName: `U ${n % 3}` },
        ...{ created: AT(n % 60), firstSeed: `https://${n % 30}.org/`, seedCount: n % 10 },
      })),
    );
    files = new SeedFilesRepository(seedFiles);
    const browserProfiles = await fill<BrowserProfile>(
      BrowserProfile.name,
      BrowserProfileSchema,
      many((n) => ({
        ...{ _id: newId(), oid, userid: oid, name: `${n % 2 ? 'N' : 'n'}ame ${n % 40}`, tags: n % 2 ? ['t'] : [] },
        ...{ origins: n % 6 ? [`https://${n % 30}.org/`, 'https://a.org/'] : [], created: AT(n), modified: AT(n % 9) },
      })),
    );
    profiles = new ProfilesQueries(browserProfiles);
  });
  afterAll(() => database?.close());

  /** What reads a list does, the counting aside. */
  const planOf = async (list: () => Promise<unknown>): Promise<Explained | undefined> =>
    (await database.explain(list))[0];
  const idsOf = (rows: { _id: string }[]): string[] => rows.map(({ _id }) => _id);
  const slices = (size: number): { skip: number; limit: number }[] =>
    Array.from({ length: Math.ceil(size / 70) }, (_, n) => ({ skip: n * 70, limit: 70 }));

  it.each([null, ...bothWays(COLLECTION_SORT_FIELDS)])('collections by %j read an index in order', async (sort) => {
    const some = [{}, { access: 'public' }, { hasDedupeIndex: true }, { namePrefix: 'NAME' }, { namePrefix: 'name 2' }];
    for (const filter of some) {
      const plan = await planOf(() => collections.list(oid, filter, sort, PAGE));
      const index = sort?.field === 'name' ? 'oid_1_name_1' : `oid_1_${sort?.field ?? 'created'}`;
      expect([plan?.sorted, plan?.indexes.length, plan?.indexes[0]?.startsWith(index)]).toEqual([0, 1, true]);
    }
  });

  it.each([null, ...bothWays(SEED_FILE_ORDERS)])('seed files by %j read one index, each file once', async (sort) => {
    const plan = await planOf(() => files.list(oid, PAGE, sort));
    expect(plan?.indexes).toEqual([`oid_1_${sort?.field ?? 'created'}_1__id_1`]);
    expect([plan?.sorted, plan?.docsExamined]).toEqual([0, PAGE.limit]);
    const pages = await Promise.all(slices(SIZE).map((bounds) => files.list(oid, bounds, sort)));
    expect(new Set(idsOf(pages.flat())).size).toBe(SIZE);
  });

  it.each([null, ...bothWays(PROFILE_SORTS)])('profiles by %j read one index, each profile once', async (sort) => {
    const all = { needsAllTags: false };
    for (const filter of [all, { ...all, tags: ['T'] }, { ...all, userId: oid }]) {
      const plan = await planOf(() => profiles.list(oid, filter, sort, PAGE));
      expect(plan?.indexes).toEqual([`oid_1_${sort?.field.replace('url', 'origins.0') ?? 'created'}_ci`]);
      expect(plan?.sorted).toBe(0);
      if (filter === all) expect(plan?.docsExamined).toBe(PAGE.limit);
    }
    const pages = await Promise.all(slices(SIZE).map((bounds) => profiles.list(oid, all, sort, bounds)));
    expect(new Set(idsOf(pages.flatMap(({ items }) => items))).size).toBe(SIZE);
  });

  it('names of collections and profiles are read along an index, each once', async () => {
    for (const [names, distinct] of [
      [() => collections.names(oid), SIZE],
      [() => profiles.names(oid), 40],
    ] as const) {
      const plans = await database.explain(names);
      expect(plans.map(({ sorted, stages }) => [sorted, stages.includes('IXSCAN')])).toEqual([[0, true]]);
      expect(new Set(await names()).size).toBe(distinct);
      expect(await names()).toHaveLength(distinct);
    }
  });

  it('tags are counted by group and sorted by nothing in the database, the most used first', async () => {
    for (const [counts, distinct] of [
      [() => items.tagCounts(oid, null, true), 200],
      [() => items.tagCounts(oid, 'crawl', false), 167],
      [() => workflows.tagCounts(oid), 1],
      [() => profiles.tagCounts(oid), 1],
    ] as const) {
      const plans = await database.explain(counts);
      expect(plans.map(({ sorted, stages }) => [sorted, stages.includes('COLLSCAN')])).toEqual([[0, false]]);
      const found = await counts();
      expect(found).toHaveLength(distinct);
      expect(found).toEqual([...found].sort((a, b) => b.count - a.count || (a.tag < b.tag ? -1 : 1)));
    }
    expect((await items.tagCounts(oid, null, true))[0]).toEqual({ tag: 'tag 0', count: 2 });
  });

  it('values of items are skipped through in an index, without reading the items or sorting anything', async () => {
    const plans = await database.explain(() => values.searchValues(oid, {}));
    expect(plans.map(({ sorted }) => sorted)).toEqual(plans.map(() => 0));
    expect(plans.filter(({ stages }) => stages.includes('DISTINCT_SCAN'))).toHaveLength(5);
    const ofItems = plans.filter(({ indexes: [index] }) => index?.startsWith('oid_1_'));
    expect(ofItems.reduce((sum, { docsExamined }) => sum + docsExamined, 0)).toBe(0);
    const found = await values.searchValues(oid, {});
    expect([new Set(found.ids).size, found.ids.length, found.ids[0]]).toEqual([SIZE, SIZE, `manual-${SIZE - 1}`]);
    expect([found.names, found.descriptions]).toEqual([
      [...Array.from({ length: 7 }, (_, n) => `Name ${n}`), 'Old'],
      Array.from({ length: 4 }, (_, n) => `About ${n}`),
    ]);
    expect(found.firstSeeds).toEqual(['https://seed.org/']);
  });

  it.each([
    ['crawl', 200],
    ['upload', 100],
  ] as const)('values of one type too: %s', async (type, number) => {
    const plans = await database.explain(() => values.searchValues(oid, { type }));
    expect(plans.map(({ sorted }) => sorted)).toEqual(plans.map(() => 0));
    expect(plans.filter(({ stages }) => stages.includes('DISTINCT_SCAN'))).toHaveLength(type === 'crawl' ? 3 : 2);
    const found = await values.searchValues(oid, { type });
    expect([new Set(found.ids).size, found.ids.length]).toEqual([number, number]);
    expect(found.names.includes('Old')).toBe(type === 'crawl');
    expect([found.descriptions, found.firstSeeds].map((list) => list.length)).toEqual([4, type === 'crawl' ? 1 : 0]);
  });

  it('values of a collection read its items only and sort nothing', async () => {
    const plans = await database.explain(() => values.searchValues(oid, { collectionId }));
    expect(plans.map(({ sorted }) => sorted)).toEqual(plans.map(() => 0));
    const ofItems = plans.filter(({ indexes: [index] }) => index?.startsWith('oid_1_'));
    expect(new Set(ofItems.flatMap(({ indexes }) => indexes))).toEqual(
      new Set(['oid_1_collectionIds_1_finished_-1__id_1']),
    );
    const found = await values.searchValues(oid, { collectionId });
    expect([new Set(found.ids).size, found.names.length, found.firstSeeds.length]).toEqual([SIZE / 2, 8, 1]);
  });
});
