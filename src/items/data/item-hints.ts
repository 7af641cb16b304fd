import type { IndexKeys, ListHints } from '../../database/list-hint.js';
import type { ItemFilter } from './item-filter.js';
import { ORDERS_ACROSS_ORGS } from './item.schema.js';

const any = (values: readonly unknown[] | null | undefined): boolean => (values?.length ?? 0) > 0;

/** Index of the filter that leaves the fewest items, when there is one. */
function bySelectiveFilter(filter: ItemFilter): IndexKeys | undefined {
  if (filter.ids) return { _id: 1 };
  if (any(filter.requiresCrawls)) return { oid: 1, requiresCrawls: 1 };
  if (any(filter.requiredByCrawls)) return { oid: 1, requiredByCrawls: 1 };
  if (filter.dedupeCollId) return { oid: 1, dedupeCollId: 1 };
  if (filter.cid) return { cid: 1, started: -1, _id: -1 };
  if (filter.name) return { oid: 1, name: 1 };
  if (filter.firstSeed) return { oid: 1, firstSeed: -1, _id: -1 };
  if (filter.collectionId) return { oid: 1, collectionIds: 1, finished: -1, _id: 1 };
  if (filter.description) return { oid: 1, description: 1 };
  if (any(filter.tags)) return { oid: 1, tags: 1 };
  if (filter.hasRequiresCrawls === true) return { oid: 1, requiresCrawls: 1 };
  if (filter.hasRequiredByCrawls === true) return { oid: 1, requiredByCrawls: 1 };
  if (filter.userid) return { oid: 1, userid: 1 };
  if (filter.reviewStatus) return { oid: 1, reviewStatus: -1, _id: -1 };
  if (filter.states) return filter.type ? { oid: 1, type: 1, state: 1 } : { state: 1, oid: 1, started: 1 };
  return undefined;
}

/**
 * The indexes to read a list by. Items have an index for every order, and all begin with the org: left to choose, the
 * planner would try each of them on every deep page.
 * @param order as the list has it, the id last
 */
export function listHints(filter: ItemFilter, order: Readonly<Record<string, 1 | -1>>): ListHints {
  return { byFilter: bySelectiveFilter(filter), byOrder: orderIndex(filter, order) };
}

function orderIndex({ type }: ItemFilter, order: Readonly<Record<string, 1 | -1>>): IndexKeys | undefined {
  const [field = '', second] = Object.keys(order);
  // Its second key ascends either way, so that it has two indexes.
  if (second === 'type') return { oid: 1, ...order };
  if (field === '_id') return undefined;
  return type ? { oid: 1, type: 1, [field]: -1, _id: -1 } : { oid: 1, [field]: -1, _id: -1 };
}

/** The index to count by: where possible without looking at the items. */
export function countHint(filter: ItemFilter): IndexKeys {
  const selective = bySelectiveFilter(filter);
  if (selective) return selective;
  return filter.type ? { oid: 1, type: 1, finished: -1, _id: -1 } : { oid: 1, finished: -1, _id: -1 };
}

const DEPENDENCIES = [
  ['hasRequiresCrawls', 'requiresCrawls'],
  ['hasRequiredByCrawls', 'requiredByCrawls'],
] as const;

/** An index finds lists that have something, not the empty and the missing ones: those are all but the others. */
export function countParts(filter: ItemFilter): ItemFilter[] {
  for (const [flag, list] of DEPENDENCIES)
    if (filter[flag] === false && !any(filter[list])) {
      const without = countParts({ ...filter, [flag]: null });
      // A second such flag makes the parts of a part; those are looked for among the items instead.
      if (without.length === 1) return [...without, { ...filter, [flag]: true }];
    }
  return [filter];
}

function bySelectiveFilterAcrossOrgs(filter: ItemFilter): IndexKeys | undefined {
  const { ids, cid, name, firstSeed, description, collectionId, userid, states } = filter;
  if (ids) return { _id: 1 };
  if (cid) return { cid: 1, started: -1, _id: -1 };
  if (firstSeed) return { firstSeed: -1, _id: -1 };
  if (collectionId) return { collectionIds: 1, finished: -1 };
  if (name) return { oid: 1, name: 1 };
  if (description) return { oid: 1, description: 1 };
  if (userid) return { userid: 1 };
  return states ? { state: 1, oid: 1, started: 1 } : undefined;
}

/** Whether the index of the filter begins with the org, so that the orgs have to be named. */
export const needsOrgs = (filter: ItemFilter): boolean =>
  Object.keys(bySelectiveFilterAcrossOrgs(filter) ?? {})[0] === 'oid';

/** As `listHints`, whatever the org. By some fields the reference has indexes, which end without the id. */
export const listHintsAcrossOrgs = (filter: ItemFilter, field: string): ListHints => ({
  byFilter: bySelectiveFilterAcrossOrgs(filter),
  byOrder: ORDERS_ACROSS_ORGS.includes(field) ? { [field]: -1, _id: -1 } : { [field]: -1 },
});

/** Behind one of the reference's indexes, items alike come in the order of their insertion. */
export function orderAcrossOrgs(field: string, direction: 1 | -1, hint: IndexKeys | undefined): Record<string, 1 | -1> {
  const [first, second] = Object.keys(hint ?? {});
  return first === field && second === undefined ? { [field]: direction } : { [field]: direction, _id: direction };
}

/**
 * What to count, the second part to be taken from the first. No index of all orgs tells crawls from uploads; these are
 * few, so that they are counted by themselves where the rest can be counted without reading any item.
 */
export function countPartsAcrossOrgs(filter: ItemFilter): { filter: ItemFilter; hint: IndexKeys }[] {
  const selective = bySelectiveFilterAcrossOrgs({ ...filter, states: null });
  if (selective || filter.type !== 'crawl') return [{ filter, hint: selective ?? { started: -1, _id: -1 } }];
  const all = bySelectiveFilterAcrossOrgs(filter) ?? { started: -1, _id: -1 };
  return [
    { filter: { ...filter, type: null }, hint: all },
    { filter: { ...filter, type: 'upload' }, hint: { type: 'hashed', state: -1 } },
  ];
}
