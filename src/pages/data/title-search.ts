import type { OrgScoped } from '../../database/org-scoped.js';
import { reversedOrder } from '../../common/pagination/nearer-end.js';
import { chunksOf, ITEMS_PER_MERGE, mergeOrdered } from './page-merge.js';
import { planTitleEntry, titleQueryOf, type PageFilter } from './page-query.js';
import { TITLE_WORDS, type Page } from './page.schema.js';
import { bestOf, byRank, type Match } from './title-ranking.js';
import { entriesOf, entryOf, MOST_TIMES, scoreOf } from './title-words.schema.js';

/** More are left to MongoDB's text index: each is a read of its own. */
const MOST_TERMS = 10;
/** Matches of several words that are read at once. */
const BATCH = 100;
const HINT = { oid: 1, crawl_id: 1, ...TITLE_WORDS } as const;

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

  /** The filter, or the one that asks MongoDB's text index where this search can't serve it. */
  async readable(oid: string, crawlIds: readonly string[], filter: PageFilter): Promise<PageFilter> {
    const query = titleQueryOf(filter);
    if (query === null || crawlIds.length === 0) return filter;
    if (query.terms.length <= MOST_TERMS && !(await this.hasAny(oid, crawlIds, null))) return filter;
    return { ...filter, usesTextIndex: true };
  }

  /** Ids of the best matches. */
  async ranked(oid: string, request: RankedRequest): Promise<string[]> {
    const { skip, limit, terms, isReversed } = request;
    const streams = await Promise.all(terms.map((term) => this.matches(oid, request, term)));
    return (await bestOf(streams, skip + limit, isReversed)).slice(skip).map(({ id }) => id);
  }

  /** All pages with the word, in order of what it adds to their scores. */
  private async matches(oid: string, request: RankedRequest, term: string): Promise<AsyncGenerator<Match>> {
    const { crawlIds, isReversed } = request;
    // Most words are in no title twice, and a look is less than the reads of all numbers of times.
    const repeated = { $elemMatch: { $gt: `${term} `, $lt: `${term}!` } };
    const most = (await this.hasAny(oid, crawlIds, repeated)) ? MOST_TIMES : 1;
    const streams = Array.from({ length: most }, (_, n) => n + 1).flatMap((times) =>
      chunksOf(crawlIds, ITEMS_PER_MERGE).map((ids) => this.stream(oid, { ...request, crawlIds: ids }, term, times)),
    );
    return mergeOrdered(
      streams,
      byRank(isReversed, ({ part }) => part),
    );
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
    const reading =
      terms.length === 1
        ? { projection: { titleLength: 1 }, limit: skip + limit }
        : { projection: { titleLength: 1, titleTerms: 1 }, batchSize: BATCH };
    const timesOf = new Map(terms.flatMap((one) => entriesOf(one).map((entry, n) => [entry, n + 1] as const)));
    for await (const page of this.pages.stream(oid, match, { ...options, ...reading })) {
      const length = page.titleLength ?? 0;
      const part = scoreOf(times, length);
      const score = page.titleTerms?.reduce((sum, entry) => {
        const number = timesOf.get(entry);
        return number === undefined ? sum : sum + scoreOf(number, length);
      }, 0);
      yield { id: page._id, part, score: score ?? part };
    }
  }

  private async hasAny(oid: string, crawlIds: readonly string[], titleTerms: object | null): Promise<boolean> {
    const filter = { crawl_id: crawlIds.length === 1 ? crawlIds[0] : { $in: [...crawlIds] }, titleTerms };
    const options = { limit: 1, projection: { _id: 1 } as const, hint: HINT };
    return (await this.pages.find(oid, filter as never, options)).length > 0;
  }
}
