import { mongo, type Connection, type Model, type QueryFilter } from 'mongoose';
import { countMatches, type CountOptions } from './count-matches.js';
import { rememberedCounts, type Remembered } from './remembered.js';

const remembered = new WeakMap<Connection, Remembered<number>>();

/**
 * Counts the matches of a list, outside transactions. A number of 20,000 or more may be up to ten seconds old, so it
 * decides nothing.
 */
export async function countTotal<T>(model: Model<T>, filter: QueryFilter<T>, options: CountOptions): Promise<number> {
  const counts = remembered.get(model.db) ?? rememberedCounts();
  remembered.set(model.db, counts);
  const asked = {
    name: model.collection.name,
    filter: model.find().cast(model, filter),
    by: options.collation ?? null,
  };
  return counts.of(mongo.BSON.EJSON.stringify(asked), () => countMatches(model, filter, options));
}
