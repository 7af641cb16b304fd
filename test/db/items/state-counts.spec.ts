import type { Model } from 'mongoose';
import { newId } from '../../../src/common/ids/uuid.js';
import { Item, ItemSchema } from '../../../src/items/data/item.schema.js';
import { RUNNING_AND_WAITING } from '../../../src/items/data/item-state.facts.js';
import { ItemsRepository } from '../../../src/items/data/items.repository.js';
import { openTestDatabase, type TestDatabase } from '../../support/test-database.js';

let database: TestDatabase;
let model: Model<Item>;
let items: ItemsRepository;
const [oid, otherOid] = [newId(), newId()];

const insert = (org: string, state: string, count: number) =>
  model.insertMany(
    Array.from({ length: count }, () => ({
      _id: newId(),
      oid: org,
      type: 'crawl',
      userid: newId(),
      state,
      started: new Date(),
    })),
  );
const counts = async (org: string | null) => Object.fromEntries(await items.countByState(org, RUNNING_AND_WAITING));

beforeAll(async () => {
  database = await openTestDatabase();
  model = await database.model(Item.name, ItemSchema);
  items = new ItemsRepository(model);
});
afterAll(() => database.close());

it('counts items by state, of one org and of all, whether few or many', async () => {
  expect(await counts(oid)).toEqual({});
  await insert(oid, 'running', 3);
  await insert(oid, 'paused', 2);
  await insert(oid, 'complete', 5);
  await insert(otherOid, 'waiting_capacity', 4);
  expect(await counts(oid)).toEqual({ running: 3, paused: 2 });
  expect(await counts(null)).toEqual({ running: 3, paused: 2, waiting_capacity: 4 });

  await insert(oid, 'running', 95);
  expect(await counts(oid)).toEqual({ running: 98, paused: 2 });
  await insert(oid, 'starting', 1);
  expect(await counts(oid)).toEqual({ running: 98, paused: 2, starting: 1 });
  await insert(oid, 'running', 100);
  expect(await counts(oid)).toEqual({ running: 198, paused: 2, starting: 1 });
  expect(await counts(null)).toEqual({ running: 198, paused: 2, starting: 1, waiting_capacity: 4 });
  expect(await counts(otherOid)).toEqual({ waiting_capacity: 4 });
});
