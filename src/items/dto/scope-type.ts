/** The contract's `ScopeType`. */
export const SCOPE_TYPES = ['page', 'page-spa', 'prefix', 'host', 'domain', 'any', 'custom'] as const;
export type ScopeType = (typeof SCOPE_TYPES)[number];
