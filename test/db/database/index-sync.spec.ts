import { Schema } from 'mongoose';
import { IndexSync } from '../../../src/database/index-sync.js';
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

  it('keeps an index that differs, applies a changed lifetime and still creates the others', async () => {
    await database.connection.collection('things').createIndex({ b: 1 });
    await database.connection.collection('things').createIndex({ at: 1 }, { expireAfterSeconds: 5 });
    expect(await run()).toEqual({ ...all, b_1: undefined });
  });
});
