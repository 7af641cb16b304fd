import { Schema } from 'mongoose';
import { IndexSync } from '../../../src/database/index-sync.js';
import { newId } from '../../../src/common/ids/uuid.js';
import { OrgScoped } from '../../../src/database/org-scoped.js';
import { storedLargely } from '../../../src/database/schema-options.js';
import { uuid } from '../../../src/database/uuid-codec.js';
import { openTestDatabase, type TestDatabase } from '../../support/test-database.js';

/** Mongoose itself creates nothing. */
const BY_SYNC = { autoIndex: false, autoCreate: false };

describe('IndexSync', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await openTestDatabase();
    const things = new Schema({ a: Number, b: String, at: Date }, { collection: 'things', ...BY_SYNC });
    things.index({ a: 1 });
    things.index({ b: 1 }, { unique: true });
    things.index({ at: 1 }, { expireAfterSeconds: 60 });
    database.connection.model('Thing', things);
    database.connection.model('Bare', new Schema({ a: Number }, { collection: 'bare', ...BY_SYNC }));
  });
  afterAll(() => database?.close());
  beforeEach(() => database.connection.dropDatabase());

  const run = async (): Promise<Record<string, unknown>> => {
    await new IndexSync(database.connection).run();
    const found = await database.connection.collection('things').indexes();
    return Object.fromEntries(
      found.map(({ name, unique, expireAfterSeconds }) => [name, unique ?? expireAfterSeconds]),
    );
  };
  const all = { _id_: undefined, a_1: undefined, b_1: true, at_1: 60 };

  it('creates every index of a new database, and again changes nothing', async () => {
    expect(await run()).toEqual(all);
    expect(await run()).toEqual(all);
  });

  it('adds the missing ones to those that a database has', async () => {
    await database.connection.collection('things').createIndex({ a: 1 });
    await database.connection.collection('things').createIndex({ c: 1 });
    expect(await run()).toEqual({ ...all, c_1: undefined });
  });

  it('does not wait for those of a large collection, which is read meanwhile', async () => {
    const { connection } = database;
    const large = new Schema({ oid: Schema.Types.UUID, a: Number }, { ...storedLargely('large'), _id: false });
    large.index({ oid: 1, a: 1 });
    const model = connection.model<{ oid: string; a: number }>('Large', large);
    const oid = newId();
    await model.collection.insertMany(Array.from({ length: 50 }, (_, a) => ({ oid: uuid(oid), a })) as never[]);
    // A build begins when the transactions that are open have ended.
    const session = await connection.startSession();
    const sync = new IndexSync(connection);
    session.startTransaction();
    await model.collection.insertOne({ oid: uuid(newId()), a: 0 } as never, { session: session as never });
    try {
      await sync.run(100);
      const [hint, scoped] = [{ oid: 1, a: 1 } as const, new OrgScoped(model)];
      expect(await scoped.find(oid, { a: { $gte: 45 } }, { limit: 10, hint, sort: { a: -1 } })).toHaveLength(5);
      expect(await scoped.count(oid, {}, { hint })).toBe(50);
      expect(await scoped.aggregate(oid, [{ $group: { _id: null } }], { hint })).toHaveLength(1);
      const streamed = [];
      for await (const { a } of scoped.stream(oid, {}, { hint, sort: { a: 1 } })) streamed.push(a);
      expect(streamed).toEqual(Array.from({ length: 50 }, (_, a) => a));
    } finally {
      await session.commitTransaction();
      await session.endSession();
    }
    await sync.settled();
    expect(await model.collection.indexes()).toHaveLength(2);
  });

  it('keeps an index that differs, applies a changed lifetime and still creates the others', async () => {
    await database.connection.collection('things').createIndex({ b: 1 });
    await database.connection.collection('things').createIndex({ at: 1 }, { expireAfterSeconds: 5 });
    expect(await run()).toEqual({ ...all, b_1: undefined });
  });
});
