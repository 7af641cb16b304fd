import type { PageBounds } from './page.js';

export interface EndwardBounds extends PageBounds {
  /** Read in the opposite order, then reverse the rows. */
  readonly isReversed: boolean;
}

/**
 * How to reach a page of a list from the nearer end, since a database reads the rows that it skips.
 * @param total rows of the whole list
 * @returns null when the page lies behind the end
 */
export function fromNearerEnd(total: number, { skip, limit }: PageBounds): EndwardBounds | null {
  const rows = Math.min(limit, total - skip);
  if (rows <= 0) return null;
  const behind = total - skip - rows;
  return behind < skip ? { skip: behind, limit: rows, isReversed: true } : { skip, limit, isReversed: false };
}

/** The same order from its other end. */
export const reversedOrder = <D extends Record<string, unknown>>(order: D): D =>
  Object.fromEntries(Object.entries(order).map(([field, direction]) => [field, direction === 1 ? -1 : 1])) as D;

/**
 * Reads a page and the number of rows of the whole list. The first page is read at the same time; later pages wait for
 * the number, so that they can be read from the nearer end.
 * @param read `isReversed`: in the opposite order
 */
export async function pageAndTotal<T>(
  bounds: PageBounds,
  count: () => Promise<number>,
  read: (bounds: PageBounds, isReversed: boolean) => Promise<T[]>,
): Promise<{ items: T[]; total: number }> {
  if (bounds.skip === 0) {
    const [items, total] = await Promise.all([read(bounds, false), count()]);
    return { items, total };
  }
  const total = await count();
  const near = fromNearerEnd(total, bounds);
  if (!near) return { items: [], total };
  const { isReversed, ...within } = near;
  const items = await read(within, isReversed);
  return { items: isReversed ? items.reverse() : items, total };
}
