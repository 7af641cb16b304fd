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

/** Counts the matches along an index, up to `limit`. */
type CountAlong<I> = (options: { hint: I; limit: number }) => Promise<number>;

/**
 * Counts the matches of a list that can be read by its filter or in its order.
 * @returns null when there are too many to be sorted, or when there is no choice
 */
export async function fewMatches<I>({ byFilter, byOrder }: ListHints<I>, count: CountAlong<I>): Promise<number | null> {
  if (!byFilter || !byOrder) return null;
  const number = await count({ hint: byFilter, limit: MAX_SORTED + 1 });
  return number > MAX_SORTED ? null : number;
}

/** Returns the index of a list. Few matches are found by their own index and sorted. */
export const hintOf = <I>({ byFilter, byOrder }: ListHints<I>, few: number | null): I | undefined =>
  few === null ? (byOrder ?? byFilter) : byFilter;

/** Chooses the index of a list. With many matches the list is read in its order. */
export const betterHint = async <I>(hints: ListHints<I>, count: CountAlong<I>): Promise<I | undefined> =>
  hintOf(hints, await fewMatches(hints, count));
