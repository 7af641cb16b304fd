import { Schema, type Model } from 'mongoose';
import { OrgScoped } from '../../../src/database/org-scoped.js';
import { openTestDatabase, type TestDatabase } from '../../support/test-database.js';

interface Thing {
  _id: string;
  oid: string;
  others: string[];
}

const { UUID } = Schema.Types;
const OID = '8c1f7f0e-6f0b-4f6e-9d54-0d5d7c7f7a11';

describe('ids', () => {
  let database: TestDatabase;
  let model: Model<Thing>;
  let things: OrgScoped<Thing>;

  beforeAll(async () => {
    database = await openTestDatabase();
    const fields = { _id: { type: UUID, required: true }, oid: { type: UUID, required: true }, others: [UUID] };
    model = database.connection.model('Thing', new Schema(fields, { versionKey: false })) as unknown as Model<Thing>;
    things = new OrgScoped(model);
  });
  afterAll(() => database?.close());

  it.each([
    ['of nothing', '00000000-0000-0000-0000-000000000000'],
    ['of everything', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
    ['without version and variant', '12345678-1234-1234-1234-123456789012'],
    ['of version 7', '01890a5d-ac96-774b-bcce-b302099a8057'],
  ])('%s are looked for, stored and changed as any other', async (_, id) => {
    expect(await things.findOne(OID, { _id: id })).toBeNull();
    await things.insert(OID, { _id: id, others: [id] });
    await things.insert(id, { _id: OID, others: [] });
    expect(await things.findOne(OID, { _id: { $in: [id] }, others: id })).toEqual({ _id: id, oid: OID, others: [id] });
    expect(await things.findOne(id, {})).toMatchObject({ _id: OID, oid: id });
    await things.updateOne(OID, { _id: id }, { $set: { others: [OID, id] } });
    expect(await things.findOneAndDelete(OID, { _id: id })).toMatchObject({ others: [OID, id] });
    expect(await things.deleteMany(id, {})).toBe(1);
  });

  it('that are none are refused', async () => {
    for (const _id of ['', 'x', `${OID}0`, `x${OID}`]) {
      await expect(things.findOne(OID, { _id })).rejects.toThrow('Cast to UUID failed');
      await expect(things.insert(OID, { _id, others: [] })).rejects.toThrow();
    }
    expect(await model.countDocuments()).toBe(0);
  });
});
