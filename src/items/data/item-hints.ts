import type { ItemFilter } from './item-filter.js';

export type IndexKeys = Record<string, 1 | -1>;

/** Index that gives each order; the second key of the QA orders ascends either way, so they have two each. */
const ORDERS: Readonly<Record<string, IndexKeys>> = {
  started: { oid: 1, started: -1, _id: -1 },
  finished: { oid: 1, finished: -1, _id: -1 },
  fileSize: { oid: 1, fileSize: -1, _id: -1 },
  reviewStatus: { oid: 1, reviewStatus: -1, _id: -1 },
  qaRunCount: { oid: 1, qaRunCount: -1, _id: -1 },
  firstSeed: { oid: 1, firstSeed: -1, _id: -1 },
  crawlExecSeconds: { oid: 1, crawlExecSeconds: -1, _id: -1 },
  pageCount: { oid: 1, pageCount: -1, _id: -1 },
};

const any = (values: readonly unknown[] | null | undefined): boolean => (values?.length ?? 0) > 0;

/** Index of the filter that leaves the fewest items, when there is one. */
function bySelectiveFilter(filter: ItemFilter): IndexKeys | undefined {
  if (filter.ids) return { _id: 1 };
  if (any(filter.requiresCrawls)) return { oid: 1, requiresCrawls: 1 };
  if (any(filter.requiredByCrawls)) return { oid: 1, requiredByCrawls: 1 };
  if (filter.cid) return { cid: 1, started: -1, _id: -1 };
  if (filter.name) return { oid: 1, name: 1 };
  if (filter.firstSeed) return { oid: 1, firstSeed: -1, _id: -1 };
  if (filter.collectionId) return { collectionIds: 1, finished: -1 };
  if (filter.description) return { oid: 1, description: 1 };
  if (any(filter.tags)) return { oid: 1, tags: 1 };
  return undefined;
}

/** More than this are not sorted in memory: they are read in the order of the list, passing over the others. */
export const MAX_SORTED = 100;

/**
 * The indexes to read a list by. Items have an index for every order, and all begin with the org: left to choose, the
 * planner would try each of them on every deep page.
 * @returns `byFilter`: finds the matches, which then are sorted; `byOrder`: gives the order
 */
export function listHints(filter: ItemFilter, sort: ListOrder | null): { byFilter?: IndexKeys; byOrder?: IndexKeys } {
  return { byFilter: bySelectiveFilter(filter), ...(sort ? { byOrder: orderIndex(sort) } : {}) };
}

interface ListOrder {
  readonly field: string;
  readonly direction: 1 | -1;
}

function orderIndex({ field, direction }: ListOrder): IndexKeys | undefined {
  if (field === 'lastQAState' || field === 'lastQAStarted')
    return { oid: 1, [field]: direction, type: 1, _id: direction };
  return ORDERS[field];
}

/** The index to count by: where possible without looking at the items. */
export function countHint(filter: ItemFilter): IndexKeys {
  const selective = bySelectiveFilter(filter);
  if (selective) return selective;
  if (filter.states) return { state: 1, oid: 1, started: 1 };
  if (filter.type) return { oid: 1, type: 1, finished: -1, _id: -1 };
  return filter.reviewStatus ? { oid: 1, reviewStatus: -1, _id: -1 } : { oid: 1, finished: -1, _id: -1 };
}
