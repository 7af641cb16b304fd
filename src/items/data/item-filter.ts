import { ALL_STATES } from './item-state.facts.js';
import type { Item } from './item.schema.js';

/** What lists of items can be narrowed to; absent and null fields narrow nothing. Contract: crawling §5.1, §6. */
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
  /** Any of these. */
  readonly requiresCrawls?: readonly string[] | null;
  readonly requiredByCrawls?: readonly string[] | null;
  /** Not empty; false: empty or missing. Ignored where the list is given. */
  readonly hasRequiresCrawls?: boolean | null;
  readonly hasRequiredByCrawls?: boolean | null;
  readonly ids?: readonly string[] | null;
  /** The orgs that a superuser's list is narrowed to; all orgs when absent. */
  readonly oids?: readonly string[] | null;
  /** Inclusive range. */
  readonly reviewStatus?: { readonly min: number; readonly max: number } | null;
}

type Query = Record<string, unknown>;

const given = (value: unknown): boolean => value !== undefined && value !== null;

/** The stored form of a filter; the org is added by whoever runs it. */
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
  // Any id is at least the empty text, which an index can tell.
  else if (has === true) query[field] = { $gte: '' };
  else if (has === false) query[`${field}.0`] = { $exists: false };
}

const KNOWN = new Set<string>(ALL_STATES);

/** Crawl lists drop states that don't exist; of only such nothing is left, which matches nothing. */
export const knownStates = (states: readonly string[] | null | undefined): string[] | null =>
  states?.length ? states.filter((state) => KNOWN.has(state)) : null;
