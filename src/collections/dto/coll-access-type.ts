import type { CollectionAccess } from '../data/collection.schema.js';

/** The contract's `CollAccessType`. */
export { COLL_ACCESS_TYPES } from '../data/collection.schema.js';
export type CollAccessType = CollectionAccess;
