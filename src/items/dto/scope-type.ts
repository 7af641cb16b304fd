import type { StoredScopeType } from '../data/crawl-config.schema.js';

/** The contract's `ScopeType`. */
export { SCOPE_TYPES } from '../data/crawl-config.schema.js';
export type ScopeType = StoredScopeType;
