export type IndexKeys = Record<string, 1 | -1 | 'hashed'>;

/**
 * Indexes for a list, each by its keys or its name. `byFilter` finds the matches, which are sorted then. `byOrder`
 * gives the order.
 */
export interface ListHints<I = IndexKeys> {
  readonly byFilter?: I | undefined;
  readonly byOrder?: I | undefined;
}

/**
 * Most matches that are sorted in memory. With more, the list is read in its order, and documents that do not match are
 * passed over.
 */
const MAX_SORTED = 100;

/**
 * Chooses the index of a list. Few matches are found by their own index and sorted. With more matches the list is read
 * in its order.
 * @param count the number of matches along this index, counted up to `limit`
 */
export async function betterHint<I>(
  { byFilter, byOrder }: ListHints<I>,
  count: (options: { hint: I; limit: number }) => Promise<number>,
): Promise<I | undefined> {
  if (!byFilter || !byOrder) return byFilter ?? byOrder;
  return (await count({ hint: byFilter, limit: MAX_SORTED + 1 })) > MAX_SORTED ? byOrder : byFilter;
}
