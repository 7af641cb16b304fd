/** Of a filter on a phone, where two stand beside each other. */
export const HALF = 'calc(50% - 6px)';

/** Room beside the words of a button, where three of them stand in one line of a phone. */
export const NARROW = { base: 'xs', xs: 'md' } as const;
