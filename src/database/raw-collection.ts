import type { Model, mongo } from 'mongoose';

/** A collection with its database, and how the connection's URL wants it to be read. */
export interface RawCollection {
  readonly db: mongo.Db;
  readonly collection: mongo.Collection;
  readonly readPreference: mongo.Collection['readPreference'];
  readonly readConcern: mongo.Collection['readConcern'];
}

/** By client and database: the driver makes such objects anew each time, which takes longer than what they are for. */
const known = new WeakMap<object, Map<string, RawCollection>>();

/** The driver's own collection of a model, past Mongoose. */
export function rawCollection<T>(model: Model<T>): RawCollection {
  const client = model.db.getClient();
  const ofClient = known.get(client) ?? new Map<string, RawCollection>();
  known.set(client, ofClient);
  const key = `${model.db.name}.${model.collection.name}`;
  const found = ofClient.get(key);
  if (found) return found;
  const db = client.db(model.db.name) as unknown as mongo.Db;
  const collection = db.collection(model.collection.name);
  const { readPreference, readConcern } = collection;
  const from = { db, collection, readPreference, readConcern };
  ofClient.set(key, from);
  return from;
}
