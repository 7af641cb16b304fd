/** The contract's `CollAccessType`. */
export const COLL_ACCESS_TYPES = ['private', 'unlisted', 'public'] as const;
export type CollAccessType = (typeof COLL_ACCESS_TYPES)[number];
