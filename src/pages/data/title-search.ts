import type { OrgScoped } from '../../database/org-scoped.js';
import { reversedOrder } from '../../common/pagination/nearer-end.js';
import { chunksOf, ITEMS_PER_MERGE, mergeOrdered } from './page-merge.js';
import {
  asksMoreThanWords,
  planPageQuery,
  planTitleEntry,
  planTitleLook,
  planTitlesWith,
  type EntriesBeside,
  type PageFilter,
  type WordNumber,
} from './page-query.js';
import type { Page } from './page.schema.js';
import { hasAnyEntry } from './title-look.js';
import { bestOf, byRank, type Match, type Matches, type MatchesByNumber } from './title-ranking.js';
import { matcher, SCAN_BATCH, SCORED, scorer } from './title-score.js';
import { entriesOf, entryOf, MOST_TIMES, repeatedEntriesOf, scoreOf } from './title-words.facts.js';
import { UnstoredTitles } from './unstored-titles.js';

/** Most words read separately, enough for a long title. With more words all matches are read at once. */
const MOST_READ_APART = 32;
/** Batch of matches of several words read at once, in sum and per stream: most are never needed. */
const BATCH_OF_ALL = 400;
const [SMALLEST_BATCH, BATCH] = [25, 100];
/** Most matches that are found at once and sorted here. */
export const MOST_AT_ONCE = 500;
/** Most matches counted per word, and most items, to learn which words are rarer. */
const [MOST_COUNTED, ITEMS_COUNTED] = [2000, 20];
const ONCE = [1];
const REPEATED = Array.from({ length: MOST_TIMES - 1 }, (_, n) => n + 2);
/** Concurrent commands; the database reads on one core per command. */
const COMMANDS_AT_ONCE = 2;

export interface RankedRequest {
  readonly crawlIds: readonly string[];
  readonly filter: PageFilter;
  readonly terms: readonly string[];
  readonly skip: number;
  readonly limit: number;
  /** Whether the worst match comes first. */
  readonly isReversed: boolean;
}

interface RepeatedRequest extends RankedRequest {
  /** Words that some titles have more than once. */
  readonly repeated: ReadonlySet<string>;
}

interface TermReading {
  /** How often titles have the word; absent: any number. */
  readonly times?: readonly number[];
  /** Restricts the pages of the word to those with or without these entries. */
  readonly beside?: EntriesBeside;
  /** The highest possible score of a page, from the word's part and the title's length. */
  readonly most?: (part: number, length: number) => number;
}

interface EntryReading extends Omit<TermReading, 'times'> {
  readonly entry: { term: string; times: number };
  readonly batchSize: number;
}

/**
 * Search of titles by their stored words, only within the items of a list. The order is that of MongoDB's text score.
 * An index gives it for each word and number of times, and this class merges those parts.
 */
export class TitleSearch {
  private readonly unstored: UnstoredTitles;

  constructor(private readonly pages: OrgScoped<Page>) {
    this.unstored = new UnstoredTitles(pages);
  }

  /** Ids of the best matches. */
  async ranked(oid: string, { filter, ...request }: RankedRequest): Promise<string[]> {
    const { crawlIds, skip, limit, isReversed } = request;
    const [{ unstored = [], hasManyUnstored = false, ...ofStored }, wanted] = [filter, skip + limit];
    const byText = { byWord: [], others: [this.unstored.byText(oid, crawlIds, filter)] };
    // These are read first, so that words stored meanwhile give a page twice instead of never.
    const others = hasManyUnstored ? await bestOf(byText, wanted, isReversed) : unstored;
    const stored = await this.storedMatches(oid, { ...request, filter: ofStored });
    const all = { ...stored, others: [others, ...stored.others] };
    return (await bestOf(all, wanted, isReversed)).slice(skip).map(({ id }) => id);
  }

  private async storedMatches(oid: string, request: RankedRequest): Promise<Matches> {
    const { crawlIds, filter, terms } = request;
    if (terms.length > MOST_READ_APART) return { byWord: [], others: [this.all(oid, request)] };
    // Other conditions are checked in the pages of a word one by one, and perhaps none of them meets those.
    const few = asksMoreThanWords(crawlIds, filter) ? await this.fewWith(oid, request, { words: terms }) : null;
    if (few) return { byWord: [], others: [few] };
    const repeated = filter.hasEachWordOnce ? new Set<string>() : await this.repeated(oid, crawlIds, terms);
    const numbered = { ...request, repeated };
    return {
      byWord: terms.map((term) => this.ofTerm(oid, numbered, term)),
      others: [],
      byNumber: () => (request.isReversed ? this.byLeast(oid, numbered) : this.byMost(oid, numbered)),
    };
  }

  /** The matches with two words or more: those with the most at once while they are few, the others in order. */
  private async byMost(oid: string, request: RepeatedRequest): Promise<MatchesByNumber> {
    const words = await this.rarestFirst(oid, request);
    const { atMost, found } = await this.fewWithMost(oid, { ...request, terms: words });
    if (atMost < 2) return { found, ordered: [], words: 1 };
    const repeated = words.filter((word) => request.repeated.has(word));
    const read = (term: string, times: readonly number[], others: readonly string[], timesOfOthers: number) => {
      const entries = others.filter((entry) => !entriesOf(term).includes(entry));
      const most = (part: number, length: number) => part + (atMost - 1) * scoreOf(timesOfOthers, length);
      return this.ofTerm(oid, request, term, { times, beside: { entries, isNone: false }, most });
    };
    const [all, allRepeated] = [words.flatMap(entriesOf), repeated.flatMap(repeatedEntriesOf)];
    const ordered = [
      // First titles with each word at most once: with two words they have one of all words but the last. Then titles
      // with a repeated word, and with several. They are separate because their highest scores differ.
      ...words.slice(0, -1).map((term) => read(term, ONCE, all, 1)),
      ...repeated.map((term) => read(term, REPEATED, all, 1)),
      ...repeated.slice(0, -1).map((term) => read(term, REPEATED, allRepeated, MOST_TIMES)),
    ];
    return { found, ordered, words: 1 };
  }

  /** Doubles the steps, so that for many words a smaller number may be read than is found. */
  private async fewWithMost(oid: string, request: RankedRequest): Promise<{ atMost: number; found: Match[] }> {
    const words = request.terms;
    for (const atLeast of stepsUpTo(words.length).slice(1)) {
      const found = await this.fewWith(oid, request, { words, atLeast });
      if (found) return { atMost: atLeast - 1, found };
    }
    return { atMost: words.length, found: [] };
  }

  /** The matches with the fewest words: all at once while they are few, otherwise those with one word in order. */
  private async byLeast(oid: string, request: RepeatedRequest): Promise<MatchesByNumber> {
    const { terms } = request;
    let few: MatchesByNumber | null = null;
    for (const atMost of stepsUpTo(terms.length).slice(0, -1)) {
      const found = await this.fewWith(oid, request, { words: terms, atMost });
      if (!found) break;
      few = { found, ordered: [], words: atMost + 1 };
    }
    if (few) return few;
    const ordered = terms.map((term) => {
      const entries = terms.filter((word) => word !== term).flatMap(entriesOf);
      return this.ofTerm(oid, request, term, { beside: { entries, isNone: true } });
    });
    return { found: [], ordered, words: 2 };
  }

  /** @returns null when there are too many to sort here */
  private async fewWith(
    oid: string,
    { crawlIds, filter, terms }: RankedRequest,
    number: WordNumber,
  ): Promise<Match[] | null> {
    const options = { limit: MOST_AT_ONCE + 1, batchSize: MOST_AT_ONCE + 1, projection: SCORED };
    const parts = chunksOf(crawlIds, Math.ceil(crawlIds.length / COMMANDS_AT_ONCE)).map((ids) => {
      const { filter: match, hint } = planTitlesWith(ids, filter, number);
      return this.pages.find(oid, match, { ...options, hint });
    });
    const pages = (await Promise.all(parts)).flat();
    return pages.length > MOST_AT_ONCE ? null : pages.map(matcher(terms));
  }

  private async rarestFirst(oid: string, { crawlIds, terms }: RankedRequest): Promise<string[]> {
    const some = crawlIds.filter((_, n) => n % Math.ceil(crawlIds.length / ITEMS_COUNTED) === 0);
    const counts = terms.map(async (term) => {
      const { filter, hint } = planTitleLook(some, entriesOf(term));
      return { term, count: await this.pages.count(oid, filter, { hint, limit: MOST_COUNTED }) };
    });
    return (await Promise.all(counts)).sort((a, b) => a.count - b.count).map(({ term }) => term);
  }

  /** All pages with a word, in order of its part of their scores or of their highest possible score. */
  private ofTerm(
    oid: string,
    request: RepeatedRequest,
    term: string,
    reading: TermReading = {},
  ): AsyncGenerator<Match> {
    const { crawlIds, isReversed, repeated } = request;
    const { times = repeated.has(term) ? [...ONCE, ...REPEATED] : ONCE, ...rest } = reading;
    const parts = chunksOf(crawlIds, ITEMS_PER_MERGE);
    const share = Math.floor(BATCH_OF_ALL / (request.terms.length * parts.length));
    const batchSize = Math.min(BATCH, Math.max(SMALLEST_BATCH, share));
    const streams = times.flatMap((number) =>
      parts.map((ids) =>
        this.stream(oid, { ...request, crawlIds: ids }, { ...rest, entry: { term, times: number }, batchSize }),
      ),
    );
    return mergeOrdered(
      streams,
      byRank(isReversed, ({ part }) => part),
    );
  }

  /**
   * The words that some title has more than once. Most have none, and this look costs less than reading every number.
   */
  private async repeated(oid: string, crawlIds: readonly string[], terms: readonly string[]): Promise<Set<string>> {
    const hasAnyOf = (some: readonly string[]) =>
      hasAnyEntry(this.pages, oid, crawlIds, some.flatMap(repeatedEntriesOf));
    if (terms.length === 0 || !(await hasAnyOf(terms))) return new Set();
    const found = terms.length === 1 ? [true] : await Promise.all(terms.map((term) => hasAnyOf([term])));
    return new Set(terms.filter((_, n) => found[n]));
  }

  private async *stream(
    oid: string,
    { crawlIds, filter, terms, skip, limit, isReversed }: RankedRequest,
    { entry, beside, most = (part) => part, batchSize }: EntryReading,
  ): AsyncGenerator<Match> {
    const found = planTitleEntry(crawlIds, filter, entryOf(entry.term, entry.times), beside);
    const { filter: match, sort, hint } = found;
    const order = sort as Record<string, 1 | -1>;
    const options = { sort: isReversed ? reversedOrder(order) : order, hint };
    // For one word the index alone gives the score; for several the page is needed.
    const reading =
      terms.length === 1 ? { projection: { titleLength: 1 }, limit: skip + limit } : { projection: SCORED, batchSize };
    const scoreOfAll = scorer(terms);
    for await (const page of this.pages.stream(oid, match, { ...options, ...reading })) {
      const length = page.titleLength ?? 0;
      const part = scoreOf(entry.times, length);
      yield { id: page._id, part: most(part, length), score: terms.length === 1 ? part : scoreOfAll(page) };
    }
  }

  /** All matches, in no order. */
  private async *all(oid: string, { crawlIds, filter, terms }: RankedRequest): AsyncGenerator<Match> {
    const { filter: match, hint } = planPageQuery(crawlIds, filter);
    const matchOf = matcher(terms);
    for await (const page of this.pages.stream(oid, match, { projection: SCORED, batchSize: SCAN_BATCH, hint }))
      yield matchOf(page);
  }
}

/** 1, 2, 4 and so on, and the number itself. */
function stepsUpTo(number: number): number[] {
  const steps = [];
  for (let step = 1; step < number; step *= 2) steps.push(step);
  return [...steps, number];
}
