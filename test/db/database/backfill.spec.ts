import type { AnyObject, Collection } from 'mongoose';
import { fillMissing, type Backfill } from '../../../src/database/backfill.js';
import { openTestDatabase, type TestDatabase } from '../../support/test-database.js';

/** Several batches, the last one not full. */
const SIZE = 2_300;
const ORGS = ['a', 'b', 'c'];

describe('a field that documents of another version lack', () => {
  let database: TestDatabase;
  let things: Collection<AnyObject>;

  beforeAll(async () => {
    database = await openTestDatabase();
    things = database.connection.collection('things');
  });
  afterAll(() => database?.close());
  beforeEach(async () => {
    await things.deleteMany({});
    const docs = Array.from({ length: SIZE }, (_, n) => ({ _id: n, oid: ORGS[n % ORGS.length], name: `N ${n}` }));
    await things.insertMany(docs as never[]);
  });

  const lower = (): Backfill => ({
    ...{ name: 'lower', collection: things, missing: { lower: null } },
    update: [{ $set: { lower: { $toLower: '$name' } } }],
  });
  const numbers = (update: Backfill['update']): Backfill => ({
    ...{ name: 'number', collection: things, missing: { number: null } },
    update,
  });

  it.each([false, true])('is filled in all of them, once; org by org: %s', async (byOrg) => {
    const given = await things.findOneAndUpdate({ name: 'N 7' }, { $set: { lower: 'given' } });
    expect(await fillMissing({ ...lower(), byOrg })).toBe(SIZE - 1);
    expect(await things.findOne({ _id: given?._id })).toMatchObject({ lower: 'given' });
    expect(await things.findOne({ name: 'N 8' })).toMatchObject({ lower: 'n 8' });
    expect(await things.countDocuments({ lower: null })).toBe(0);
    expect(await fillMissing({ ...lower(), byOrg })).toBe(0);
  });

  it('is filled once by processes that start at the same time', async () => {
    const counts = await Promise.all([1, 2, 3].map(() => fillMissing(lower())));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(SIZE);
  });

  it('is filled on from where a run broke off, and stays away where nothing tells it', async () => {
    const even = async (id: unknown) => (Number(id) % 2 ? null : { $set: { number: Number(id) } });
    let asked = 0;
    const broken = numbers(async (id) => {
      if (++asked > 1_500) throw new Error('killed');
      return even(id);
    });
    await expect(fillMissing(broken)).rejects.toThrow('killed');
    const before = await things.countDocuments({ number: { $exists: true } });
    expect(before).toBeGreaterThan(0);
    expect(await fillMissing(numbers(even))).toBe(SIZE / 2 - before);
    expect(await things.countDocuments({ number: { $exists: true } })).toBe(SIZE / 2);
  });
});
