/** The contract's `ListFilterType`. */
export const LIST_FILTER_TYPES = ['or', 'and'] as const;
export type ListFilterType = (typeof LIST_FILTER_TYPES)[number];
