import type { SchemaOptions } from 'mongoose';

/**
 * Options of every schema. `IndexSync` creates the indexes once at start-up. Empty objects are stored as such, because
 * the reference's documents have them. Fields that a schema does not know are never written by accident.
 */
export const storedIn = (collection: string): SchemaOptions => ({
  collection,
  versionKey: false,
  minimize: false,
  autoIndex: false,
  autoCreate: false,
  id: false,
});
