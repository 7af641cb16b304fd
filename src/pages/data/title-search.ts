import type { OrgScoped } from '../../database/org-scoped.js';
import { reversedOrder } from '../../common/pagination/nearer-end.js';
import { chunksOf, ITEMS_PER_MERGE, mergeOrdered } from './page-merge.js';
import {
  planPageQuery,
  planTitleEntry,
  planTitleLook,
  planTitlesOf,
  titleQueryOf,
  type PageFilter,
} from './page-query.js';
import type { Page } from './page.schema.js';
import type { TitleQuery } from './title-query.js';
import { bestOf, byRank, type Match } from './title-ranking.js';
import { entriesOf, entryOf, MOST_TIMES, repeatedEntriesOf, scoreOf, titleIndexOf } from './title-words.schema.js';

/** Enough for a long title. Of more words, each of which would be a read of its own, all matches are read at once. */
const MOST_READ_APART = 32;
/** Matches of several words that are read at once, of all words and of one: most of the first are never asked for. */
const BATCH_OF_ALL = 400;
const [SMALLEST_BATCH, BATCH] = [25, 100];
/** Of matches that are all read. */
const SCAN_BATCH = 1000;
/**
 * Titles whose words are found out by a search itself: so many are read and split within some 50 ms. More are in a
 * database that was taken over, until it is filled, and in a crawl that stored a backlog, until it ends.
 */
export const MOST_UNSTORED = 3000;

export interface RankedRequest {
  crawlIds: readonly string[];
  filter: PageFilter;
  terms: readonly string[];
  skip: number;
  limit: number;
  /** From the worst match on. */
  isReversed: boolean;
}

/**
 * Search of titles by their stored words, within the items of a list alone. The order is that of MongoDB's text score:
 * an index gives it for each word and number of times, and those parts are merged here.
 */
export class TitleSearch {
  constructor(private readonly pages: OrgScoped<Page>) {}

  /**
   * The filter with what this search has to know of the list's pages whose words are not stored. To be asked before
   * anything is read: what is stored after this is found twice, not missed.
   * @param isRanked `ranked` comes next: one look then tells, of most lists, all that both have to know
   */
  async readable(
    oid: string,
    crawlIds: readonly string[],
    filter: PageFilter,
    { isRanked = false } = {},
  ): Promise<PageFilter> {
    const query = titleQueryOf(filter);
    if (query === null || query.terms.length === 0 || crawlIds.length === 0) return filter;
    const exceptions = [null, ...query.terms.flatMap(repeatedEntriesOf)];
    if (isRanked && !(await this.hasAny(oid, crawlIds, exceptions))) return { ...filter, hasEachWordOnce: true };
    const { filter: missing, hint } = planTitleLook(crawlIds, [null]);
    const [projection, most] = [{ title: 1 }, MOST_UNSTORED + 1] as const;
    const pages = await this.pages.find(oid, missing, { limit: most, batchSize: most, projection, hint });
    if (pages.length > MOST_UNSTORED) return { ...filter, usesTextIndex: true };
    const unstored = new Map(matchesOf(pages, query).map((match) => [match.id, match]));
    if (unstored.size === 0) return filter;
    const { filter: of, ...by } = planTitlesOf(crawlIds, filter, [...unstored.keys()]);
    const left = await this.pages.find(oid, of, { limit: unstored.size, projection: { _id: 1 }, hint: by.hint });
    return { ...filter, unstored: left.flatMap(({ _id }) => unstored.get(_id) ?? []) };
  }

  /** Ids of the best matches. */
  async ranked(oid: string, { filter, ...request }: RankedRequest): Promise<string[]> {
    const { skip, limit, terms, isReversed } = request;
    const { unstored = [], ...ofStored } = filter;
    const stored = { ...request, filter: ofStored };
    const found =
      terms.length > MOST_READ_APART
        ? { ordered: [], others: [unstored, this.all(oid, stored)] }
        : { ordered: await this.byTerm(oid, stored), others: [unstored] };
    return (await bestOf(found, skip + limit, isReversed)).slice(skip).map(({ id }) => id);
  }

  /** For each word all pages with it, in order of what it adds to their scores. */
  private async byTerm(oid: string, request: RankedRequest): Promise<AsyncGenerator<Match>[]> {
    const { crawlIds, filter, isReversed, terms } = request;
    const repeated = filter.hasEachWordOnce ? new Set() : await this.repeated(oid, crawlIds, terms);
    return terms.map((term) => {
      const entries = Array.from({ length: repeated.has(term) ? MOST_TIMES : 1 }, (_, n) => n + 1);
      const streams = entries.flatMap((times) =>
        chunksOf(crawlIds, ITEMS_PER_MERGE).map((ids) => this.stream(oid, { ...request, crawlIds: ids }, term, times)),
      );
      return mergeOrdered(
        streams,
        byRank(isReversed, ({ part }) => part),
      );
    });
  }

  /**
   * Those words that are in one title more than once. Most are in none, and a look is less than the reads of all numbers
   * of times.
   */
  private async repeated(oid: string, crawlIds: readonly string[], terms: readonly string[]): Promise<Set<string>> {
    const hasAnyOf = (some: readonly string[]) => this.hasAny(oid, crawlIds, some.flatMap(repeatedEntriesOf));
    if (terms.length === 0 || !(await hasAnyOf(terms))) return new Set();
    const found = terms.length === 1 ? [true] : await Promise.all(terms.map((term) => hasAnyOf([term])));
    return new Set(terms.filter((_, n) => found[n]));
  }

  private async *stream(
    oid: string,
    { crawlIds, filter, terms, skip, limit, isReversed }: RankedRequest,
    term: string,
    times: number,
  ): AsyncGenerator<Match> {
    const { filter: match, sort, hint } = planTitleEntry(crawlIds, filter, entryOf(term, times));
    const order = sort as Record<string, 1 | -1>;
    const options = { sort: isReversed ? reversedOrder(order) : order, hint };
    // The index alone tells what one word is worth; the words beside it are in the page.
    const batchSize = Math.min(BATCH, Math.max(SMALLEST_BATCH, Math.floor(BATCH_OF_ALL / terms.length)));
    const reading =
      terms.length === 1
        ? { projection: { titleLength: 1 }, limit: skip + limit }
        : { projection: { titleLength: 1, titleTerms: 1 }, batchSize };
    const scoreOfAll = scorer(terms);
    for await (const page of this.pages.stream(oid, match, { ...options, ...reading })) {
      const part = scoreOf(times, page.titleLength ?? 0);
      yield { id: page._id, part, score: terms.length === 1 ? part : scoreOfAll(page) };
    }
  }

  /** All matches, in no order. */
  private async *all(oid: string, { crawlIds, filter, terms }: RankedRequest): AsyncGenerator<Match> {
    const { filter: match, hint } = planPageQuery(crawlIds, filter);
    const reading = { projection: { titleLength: 1, titleTerms: 1 }, batchSize: SCAN_BATCH } as const;
    const scoreOfAll = scorer(terms);
    for await (const page of this.pages.stream(oid, match, { ...reading, hint })) {
      const score = scoreOfAll(page);
      yield { id: page._id, part: score, score };
    }
  }

  private async hasAny(
    oid: string,
    crawlIds: readonly string[],
    entries: readonly (string | null)[],
  ): Promise<boolean> {
    const { filter, hint } = planTitleLook(crawlIds, entries);
    return (await this.pages.find(oid, filter, { limit: 1, projection: { _id: 1 }, hint })).length > 0;
  }
}

/** Of pages whose words are not stored, those that have what is asked for, but for phrases. */
function matchesOf(pages: readonly Page[], { terms, excluded }: TitleQuery): Match[] {
  const [scoreOfAll, unwanted] = [scorer(terms), new Set(excluded.flatMap(entriesOf))];
  return pages.flatMap(({ _id, title }) => {
    const index = titleIndexOf(title);
    const score = scoreOfAll(index);
    const isMatch = score > 0 && !index.titleTerms.some((entry) => unwanted.has(entry));
    return isMatch ? [{ id: _id, part: score, score }] : [];
  });
}

/** The score of titles for all of these words. */
function scorer(terms: readonly string[]): (page: Pick<Page, 'titleTerms' | 'titleLength'>) => number {
  const timesOf = new Map(terms.flatMap((term) => entriesOf(term).map((entry, n) => [entry, n + 1] as const)));
  return ({ titleTerms = [], titleLength = 0 }) =>
    titleTerms.reduce((sum, entry) => {
      const times = timesOf.get(entry);
      return times === undefined ? sum : sum + scoreOf(times, titleLength);
    }, 0);
}
