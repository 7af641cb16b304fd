import { newId } from '../../../src/common/ids/uuid.js';
import { orderIndex, Workflow, WORKFLOW_SORTS, WorkflowSchema } from '../../../src/workflows/data/workflow.schema.js';
import { WorkflowsQueries, type WorkflowFilter } from '../../../src/workflows/data/workflows.queries.js';
import type { Explained } from '../../support/test-database.js';
import { WatchedDatabase } from '../../support/watched-database.js';

const AT = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);
const SIZE = 600;
/** Number of workflows that are not deleted. */
const LISTED = 550;
const PAGE = { skip: 0, limit: 20 };

describe('lists of workflows', () => {
  let database: WatchedDatabase;
  let queries: WorkflowsQueries;
  const [oid, otherOid, userid, profileId, dedupeCollId] = [newId(), newId(), newId(), newId(), newId()];
  const rareUser = newId();

  beforeAll(async () => {
    database = await WatchedDatabase.open();
    const model = await database.model<Workflow>(Workflow.name, WorkflowSchema);
    const rows = Array.from({ length: SIZE + 50 }, (_, n) => {
      const isOften = n % 2 === 1;
      const ran = n % 3 ? AT(n % 90) : null;
      return {
        ...{ _id: newId(), oid: n < SIZE ? oid : otherOid, config: {}, inactive: n % 12 === 0 },
        ...{
          name: isOften ? (n % 4 === 1 ? 'Often' : 'öften') : `Name ${n % 70}`,
          description: isOften ? 'Often' : '',
        },
        ...{
          firstSeed: isOften ? 'https://often.org/' : `https://x${n % 50}.org/`,
          tags: [isOften ? 'often' : `t${n}`],
        },
        ...{ created: AT(n % 80), modified: AT(n % 40), createdBy: isOften ? userid : n === 2 ? rareUser : newId() },
        ...{
          modifiedBy: isOften ? userid : newId(),
          profileid: isOften ? profileId : null,
          lastCrawlState: 'complete',
        },
        ...{ dedupeCollId: isOften ? dedupeCollId : null, schedule: isOften ? '0 0 * * *' : '' },
        ...{ isCrawlRunning: n % 30 === 1, lastRun: ran, lastCrawlTime: ran, lastCrawlStartTime: ran },
      };
    });
    await model.collection.insertMany(rows.map((row) => new model(row).toObject()) as never[]);
    // Old documents lack these fields.
    const some = rows.slice(100, 200).map(({ _id }) => _id);
    await model.updateMany({ _id: { $in: some }, inactive: false }, { $unset: { inactive: '', isCrawlRunning: '' } });
    queries = new WorkflowsQueries(model);
  });
  afterAll(() => database?.close());

  const planOf = async (list: () => Promise<unknown>): Promise<Explained | undefined> =>
    (await database.explain(list))[0];
  const leavingMany: WorkflowFilter[] = [
    ...[{}, { name: 'OFTEN' }, { firstSeed: 'https://often.org/' }, { tags: ['Often'] }, { description: 'often' }],
    ...[{ createdBy: userid }, { modifiedBy: userid }, { profileIds: [profileId] }, { dedupeCollId }],
    ...[{ hasSchedule: true }, { hasSchedule: false }, { lastCrawlState: ['complete'] }, { isCrawlRunning: false }],
  ];
  const bothWays = WORKFLOW_SORTS.flatMap((field) => [[field, 1] as const, [field, -1] as const]);

  it.each(bothWays)(
    'by %s %s read its index in order, from the nearer end, nothing sorted',
    async (field, direction) => {
      for (const filter of leavingMany) {
        const { total } = await queries.list(oid, filter, { field, direction }, PAGE);
        expect(total).toBeGreaterThan(200);
        for (const skip of [0, total - PAGE.limit]) {
          const plan = await planOf(() => queries.list(oid, filter, { field, direction }, { ...PAGE, skip }));
          expect([plan?.indexes, plan?.sorted]).toEqual([[orderIndex(field)], 0]);
          if (filter === leavingMany[0]) expect(plan?.docsExamined).toBeLessThanOrEqual(PAGE.limit + 2);
        }
      }
    },
  );

  it.each(bothWays)('by %s %s have each workflow once, the same from either end', async (field, direction) => {
    for (const filter of [{}, { isCrawlRunning: false }, { name: 'often' }]) {
      const straight = await queries.list(oid, filter, { field, direction }, { skip: 0, limit: SIZE });
      const ids = straight.items.map(({ _id }) => _id);
      expect(new Set(ids).size).toBe(straight.total);
      const paged: string[] = [];
      for (let skip = 0; skip < straight.total; skip += 90) {
        const { items } = await queries.list(oid, filter, { field, direction }, { skip, limit: 90 });
        paged.push(...items.map(({ _id }) => _id));
      }
      expect(paged).toEqual(ids);
    }
  });

  it('have running workflows first, then those that ran last', async () => {
    const { items } = await queries.list(oid, {}, { field: 'lastRun', direction: -1 }, { skip: 0, limit: SIZE });
    expect(items).toHaveLength(LISTED);
    const running = items.map(({ isCrawlRunning }) => isCrawlRunning === true);
    expect(running.lastIndexOf(true)).toBeLessThan(running.indexOf(false));
  });

  it.each<[string, WorkflowFilter, string]>([
    ['name', { name: 'name 8' }, 'oid_1_name_1'],
    ['first seed', { firstSeed: 'https://X8.org/' }, 'oid_1_firstSeed_1'],
    ['tag', { tags: ['T8'] }, 'oid_1_tags_1'],
    ['running ones', { isCrawlRunning: true }, orderIndex('lastRun')],
    ['user', { createdBy: rareUser }, 'createdBy_1'],
  ])('of a selective %s read its index and sort what it leaves', async (_name, filter, index) => {
    const plan = await planOf(() => queries.list(oid, filter, { field: 'created', direction: -1 }, PAGE));
    expect(plan?.indexes).toEqual([index]);
    expect(plan?.sorted).toBeGreaterThan(0);
    expect(plan?.sorted).toBeLessThanOrEqual(30);
    expect(plan?.docsExamined).toBeLessThanOrEqual(30);
  });

  it('come as they are stored where no order is asked for', async () => {
    const plan = await planOf(() => queries.list(oid, {}, null, PAGE));
    expect([plan?.indexes, plan?.sorted]).toEqual([['oid_hashed_inactive_1'], 0]);
    expect((await queries.list(oid, {}, null, PAGE)).total).toBe(LISTED);
  });
});
