import type { QueryFilter, SortOrder } from 'mongoose';
import { reversedOrder } from '../../common/pagination/nearer-end.js';
import { IS_NOTED, NOTED, PAGE_ORDERS, QA_VALUES, TITLE_WORDS, type Page } from './page.schema.js';
import { phrasePattern } from './title-phrase.js';
import { parseTitleQuery, type TitleQuery } from './title-query.js';
import type { Match } from './title-ranking.js';
import { entriesOf } from './title-words.facts.js';

/** The filters of a page list; absent means any. Contract: archive §6. */
export interface PageFilter {
  /** Text that begins with `http:` or `https:` is the address where the list starts; other text is title words. */
  readonly search?: string | null;
  /** Titles that match although their words are not stored yet. `TitleSearch` finds them. */
  readonly unstored?: readonly Match[];
  /** True when no title of the list has one of the words more than once. `TitleSearch` finds out. */
  readonly hasEachWordOnce?: boolean;
  /** True when too many titles lack stored words to look at each. Then MongoDB's own text index finds them. */
  readonly hasManyUnstored?: boolean;
  /** Exact spellings of one address. They override the prefix, and both override `search`. */
  readonly urls?: string[] | null;
  /** Address where the list starts, in order of URL. It is a lower bound, not a strict prefix. */
  readonly urlPrefix?: string | null;
  readonly ts?: Date | null;
  readonly isSeed?: boolean | null;
  readonly depth?: number | null;
  /** Whether the page has a verdict or notes. */
  readonly reviewed?: boolean | null;
  /** Any of these verdicts; null means not yet judged. */
  readonly approved?: (boolean | null)[] | null;
  readonly hasNotes?: boolean | null;
  readonly qa?: PageQaFilter | null;
}

export type QaMeasure = 'screenshotMatch' | 'textMatch';

/** Only pages that the run looked at. With `by`, only those whose value lies within the bounds. */
export interface PageQaFilter {
  readonly runId: string;
  readonly by?: QaMeasure | null;
  readonly bounds?: { gt?: number; gte?: number; lt?: number; lte?: number };
}

export interface PageSort {
  readonly field: PageSortField | QaMeasure;
  readonly direction: 1 | -1;
}

export const PAGE_SORT_FIELDS = [
  'url',
  'title',
  'notes',
  'approved',
  'ts',
  'status',
  'mime',
  'filename',
  'depth',
  'isSeed',
] as const;
export type PageSortField = (typeof PAGE_SORT_FIELDS)[number];

type Order = Record<string, 1 | -1>;

export interface PageQueryPlan {
  readonly filter: Omit<QueryFilter<Page>, 'oid'>;
  sort: Record<string, SortOrder>;
  /** Index to read by, which gives the order; absent when the text index finds the pages. */
  readonly hint?: Order;
  /** Words of titles whose matches are ranked; `TitleSearch` reads them in several steps. */
  readonly rankedBy?: string[];
}

const startsLikeAddress = (text: string): boolean => /^https?:/i.test(text);

/** The words of the title to look for, if the filter has any. */
const titleWords = ({ search, urls, urlPrefix }: PageFilter): string | null =>
  search && !urls && !urlPrefix && !startsLikeAddress(search) ? search : null;

/** The title query of a filter, if it has one. */
export function titleQueryOf(filter: PageFilter): TitleQuery | null {
  const words = titleWords(filter);
  return words === null ? null : parseTitleQuery(words);
}

function urlBound({ search, urls, urlPrefix }: PageFilter): Record<string, unknown> | null {
  if (urls) return urls.length === 1 ? { $eq: urls[0] } : { $in: urls };
  if (urlPrefix) return { $gte: urlPrefix };
  return search && startsLikeAddress(search) ? { $gte: search } : null;
}

/** Every note has an id, so this condition reads one range of the index of notes. */
const HAS_NOTES = { 'notes.id': { $type: 'binData' } };
const NO_NOTES = { 'notes.id': { $exists: false } };

function reviewConditions({ reviewed, approved, hasNotes }: PageFilter): object[] {
  const conditions: object[] = [];
  if (reviewed === true) conditions.push({ $or: [{ approved: { $ne: null } }, HAS_NOTES] });
  if (reviewed === false) conditions.push({ approved: null, ...NO_NOTES });
  if (approved && approved.length > 0) conditions.push({ approved: { $in: approved } });
  if (hasNotes !== null && hasNotes !== undefined) conditions.push(hasNotes ? HAS_NOTES : NO_NOTES);
  return conditions;
}

const isMeasure = (field: PageSort['field']): field is QaMeasure =>
  field === 'screenshotMatch' || field === 'textMatch';

/** Whether the list has only pages with notes in their order, which has an index of its own. */
const isByNotesOfNoted = (filter: PageFilter, sort: PageSort | null): boolean =>
  sort?.field === 'notes' && filter.hasNotes === true;

const qaPath = ({ qa }: PageFilter, measure: QaMeasure): string => `qa.${qa?.runId ?? ''}.${measure}`;

/** @param order null when the list has no measure's order */
function qaConditions(filter: PageFilter, order: QaMeasure | null): object[] {
  const { qa } = filter;
  if (!qa) return [];
  const bounded = qa.bounds ? (qa.by ?? null) : null;
  const isOther = order !== null && order !== bounded;
  const conditions: object[] = [];
  if (bounded) {
    const bounds = Object.fromEntries(Object.entries(qa.bounds ?? {}).map(([name, value]) => [`$${name}`, value]));
    // One index has both measures. The double negation keeps the database from reading by the other measure's bound.
    conditions.push({ [qaPath(filter, bounded)]: isOther ? { $not: { $not: bounds } } : bounds });
  }
  // The index gives its order only to a query for its values. Each run stores both measures as a number or null.
  if (isOther) conditions.push({ [qaPath(filter, order)]: { $type: ['null', 'number'] } });
  // A page with a value has the run. Asking for the run too would offer another way to read the index, with a sort.
  return conditions.length > 0 ? conditions : [{ [`qa.${qa.runId}`]: { $ne: null } }];
}

/** The conditions that remain to be checked in the pages themselves. */
function titleConditions({ excluded, phrases, excludedPhrases }: TitleQuery): object[] {
  return [
    ...(excluded.length > 0 ? [{ titleTerms: { $nin: excluded.flatMap(entriesOf) } }] : []),
    ...phrases.map((phrase) => ({ title: { $regex: phrasePattern(phrase) } })),
    ...excludedPhrases.map((phrase) => ({ title: { $not: { $regex: phrasePattern(phrase) } } })),
  ];
}

const amongst = (crawlIds: readonly string[]) => (crawlIds.length === 1 ? crawlIds[0] : { $in: [...crawlIds] });

/** Titles with any of the words, stored or not. When too many are not stored, titles that may have one. */
function anyWord({ terms }: TitleQuery, { unstored = [], hasManyUnstored = false }: PageFilter): object {
  const isStored = { titleTerms: { $in: [...terms.flatMap(entriesOf), ...(hasManyUnstored ? [null] : [])] } };
  return unstored.length === 0 ? isStored : { $or: [isStored, { _id: { $in: unstored.map(({ id }) => id) } }] };
}

/** @param titled limits the filter's titles to those found in this way */
function conditionsOf(
  crawlIds: readonly string[],
  filter: PageFilter,
  sort: PageSort | null,
  titled?: object,
): PageQueryPlan['filter'] {
  const titles = titleQueryOf(filter);
  const url = urlBound(filter);
  const measure = sort && isMeasure(sort.field) ? sort.field : null;
  const more = [
    ...reviewConditions(filter),
    ...qaConditions(filter, measure),
    ...(isByNotesOfNoted(filter, sort) ? [IS_NOTED] : []),
    ...(titles === null ? [] : titleConditions(titles)),
  ];
  return {
    ...(titles === null ? {} : (titled ?? anyWord(titles, filter))),
    crawl_id: amongst(crawlIds),
    ...(url ? { url } : {}),
    ...(filter.ts ? { ts: filter.ts } : {}),
    ...(typeof filter.isSeed === 'boolean' ? { isSeed: filter.isSeed ? true : { $ne: true } } : {}),
    ...(typeof filter.depth === 'number' ? { depth: filter.depth } : {}),
    ...(more.length > 0 ? { $and: more } : {}),
  } as PageQueryPlan['filter'];
}

/** The order that begins with this field. */
const orderOfField = (field: string): Order => {
  const order = PAGE_ORDERS.find((one) => Object.keys(one)[0] === field);
  if (!order) throw new Error(`pages have no order by ${field}`);
  return order as Order;
};

const SEEDS_FIRST = orderOfField('isSeed');

const ofItems = (order: Order): Order => ({ oid: 1, crawl_id: 1, ...order });

type PageOrder = Omit<PageQueryPlan, 'filter'>;

/** Titles that have a word equally often rank by their length. */
const WITHIN_ENTRY: Order = { titleLength: 1, _id: 1 };

/** A read along the index of an order, by default the list's own. */
const along = (sort: Order, index: Order = sort): PageOrder => ({ sort, hint: ofItems(index) });

const fieldOf = (filter: PageFilter, field: PageSort['field']): string =>
  isMeasure(field) ? qaPath(filter, field) : field === 'notes' ? 'notes.id' : field;

function orderOf(filter: PageFilter, sort: PageSort | null): PageOrder {
  if (sort) {
    const field = fieldOf(filter, sort.field);
    // Equal pages come as they are stored, because the index cannot order them.
    if (isMeasure(sort.field)) return { sort: { [field]: sort.direction }, hint: QA_VALUES };
    if (isByNotesOfNoted(filter, sort))
      return { sort: { 'notes.0.id': sort.direction, _id: sort.direction }, hint: NOTED };
    const order = orderOfField(field);
    return along(sort.direction === Object.values(order)[0] ? order : reversedOrder(order), order);
  }
  const titles = titleQueryOf(filter);
  if (titles) return { ...along(WITHIN_ENTRY, TITLE_WORDS), rankedBy: titles.terms };
  if (filter.urls) return along(SEEDS_FIRST, orderOfField('url'));
  if (filter.ts) return along({ isSeed: -1, _id: 1 }, orderOfField('ts'));
  return filter.urlPrefix || filter.search ? along(orderOfField('url')) : along(SEEDS_FIRST);
}

/** Fields for which the filter leaves one value, or one of several. */
function pinned({ urls, ts, isSeed, depth, approved, hasNotes, reviewed }: PageFilter): ReadonlyMap<string, number> {
  const fixed: [string, number][] = [
    ['url', urls?.length ?? 0],
    ['ts', ts ? 1 : 0],
    ['isSeed', isSeed === true ? 1 : 0],
    ['depth', typeof depth === 'number' ? 1 : 0],
    ['approved', approved?.length ?? 0],
    ['notes.id', hasNotes === false || reviewed === false ? 1 : 0],
  ];
  return new Map(fixed.filter(([, values]) => values > 0));
}

/**
 * The order without fields that are equal in all matches. When an index begins with such fields, MongoDB merges its
 * scans only by the fields after them.
 */
function withoutPinned(sort: PageQueryPlan['sort'], index: Order, filter: PageFilter): PageQueryPlan['sort'] {
  const [values, left] = [pinned(filter), Object.entries(sort)];
  for (const field of Object.keys(index).slice(Object.keys(ofItems({})).length)) {
    const number = values.get(field);
    if (number === undefined) break;
    if (left[0]?.[0] !== field) continue;
    if (number > 1) break;
    left.shift();
  }
  return Object.fromEntries(left);
}

/** Plans the query and the index for the requested pages of these items. */
export function planPageQuery(
  crawlIds: readonly string[],
  filter: PageFilter,
  sort: PageSort | null = null,
): PageQueryPlan {
  const order = orderOf(filter, sort);
  const within = order.hint ? { ...order, sort: withoutPinned(order.sort, order.hint, filter) } : order;
  return { filter: conditionsOf(crawlIds, filter, sort), ...within };
}

/** The entries that a title has besides the word by which it is found: any of these, or none. */
export interface EntriesBeside {
  readonly entries: readonly string[];
  readonly isNone: boolean;
}

/** Plans a part of a ranked list: pages whose titles have a word that often, the best match first. */
export function planTitleEntry(
  crawlIds: readonly string[],
  filter: PageFilter,
  entry: string,
  beside?: EntriesBeside,
): PageQueryPlan {
  // A positive condition on the other words would offer another way to read the same index.
  const rest = beside ? { $nor: [{ titleTerms: { [beside.isNone ? '$in' : '$nin']: beside.entries } }] } : {};
  return {
    filter: conditionsOf(crawlIds, filter, null, { titleTerms: entry, ...rest }),
    ...along(WITHIN_ENTRY, TITLE_WORDS),
  };
}

/** How many of some words a title has, at least one. */
export interface WordNumber {
  readonly words: readonly string[];
  readonly atLeast?: number;
  readonly atMost?: number;
}

/**
 * Plans a read of the pages whose titles have this many of the words, in no order: merging the items' orders costs the
 * database five times as much. It reads by the first words only, as few as each such page has one of.
 */
export function planTitlesWith(
  crawlIds: readonly string[],
  filter: PageFilter,
  { words, atLeast = 1, atMost = words.length }: WordNumber,
): PageQueryPlan {
  const readBy = words.slice(0, words.length + 1 - atLeast);
  const titled = { titleTerms: { $in: readBy.flatMap(entriesOf) }, ...restOf(words, atLeast, atMost) };
  return { filter: conditionsOf(crawlIds, filter, null, titled), sort: {}, hint: ofItems(TITLE_WORDS) };
}

/** The conditions that remain to be checked in the pages themselves after the first word. */
function restOf(words: readonly string[], atLeast: number, atMost: number): object {
  // A positive condition on the other words would offer another way to read the same index.
  if (atLeast === words.length)
    return { $nor: words.slice(1).map((word) => ({ titleTerms: { $nin: entriesOf(word) } })) };
  const number = { $size: { $setIntersection: ['$titleTerms', words.flatMap(entriesOf)] } };
  const [least, most] = [{ $gte: [number, atLeast] }, { $lte: [number, atMost] }];
  const bounds = [...(atLeast > 1 ? [least] : []), ...(atMost < words.length ? [most] : [])];
  return bounds.length > 0 ? { $expr: { $and: bounds } } : {};
}

/**
 * Plans a read by MongoDB's text index. It covers all orgs and gives no order.
 * @param isUnstored only those whose words are not stored
 */
export function planTitleText(
  crawlIds: readonly string[],
  filter: PageFilter,
  { isUnstored = false } = {},
): PageQueryPlan {
  const titled = { $text: { $search: titleWords(filter) ?? '' }, ...(isUnstored ? { titleTerms: null } : {}) };
  return { filter: conditionsOf(crawlIds, filter, null, titled), sort: {} };
}

/** Whether a filter excludes any pages of the items. */
export const asksAnything = (crawlIds: readonly string[], filter: PageFilter): boolean =>
  Object.keys(conditionsOf(crawlIds, filter, null)).length > 1;

/** The range of a QA run's values when a filter asks for nothing else. It covers the run in all items. */
export function qaRangeOf(crawlIds: readonly string[], filter: PageFilter): PageQueryPlan['filter'] | null {
  if (!filter.qa?.by || !filter.qa.bounds || asksAnything(crawlIds, { ...filter, qa: null })) return null;
  return { $and: qaConditions(filter, null) } as PageQueryPlan['filter'];
}

/** Whether a filter asks for more than words of the title. */
export function asksMoreThanWords(crawlIds: readonly string[], filter: PageFilter): boolean {
  const { crawl_id: _items, titleTerms: _words, ...more } = conditionsOf(crawlIds, { ...filter, unstored: [] }, null);
  return Object.keys(more).length > 0;
}

/** Plans which of these pages the filter keeps, whatever words their titles have. */
export function planTitlesOf(crawlIds: readonly string[], filter: PageFilter, ids: readonly string[]): PageQueryPlan {
  return { filter: conditionsOf(crawlIds, filter, null, { _id: { $in: ids } }), sort: {}, hint: { _id: 1 } };
}

/**
 * Plans the look whether any page of these items has one of the entries.
 * @param entries null among them stands for a page without stored words
 */
export function planTitleLook(crawlIds: readonly string[], entries: readonly (string | null)[]): PageQueryPlan {
  return {
    filter: { crawl_id: amongst(crawlIds), titleTerms: { $in: entries } } as never,
    sort: {},
    hint: ofItems(TITLE_WORDS),
  };
}

/** The index of the filter that leaves the fewest pages, if there is one. */
export function filterIndex(filter: PageFilter): Order | undefined {
  if (filter.hasManyUnstored) return undefined;
  const { urls, ts, hasNotes, approved, depth, isSeed, qa } = filter;
  if (qa?.by && qa.bounds && !urls && !ts) return QA_VALUES;
  const fields: [string, boolean][] = [
    ['url', urls !== null && urls !== undefined],
    ['ts', ts !== null && ts !== undefined],
    ['notes.id', hasNotes === true],
    ['titleTerms', titleWords(filter) !== null],
    ['approved', (approved?.length ?? 0) > 0],
    ['depth', typeof depth === 'number'],
    ['isSeed', isSeed === true],
  ];
  const [field] = fields.find(([, isGiven]) => isGiven) ?? [];
  if (field === undefined) return undefined;
  return ofItems(field === 'titleTerms' ? TITLE_WORDS : orderOfField(field));
}

/** A filter whose matches are added to or subtracted from the number of a list's pages. */
export interface CountPart {
  readonly sign: 1 | -1;
  readonly filter: PageFilter;
  /** Index of the matches; absent when the text index finds them. */
  readonly hint?: Order;
}

/**
 * Counts a filter's pages as a sum of counts that indexes give. No index counts pages without notes or without a
 * review, so these are subtracted.
 */
export function countParts(filter: PageFilter): CountPart[] {
  const part = (sign: 1 | -1, more: PageFilter): CountPart => {
    const of = { ...filter, ...more };
    if (of.hasManyUnstored) return { sign, filter: of };
    const order = urlBound(of) && !of.urls ? orderOfField('url') : SEEDS_FIRST;
    return { sign, filter: of, hint: filterIndex(of) ?? ofItems(order) };
  };
  const { reviewed, approved, hasNotes } = filter;
  if (typeof reviewed !== 'boolean')
    return hasNotes === false ? [part(1, { hasNotes: null }), part(-1, { hasNotes: true })] : [part(1, {})];
  if ((approved?.length ?? 0) > 0 || typeof hasNotes === 'boolean') return [part(1, {})];
  const judged = (sign: 1 | -1): CountPart[] => [
    part(sign, { reviewed: null, approved: [true, false] }),
    part(sign, { reviewed: null, approved: [null], hasNotes: true }),
  ];
  return reviewed ? judged(1) : [part(1, { reviewed: null }), ...judged(-1)];
}
