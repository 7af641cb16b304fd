import { Schema, type Model } from 'mongoose';
import { newId } from '../../../src/common/ids/uuid.js';
import { OrgScoped } from '../../../src/database/org-scoped.js';
import { aggregateRows } from '../../../src/database/read-rows.js';
import { WatchedDatabase } from '../../support/watched-database.js';

interface Row {
  readonly _id: string;
  readonly oid: string;
  readonly n: number;
  readonly text?: string;
}

const { UUID } = Schema.Types;
const schema = new Schema<Row>({ _id: UUID, oid: UUID, n: Number, text: String } as never, { versionKey: false });

describe('rows of a list', () => {
  let database: WatchedDatabase;
  let model: Model<Row>;
  let rows: OrgScoped<Row>;
  const oid = newId();
  const ROWS = 1_200;

  beforeAll(async () => {
    database = await WatchedDatabase.open();
    model = await database.model<Row>('Row', schema);
    rows = new OrgScoped(model);
    await model.insertMany(Array.from({ length: ROWS }, (_, n) => ({ _id: newId(), oid, n })));
  });
  afterAll(() => database?.close());

  it.each([1, 100, 1_000, 1_001, 5_000, 0])('are read up to a limit of %i, each by one look', async (limit) => {
    const list = () => rows.find(oid, {}, { limit, sort: { n: 1 } });
    const expected = Array.from({ length: Math.min(limit || ROWS, ROWS) }, (_, n) => n);
    expect((await list()).map(({ n }) => n)).toEqual(expected);
    expect(await database.explain(list)).toHaveLength(1);
  });

  it('skip those before', async () => {
    const found = await rows.find(oid, {}, { limit: 2, skip: 7, sort: { n: -1 }, projection: { n: 1, _id: 0 } });
    expect(found).toEqual([{ n: 1_192 }, { n: 1_191 }]);
  });

  it('have ids as texts, and are found by these', async () => {
    const [first] = await rows.find(oid, { n: 0 }, { limit: 1 });
    expect(first).toEqual({ _id: expect.stringMatching(/^[\da-f-]{36}$/) as string, oid, n: 0 });
    expect(await rows.find(oid, { _id: { $in: [first?._id ?? '', newId()] } }, { limit: 2 })).toEqual([first]);
  });

  it('may be larger together than one answer of the database', async () => {
    const other = newId();
    const text = 'x'.repeat(7 * 2 ** 20);
    await model.insertMany([0, 1, 2, 3].map((n) => ({ _id: newId(), oid: other, n, text })));
    expect((await rows.find(other, {}, { limit: 100, sort: { n: 1 } })).map(({ n }) => n)).toEqual([0, 1, 2, 3]);
    const all = await aggregateRows<Row, Row>(model, [{ $match: { n: { $lt: 4 }, text } }], { atMost: 4 });
    expect(all).toHaveLength(4);
  });

  it('are refused as the database refuses them', async () => {
    const collation = { locale: 'nowhere', strength: 1 } as never;
    await expect(rows.find(oid, {}, { limit: 1, collation })).rejects.toThrow('locale');
  });

  it('are those of the transaction in which they are read', async () => {
    await model.db.transaction(async (tx) => {
      await rows.updateOne(oid, { n: 5 }, { $set: { text: 'changed' } }, { tx });
      expect((await rows.findOne(oid, { n: 5 }, { tx }))?.text).toBe('changed');
      expect((await rows.findOne(oid, { n: 5 }))?.text).toBeUndefined();
    });
  });
});
