import type { Model } from 'mongoose';
import { newId } from '../../../src/common/ids/uuid.js';
import { Job, JobSchema } from '../../../src/jobs/data/job.schema.js';
import { JobsQueries } from '../../../src/jobs/data/jobs.queries.js';
import { WatchedDatabase } from '../../support/watched-database.js';

const SIZE = 900;
const PAGE = 20;
const TYPES = ['create-replica', 'update-coll-stats', 'postprocess-upload'];
const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);

const SORTS = [null, ...['success', 'type', 'started', 'finished']].flatMap((field) =>
  field === null ? [null] : ([1, -1] as const).map((direction) => ({ field, direction })),
);

describe('lists of jobs', () => {
  let database: WatchedDatabase;
  let queries: JobsQueries;
  const [oid, otherOid] = [newId(), newId()];

  beforeAll(async () => {
    database = await WatchedDatabase.open();
    const model: Model<Job> = await database.model<Job>(Job.name, JobSchema);
    queries = new JobsQueries(model);
    await model.insertMany(
      Array.from({ length: SIZE }, (_, n) => ({
        ...{ _id: `job-${n}`, type: TYPES[n % 3], oid: n % 2 ? oid : otherOid, started: at(Math.floor(n / 5)) },
        ...{ finished: n % 50 ? at(n) : null, success: n % 50 ? n % 7 !== 0 : null, previousAttempts: null },
      })),
    );
  });
  afterAll(() => database?.close());

  it.each(
    SORTS.flatMap((sort) => [
      [`an org's, by ${JSON.stringify(sort)}`, { oid }, sort] as const,
      [`all orgs', by ${JSON.stringify(sort)}`, 'all-orgs', sort] as const,
    ]),
  )('are read in the order of an index, and hold every job once: %s', async (_name, scope, sort) => {
    const scoped = scope === 'all-orgs' ? scope : { oid };
    const [rows] = await database.explain(() => queries.list(scoped, {}, sort, { page: 1, pageSize: PAGE }));
    expect(rows?.stages).not.toContain('COLLSCAN');
    expect([rows?.sorted, rows?.docsExamined]).toEqual([0, PAGE]);
    const { rows: all, total } = await queries.list(scoped, {}, sort, { page: 1, pageSize: SIZE });
    expect([new Set(all.map(({ _id }) => _id)).size, total]).toEqual(
      Array(2).fill(scope === 'all-orgs' ? SIZE : SIZE / 2),
    );
  });

  it.each([
    ['type', { type: 'create-replica' }, 'started'],
    ['type', { type: 'create-replica' }, 'finished'],
    ['outcome', { success: false }, 'started'],
    ['outcome', { success: false }, 'finished'],
  ])("of an org filtered by %s read that org's matches only: %j by %s", async (_name, filter, field) => {
    const sort = { field, direction: -1 as const };
    const [rows, count] = await database.explain(() =>
      queries.list({ oid }, filter, sort, { page: 1, pageSize: PAGE }),
    );
    expect([rows?.sorted, rows?.docsExamined]).toEqual([0, PAGE]);
    expect(count?.docsExamined).toBe(0);
  });
});
