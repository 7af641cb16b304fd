import { invalid } from '../errors/domain-error.js';
import { Of } from '../validation/fields.js';
import { shownAs, type Kind } from '../validation/kind.js';
import { int } from '../validation/scalars.js';

/** An integer of at least 1. The contract's document leaves the bound out. */
export const fromOne = (): Kind<number> => shownAs(int({ min: 1 }), int());

/** Query of every list. `page` counts from 1, and `pageSize` has no upper bound in the contract. */
export class PageQuery {
  /** Items per page. */
  @Of(fromOne()) pageSize = 1000;
  /** 1-based page number. */
  @Of(fromOne()) page = 1;
}

export interface ListPage<T> {
  readonly total: number;
  readonly page: number;
  readonly pageSize: number;
  readonly items: T[];
}

export interface PageBounds {
  readonly skip: number;
  readonly limit: number;
}

export const pageBounds = ({ page, pageSize }: PageQuery): PageBounds => ({
  // No count exceeds 2^53, and MongoDB refuses a larger skip.
  skip: Math.min((page - 1) * pageSize, Number.MAX_SAFE_INTEGER),
  limit: Math.min(pageSize, 0x7fffffff),
});

export const pageOf = <T>({ page, pageSize }: PageQuery, total: number, items: T[]): ListPage<T> => ({
  total,
  page,
  pageSize,
  items,
});

/** The list cannot be sorted by this field. */
export class InvalidSortBy extends invalid('invalid_sort_by') {}
/** The direction is neither 1 nor -1. */
export class InvalidSortDirection extends invalid('invalid_sort_direction') {}

export type SortDirection = 1 | -1;

/**
 * Checks `sortBy` against the fields an endpoint offers. An empty `sortBy` is no sort; the direction needs one.
 * @returns the stored field name and direction, or null for the endpoint's natural order
 * @throws InvalidSortBy, InvalidSortDirection
 */
export function checkSort(
  fields: readonly string[],
  sortBy: string | null | undefined,
  sortDirection: number | null | undefined,
): { field: string; direction: SortDirection } | null {
  if (!sortBy) return null;
  if (!fields.includes(sortBy)) throw new InvalidSortBy();
  if (sortDirection !== 1 && sortDirection !== -1) throw new InvalidSortDirection();
  return { field: sortBy, direction: sortDirection };
}
