import type { Model } from 'mongoose';
import { newId } from '../../../src/common/ids/uuid.js';
import { Item, ItemSchema } from '../../../src/items/data/item.schema.js';
import { ItemValuesQueries } from '../../../src/items/data/item-values.queries.js';
import { Workflow, WorkflowSchema } from '../../../src/workflows/data/workflow.schema.js';
import { WatchedDatabase } from '../../support/watched-database.js';

/** Together 17 MB, and a document of the database holds 16. */
const SIZE = 4_300;
const LENGTH = 4_000;

describe('values of more items than one document holds', () => {
  let database: WatchedDatabase;
  let model: Model<Item>;
  let values: ItemValuesQueries;
  const oid = newId();

  beforeAll(async () => {
    database = await WatchedDatabase.open();
    model = await database.model<Item>(Item.name, ItemSchema);
    values = new ItemValuesQueries(model, await database.model<Workflow>(Workflow.name, WorkflowSchema));
    const at = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 1000);
    const items = Array.from({ length: SIZE }, (_, n) => ({
      ...{ _id: `manual-${n}`, oid, type: 'crawl', userid: oid, state: 'complete', cid: oid },
      ...{ started: at(n), finished: at(n), name: 'One', description: `${n} `.padEnd(LENGTH, 'x') },
    }));
    await model.collection.insertMany(items.map((item) => new model(item).toObject()) as never[]);
  });
  afterAll(() => database?.close());

  it('are told all the same', async () => {
    const found = await values.searchValues(oid, {});
    expect([found.names, new Set(found.descriptions).size]).toEqual([['One'], SIZE]);
    expect(found.ids.slice(0, 2)).toEqual([`manual-${SIZE - 1}`, `manual-${SIZE - 2}`]);
  });
});
