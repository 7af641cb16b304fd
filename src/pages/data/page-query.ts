import type { QueryFilter, SortOrder } from 'mongoose';
import { reversedOrder } from '../../common/pagination/nearer-end.js';
import { IS_NOTED, NOTED, PAGE_ORDERS, QA_VALUES, TITLE_WORDS, type Page } from './page.schema.js';
import { phrasePattern } from './title-phrase.js';
import { parseTitleQuery, type TitleQuery } from './title-query.js';
import type { Match } from './title-ranking.js';
import { entriesOf } from './title-words.facts.js';

/** What a page list may ask for; absent means any. Contract: archive §6. */
export interface PageFilter {
  /** An address (`http:` or `https:` first) is where the list starts; anything else is words of the title. */
  readonly search?: string | null;
  /** Titles that match although their words are not stored yet. `TitleSearch` finds them. */
  readonly unstored?: readonly Match[];
  /** It is known that no title of the list has one of the words more than once. `TitleSearch` finds out. */
  readonly hasEachWordOnce?: boolean;
  /** There are too many titles without stored words to be looked at: MongoDB's own text index finds those. */
  readonly hasManyUnstored?: boolean;
  /** Exact; several spellings of one address. Wins over the prefix, and both over `search`. */
  readonly urls?: string[] | null;
  /** Where the list starts, in order of URL: a lower bound, not a strict prefix. */
  readonly urlPrefix?: string | null;
  readonly ts?: Date | null;
  readonly isSeed?: boolean | null;
  readonly depth?: number | null;
  /** Judged or remarked upon. */
  readonly reviewed?: boolean | null;
  /** Any of these; null is not judged yet. */
  readonly approved?: (boolean | null)[] | null;
  readonly hasNotes?: boolean | null;
  readonly qa?: PageQaFilter | null;
}

export type QaMeasure = 'screenshotMatch' | 'textMatch';

/** Only pages that the run looked at; with `by`, those whose value lies within the bounds. */
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
  /** Index to read by, which gives the order; absent where the text index finds the pages. */
  readonly hint?: Order;
  /** Words of titles whose matches are listed by how well they match, which takes several reads: `TitleSearch`. */
  readonly rankedBy?: string[];
}

const startsLikeAddress = (text: string): boolean => /^https?:/i.test(text);

/** Words of the title to look for, when the filter asks for that. */
const titleWords = ({ search, urls, urlPrefix }: PageFilter): string | null =>
  search && !urls && !urlPrefix && !startsLikeAddress(search) ? search : null;

/** What is asked of titles. */
export function titleQueryOf(filter: PageFilter): TitleQuery | null {
  const words = titleWords(filter);
  return words === null ? null : parseTitleQuery(words);
}

function urlBound({ search, urls, urlPrefix }: PageFilter): Record<string, unknown> | null {
  if (urls) return urls.length === 1 ? { $eq: urls[0] } : { $in: urls };
  if (urlPrefix) return { $gte: urlPrefix };
  return search && startsLikeAddress(search) ? { $gte: search } : null;
}

/** Every note has an id: a range, or one value, of the index of notes. */
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

/** Of nothing but pages with notes, whose order has an index of its own. */
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
    // One index has both measures: a bound of the one, denied twice, is none to read by in the order of the other.
    conditions.push({ [qaPath(filter, bounded)]: isOther ? { $not: { $not: bounds } } : bounds });
  }
  // The index gives its order to a query that asks for values, and each run stores both: a number, or null.
  if (isOther) conditions.push({ [qaPath(filter, order)]: { $type: ['null', 'number'] } });
  // A page with a value has the run; said as well, that would be another way to read the same index, which then sorts.
  return conditions.length > 0 ? conditions : [{ [`qa.${qa.runId}`]: { $ne: null } }];
}

/** What the first bound leaves to be looked at in the pages themselves. */
function titleConditions({ excluded, phrases, excludedPhrases }: TitleQuery): object[] {
  return [
    ...(excluded.length > 0 ? [{ titleTerms: { $nin: excluded.flatMap(entriesOf) } }] : []),
    ...phrases.map((phrase) => ({ title: { $regex: phrasePattern(phrase) } })),
    ...excludedPhrases.map((phrase) => ({ title: { $not: { $regex: phrasePattern(phrase) } } })),
  ];
}

const amongst = (crawlIds: readonly string[]) => (crawlIds.length === 1 ? crawlIds[0] : { $in: [...crawlIds] });

/** Titles with any of the words, stored or not; where too many are not stored, those that may have one. */
function anyWord({ terms }: TitleQuery, { unstored = [], hasManyUnstored = false }: PageFilter): object {
  const isStored = { titleTerms: { $in: [...terms.flatMap(entriesOf), ...(hasManyUnstored ? [null] : [])] } };
  return unstored.length === 0 ? isStored : { $or: [isStored, { _id: { $in: unstored.map(({ id }) => id) } }] };
}

/** @param titled of the titles that the filter asks for, those alone that are found so */
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

/** Read along the index of an order, which is the list's own unless given. */
const along = (sort: Order, index: Order = sort): PageOrder => ({ sort, hint: ofItems(index) });

const fieldOf = (filter: PageFilter, field: PageSort['field']): string =>
  isMeasure(field) ? qaPath(filter, field) : field === 'notes' ? 'notes.id' : field;

function orderOf(filter: PageFilter, sort: PageSort | null): PageOrder {
  if (sort) {
    const field = fieldOf(filter, sort.field);
    // Pages that are alike come as they are stored: the index has nothing to tell them by.
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

/** Fields that the filter leaves one value, or one of several. */
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
 * The same order without what is alike in all matches: where an index begins with such fields, MongoDB merges its scans
 * only by those that follow.
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

/** How to find the asked-for pages of these items, and by which index. */
export function planPageQuery(
  crawlIds: readonly string[],
  filter: PageFilter,
  sort: PageSort | null = null,
): PageQueryPlan {
  const order = orderOf(filter, sort);
  const within = order.hint ? { ...order, sort: withoutPinned(order.sort, order.hint, filter) } : order;
  return { filter: conditionsOf(crawlIds, filter, sort), ...within };
}

/** What a title has besides the word that it is found by: any of these, or none. */
export interface EntriesBeside {
  readonly entries: readonly string[];
  readonly isNone: boolean;
}

/** The pages whose titles have a word so often, the best match first: a part of a ranked list. */
export function planTitleEntry(
  crawlIds: readonly string[],
  filter: PageFilter,
  entry: string,
  beside?: EntriesBeside,
): PageQueryPlan {
  // Said positively, the other words would be another way to read the same index.
  const rest = beside ? { $nor: [{ titleTerms: { [beside.isNone ? '$in' : '$nin']: beside.entries } }] } : {};
  return {
    filter: conditionsOf(crawlIds, filter, null, { titleTerms: entry, ...rest }),
    ...along(WITHIN_ENTRY, TITLE_WORDS),
  };
}

/** How many of some words a title has: at least one. */
export interface WordNumber {
  readonly words: readonly string[];
  readonly atLeast?: number;
  readonly atMost?: number;
}

/**
 * The pages whose titles have so many of the words, in no order: merging the items' orders costs the database five
 * times as much. Read by as few of the words as any such page has one of, the first.
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

/** What the first word leaves to be looked at in the pages themselves. */
function restOf(words: readonly string[], atLeast: number, atMost: number): object {
  // Said positively, the other words would be another way to read the same index.
  if (atLeast === words.length)
    return { $nor: words.slice(1).map((word) => ({ titleTerms: { $nin: entriesOf(word) } })) };
  const number = { $size: { $setIntersection: ['$titleTerms', words.flatMap(entriesOf)] } };
  const [least, most] = [{ $gte: [number, atLeast] }, { $lte: [number, atMost] }];
  const bounds = [...(atLeast > 1 ? [least] : []), ...(atMost < words.length ? [most] : [])];
  return bounds.length > 0 ? { $expr: { $and: bounds } } : {};
}

/**
 * The pages that MongoDB's text index finds, which reads those of all orgs, in no order.
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

/** Whether a filter leaves out any pages of the items. */
export const asksAnything = (crawlIds: readonly string[], filter: PageFilter): boolean =>
  Object.keys(conditionsOf(crawlIds, filter, null)).length > 1;

/** The range of a QA run's values that a filter asks for, and nothing else: of the run, whatever the item. */
export function qaRangeOf(crawlIds: readonly string[], filter: PageFilter): PageQueryPlan['filter'] | null {
  if (!filter.qa?.by || !filter.qa.bounds || asksAnything(crawlIds, { ...filter, qa: null })) return null;
  return { $and: qaConditions(filter, null) } as PageQueryPlan['filter'];
}

/** Whether a filter asks for more than words of the title. */
export function asksMoreThanWords(crawlIds: readonly string[], filter: PageFilter): boolean {
  const { crawl_id: _items, titleTerms: _words, ...more } = conditionsOf(crawlIds, { ...filter, unstored: [] }, null);
  return Object.keys(more).length > 0;
}

/** Which of these pages the filter leaves, whatever words their titles have. */
export function planTitlesOf(crawlIds: readonly string[], filter: PageFilter, ids: readonly string[]): PageQueryPlan {
  return { filter: conditionsOf(crawlIds, filter, null, { _id: { $in: ids } }), sort: {}, hint: { _id: 1 } };
}

/**
 * Whether any page of these items has one of the entries.
 * @param entries null among them: a page whose words are not stored
 */
export function planTitleLook(crawlIds: readonly string[], entries: readonly (string | null)[]): PageQueryPlan {
  return {
    filter: { crawl_id: amongst(crawlIds), titleTerms: { $in: entries } } as never,
    sort: {},
    hint: ofItems(TITLE_WORDS),
  };
}

/** Index of the filter that leaves the fewest pages, when there is one. */
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

/** A filter whose matches are added to the number of a list's pages, or taken from it. */
export interface CountPart {
  readonly sign: 1 | -1;
  readonly filter: PageFilter;
  /** Absent where the text index finds the matches. */
  readonly hint?: Order;
}

/**
 * How many pages a filter leaves, as a sum of what indexes count: of pages without notes there is none, nor of those
 * that were judged or remarked upon.
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
