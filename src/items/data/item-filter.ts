import { ALL_STATES } from './item-state.facts.js';
import type { Item } from './item.schema.js';

/** The filters of item lists. An absent or null field filters nothing. Contract: crawling §5.1, §6. */
export interface ItemFilter {
  readonly type?: Item['type'] | null;
  readonly userid?: string | null;
  readonly cid?: string | null;
  readonly states?: readonly string[] | null;
  readonly firstSeed?: string | null;
  readonly name?: string | null;
  readonly description?: string | null;
  readonly tags?: readonly string[] | null;
  readonly tagMatch?: 'and' | 'or' | null;
  readonly collectionId?: string | null;
  readonly dedupeCollId?: string | null;
  /** The list contains any of these. */
  readonly requiresCrawls?: readonly string[] | null;
  readonly requiredByCrawls?: readonly string[] | null;
  /**
   * True finds items whose list is not empty, false those where it is empty or missing. The flag is ignored when ids
   * are given.
   */
  readonly hasRequiresCrawls?: boolean | null;
  readonly hasRequiredByCrawls?: boolean | null;
  readonly ids?: readonly string[] | null;
  /** The orgs to which a superuser's list is narrowed. Absent means all orgs. */
  readonly oids?: readonly string[] | null;
  /** Both ends are inclusive. */
  readonly reviewStatus?: { readonly min: number; readonly max: number } | null;
}

type Query = Record<string, unknown>;

const given = (value: unknown): boolean => value !== undefined && value !== null;

/** Turns a filter into a database query. The caller adds the org. */
export function toQuery(filter: ItemFilter): Query {
  const query: Query = {};
  for (const field of ['type', 'userid', 'cid', 'dedupeCollId'] as const)
    if (filter[field]) query[field] = filter[field];
  for (const field of ['firstSeed', 'name', 'description'] as const)
    if (given(filter[field]) && filter[field] !== '') query[field] = filter[field];
  if (filter.states) query['state'] = { $in: [...filter.states] };
  if (filter.tags?.length) query['tags'] = { [filter.tagMatch === 'or' ? '$in' : '$all']: [...filter.tags] };
  if (filter.collectionId) query['collectionIds'] = filter.collectionId;
  if (filter.oids) query['oid'] = { $in: [...filter.oids] };
  if (filter.ids) query['_id'] = { $in: [...filter.ids] };
  if (filter.reviewStatus) query['reviewStatus'] = { $gte: filter.reviewStatus.min, $lte: filter.reviewStatus.max };
  dependency(query, 'requiresCrawls', filter.requiresCrawls, filter.hasRequiresCrawls);
  dependency(query, 'requiredByCrawls', filter.requiredByCrawls, filter.hasRequiredByCrawls);
  return query;
}

function dependency(
  query: Query,
  field: string,
  ids: readonly string[] | null | undefined,
  has?: boolean | null,
): void {
  if (ids?.length) query[field] = { $in: [...ids] };
  // Every id is at least the empty string, so an index can answer this.
  else if (has === true) query[field] = { $gte: '' };
  else if (has === false) query[`${field}.0`] = { $exists: false };
}

const KNOWN = new Set<string>(ALL_STATES);

/** Removes unknown states from a filter. If none is left, the filter matches nothing. */
export const knownStates = (states: readonly string[] | null | undefined): string[] | null =>
  states?.length ? states.filter((state) => KNOWN.has(state)) : null;
