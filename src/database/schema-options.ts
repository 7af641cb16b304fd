import type { Schema, SchemaOptions } from 'mongoose';

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

const LARGE = { isLarge: true };

/**
 * Options of a collection of millions of documents. The indexes that a database lacks when it is taken over take minutes
 * there, so the service does not wait for them.
 */
export const storedLargely = (collection: string): SchemaOptions => ({ ...storedIn(collection), ...LARGE });

export const isLarge = (schema: Schema): boolean => 'isLarge' in (schema as unknown as { options: object }).options;
