import type { SchemaOptions } from 'mongoose';

/**
 * Options of every schema. Indexes are created once at start-up by `IndexSync`; empty objects are stored as such,
 * because the reference's documents have them; fields that a schema doesn't know are never written by accident.
 */
export const storedIn = (collection: string): SchemaOptions => ({
  collection,
  versionKey: false,
  minimize: false,
  autoIndex: false,
  autoCreate: false,
  id: false,
});
