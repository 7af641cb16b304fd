export type IndexKeys = Record<string, 1 | -1 | 'hashed'>;

/** `byFilter` finds the matches, which then are sorted; `byOrder` gives the order. An index by its keys or its name. */
export interface ListHints<I = IndexKeys> {
  readonly byFilter?: I | undefined;
  readonly byOrder?: I | undefined;
}

/** More than this are not sorted in memory: they are read in the order of the list, passing over the others. */
const MAX_SORTED = 100;

/**
 * Few matches are found by their own index and sorted; with more of them, the list is read in its order.
 * @param count how many match, as far as `limit`, along this index
 */
export async function betterHint<I>(
  { byFilter, byOrder }: ListHints<I>,
  count: (options: { hint: I; limit: number }) => Promise<number>,
): Promise<I | undefined> {
  if (!byFilter || !byOrder) return byFilter ?? byOrder;
  return (await count({ hint: byFilter, limit: MAX_SORTED + 1 })) > MAX_SORTED ? byOrder : byFilter;
}
