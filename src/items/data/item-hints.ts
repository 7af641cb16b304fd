import type { IndexKeys, ListHints } from '../../database/list-hint.js';
import { toQuery, type ItemFilter } from './item-filter.js';
import { BY_PAGES, BY_STATE, SORTED_ORDERS } from './item.schema.js';

const any = (values: readonly unknown[] | null | undefined): boolean => (values?.length ?? 0) > 0;

/** The index of items of each type by a field. */
const typed = (field: string): IndexKeys =>
  field === 'pageCount' ? BY_PAGES : { oid: 1, type: 1, [field]: -1, _id: -1 };

const isSortedOrder = (field: string): boolean => SORTED_ORDERS.some((one) => one === field);

/** Whether the list's order is made by sorting what an index has of all its items. */
export const sortsFrom = (hint: IndexKeys | undefined, order: Readonly<Record<string, 1 | -1>>): boolean =>
  hint === BY_PAGES && isSortedOrder(Object.keys(order)[0] ?? '');

/**
 * Returns the query of a filter along an index. Where the index tells types apart and the filter does not, both are
 * named, so that the database merges one scan of each type and keeps the order.
 */
export function queryAlong(filter: ItemFilter, hint: IndexKeys | undefined): Record<string, unknown> {
  const hasBoth = !filter.type && Object.keys(hint ?? {})[1] === 'type';
  return { ...toQuery(filter), ...(hasBoth ? { type: { $in: ['crawl', 'upload'] } } : {}) };
}

/**
 * Returns the order without a first key that the filter makes equal in all matches. MongoDB merges scans only by the
 * keys behind those that are equal, and would sort all matches otherwise.
 */
export function sortAlong<O extends Readonly<Record<string, 1 | -1>>>(filter: ItemFilter, order: O): O {
  const [first] = Object.keys(order);
  const { firstSeed, reviewStatus } = filter;
  const isPinned =
    (first === 'firstSeed' && !!firstSeed) ||
    (first === 'reviewStatus' && !!reviewStatus && reviewStatus.min === reviewStatus.max);
  return isPinned ? (Object.fromEntries(Object.entries(order).slice(1)) as O) : order;
}

const byRange = ({ reviewStatus, states }: ItemFilter): IndexKeys | undefined =>
  reviewStatus ? typed('reviewStatus') : states ? BY_STATE : undefined;

/** Returns the index of the filter field that leaves the fewest items, if there is one. */
const bySelectiveFilter = (filter: ItemFilter): IndexKeys | undefined => byValue(filter) ?? byRange(filter);

function byValue(filter: ItemFilter): IndexKeys | undefined {
  if (filter.ids) return { _id: 1 };
  if (any(filter.requiresCrawls)) return { oid: 1, requiresCrawls: 1 };
  if (any(filter.requiredByCrawls)) return { oid: 1, requiredByCrawls: 1 };
  if (filter.dedupeCollId) return { oid: 1, dedupeCollId: 1 };
  if (filter.cid) return { cid: 1, started: -1, _id: -1 };
  if (filter.name) return { oid: 1, type: 1, name: 1 };
  if (filter.firstSeed) return typed('firstSeed');
  if (filter.collectionId) return { oid: 1, collectionIds: 1, finished: -1, _id: 1 };
  if (filter.description) return { oid: 1, type: 1, description: 1 };
  if (any(filter.tags)) return { oid: 1, tags: 1 };
  if (filter.hasRequiresCrawls === true) return { oid: 1, requiresCrawls: 1 };
  if (filter.hasRequiredByCrawls === true) return { oid: 1, requiredByCrawls: 1 };
  if (filter.userid) return { oid: 1, userid: 1 };
  return undefined;
}

/**
 * Returns the indexes to read a list by. Each order has an index, and all of them begin with the org.
 * Without a hint the planner would try each of them on every deep page.
 * @param order the list's order, with the id last
 */
export function listHints(filter: ItemFilter, order: Readonly<Record<string, 1 | -1>>): ListHints {
  const [byFilter, byOrder] = [bySelectiveFilter(filter), orderIndex(filter, order)];
  // A workflow's crawls are found in their order.
  return byFilter?.['cid'] && byOrder?.['cid'] ? { byOrder } : { byFilter, byOrder };
}

function orderIndex(filter: ItemFilter, order: Readonly<Record<string, 1 | -1>>): IndexKeys | undefined {
  const { cid, type } = filter;
  const [field = '', second] = Object.keys(order);
  // The second key ascends in both directions of the first, so each direction has its own index.
  if (second === 'type') return { oid: 1, ...order };
  if (field === '_id') return undefined;
  if (cid && (field === 'started' || field === 'finished')) return { cid: 1, [field]: -1, _id: -1 };
  // What the filter leaves is sorted where the order would have to be made of more.
  if (isSortedOrder(field)) return byValue(filter) ? undefined : BY_PAGES;
  return field === 'finished' && !type ? { oid: 1, finished: -1, _id: -1 } : typed(field);
}

/** Returns the index to count by, if possible one that needs no look at the items. */
export function countHint(filter: ItemFilter): IndexKeys {
  const selective = bySelectiveFilter(filter);
  if (selective?.['cid']) return { oid: 1, type: 1, cid: 1 };
  if (selective) return selective;
  return filter.type ? { oid: 1, type: 1, finished: -1, _id: -1 } : { oid: 1, finished: -1, _id: -1 };
}

const DEPENDENCIES = [
  ['hasRequiresCrawls', 'requiresCrawls'],
  ['hasRequiredByCrawls', 'requiredByCrawls'],
] as const;

/**
 * Returns the filters to count; counts after the first are subtracted from it. An index finds items whose list has
 * entries, but not those whose list is empty or missing. The latter are counted as all items minus the former.
 */
export function countParts(filter: ItemFilter): ItemFilter[] {
  for (const [flag, list] of DEPENDENCIES)
    if (filter[flag] === false && !any(filter[list])) {
      const without = countParts({ ...filter, [flag]: null });
      // With both flags false there would be more than two parts. One count then looks at the items.
      if (without.length === 1) return [...without, { ...filter, [flag]: true }];
    }
  return [filter];
}

function byValueAcrossOrgs(filter: ItemFilter): IndexKeys | undefined {
  const { ids, cid, name, firstSeed, description, collectionId, userid } = filter;
  if (ids) return { _id: 1 };
  if (cid) return { cid: 1, started: -1, _id: -1 };
  if (firstSeed) return typed('firstSeed');
  if (collectionId) return { oid: 1, collectionIds: 1, finished: -1, _id: 1 };
  if (name) return { oid: 1, type: 1, name: 1 };
  if (description) return { oid: 1, type: 1, description: 1 };
  if (userid) return { oid: 1, userid: 1 };
  return undefined;
}

const bySelectiveFilterAcrossOrgs = (filter: ItemFilter): IndexKeys | undefined =>
  byValueAcrossOrgs(filter) ?? (filter.states ? BY_STATE : undefined);

const BY_START: IndexKeys = { started: -1, _id: -1 };

/** The index of an order of all orgs. By finish it is the reference's, which does not end with the id. */
function orderIndexAcrossOrgs(filter: ItemFilter, order: Readonly<Record<string, 1 | -1>>): IndexKeys | undefined {
  const [field = '', second] = Object.keys(order);
  if (second === 'type') return { oid: 1, ...order };
  if (field === 'started') return BY_START;
  if (field === 'finished') return { finished: -1 };
  if (isSortedOrder(field)) return byValueAcrossOrgs(filter) ? undefined : BY_PAGES;
  return typed(field);
}

/** Whether the query of a list has to name the orgs to be read along the index. */
export const beginsWithOrg = (hint: IndexKeys | undefined): boolean => Object.keys(hint ?? {})[0] === 'oid';

/**
 * As `listHints`, for the items of all orgs. An index that begins with the org is scanned once for each org, and the
 * scans are merged. MongoDB does that for up to 200 scans; with more orgs it sorts all matches, of which it keeps no
 * more than the page and those before it.
 */
export const listHintsAcrossOrgs = (filter: ItemFilter, order: Readonly<Record<string, 1 | -1>>): ListHints => ({
  byFilter: bySelectiveFilterAcrossOrgs(filter),
  byOrder: orderIndexAcrossOrgs(filter, order),
});

/**
 * Returns the order of a list of all orgs along an index. By the reference's index of finishes, items with equal ones
 * come in the order of insertion.
 */
export function orderAcrossOrgs<O extends Readonly<Record<string, 1 | -1>>>(order: O, hint: IndexKeys | undefined): O {
  const fields = Object.keys(hint ?? {});
  const isWithoutId = fields.length === 1 && fields[0] === Object.keys(order)[0];
  return isWithoutId ? (Object.fromEntries(Object.entries(order).slice(0, 1)) as O) : order;
}

/**
 * Returns the filters to count; the second count is subtracted from the first. No short index of all orgs tells crawls
 * from uploads. Uploads are few, so they are counted on their own when all items can be counted without reading any.
 */
export function countPartsAcrossOrgs(filter: ItemFilter): { filter: ItemFilter; hint: IndexKeys }[] {
  const selective = bySelectiveFilterAcrossOrgs(filter) ?? (filter.oids ? typed('finished') : undefined);
  if (selective || filter.type !== 'crawl') return [{ filter, hint: selective ?? BY_START }];
  return [
    { filter: { ...filter, type: null }, hint: BY_START },
    { filter: { ...filter, type: 'upload' }, hint: typed('finished') },
  ];
}
