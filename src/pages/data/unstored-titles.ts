import type { OrgScoped } from '../../database/org-scoped.js';
import { planTitleLook, planTitlesOf, planTitleText, titleQueryOf, type PageFilter } from './page-query.js';
import type { Page } from './page.schema.js';
import { hasAnyEntry } from './title-look.js';
import type { TitleQuery } from './title-query.js';
import type { Match } from './title-ranking.js';
import { SCAN_BATCH, scorer } from './title-score.js';
import { entriesOf, repeatedEntriesOf, titleIndexOf } from './title-words.facts.js';

/**
 * Titles whose words are found out by a search itself: so many are read and split within some 50 ms. More are in a
 * database that was taken over, until it is filled, and in a crawl that stored a backlog, until it ends.
 */
export const MOST_UNSTORED = 3000;

/** Search of titles whose words are not stored (yet): they are split by the search itself. */
export class UnstoredTitles {
  constructor(private readonly pages: OrgScoped<Page>) {}

  /**
   * The filter with what this search has to know of the list's pages whose words are not stored. To be asked before
   * anything is read: what is stored after this is found twice, not missed.
   * @param isRanked `TitleSearch` comes next: one look then tells, of most lists, all that both have to know
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
    if (isRanked && !(await hasAnyEntry(this.pages, oid, crawlIds, exceptions)))
      return { ...filter, hasEachWordOnce: true };
    const { filter: missing, hint } = planTitleLook(crawlIds, [null]);
    const [projection, most] = [{ title: 1 }, MOST_UNSTORED + 1] as const;
    const pages = await this.pages.find(oid, missing, { limit: most, batchSize: most, projection, hint });
    if (pages.length > MOST_UNSTORED) return { ...filter, hasManyUnstored: true };
    const matchOf = unstoredMatcher(query);
    const unstored = new Map(pages.flatMap((page) => matchOf(page) ?? []).map((match) => [match.id, match]));
    if (unstored.size === 0) return filter;
    const { filter: of, ...by } = planTitlesOf(crawlIds, filter, [...unstored.keys()]);
    const left = await this.pages.find(oid, of, { limit: unstored.size, projection: { _id: 1 }, hint: by.hint });
    return { ...filter, unstored: left.flatMap(({ _id }) => unstored.get(_id) ?? []) };
  }

  /** Matches that MongoDB's text index finds, which reads those of all orgs; in no order. */
  async *byText(oid: string, crawlIds: readonly string[], filter: PageFilter): AsyncGenerator<Match> {
    const { filter: match } = planTitleText(crawlIds, filter, { isUnstored: true });
    const query = titleQueryOf(filter);
    if (query === null) return;
    const matchOf = unstoredMatcher(query);
    const reading = { projection: { title: 1 }, batchSize: SCAN_BATCH } as const;
    for await (const page of this.pages.stream(oid, match, reading)) {
      const found = matchOf(page);
      if (found) yield found;
    }
  }
}

/** Tells of a page whose words are not stored whether it has what is asked for, but for phrases. */
export function unstoredMatcher({ terms, excluded }: TitleQuery): (page: Page) => Match | null {
  const [scoreOfAll, unwanted] = [scorer(terms), new Set(excluded.flatMap(entriesOf))];
  return ({ _id, title }) => {
    const index = titleIndexOf(title);
    const score = scoreOfAll(index);
    const isMatch = score > 0 && !index.titleTerms.some((entry) => unwanted.has(entry));
    return isMatch ? { id: _id, part: score, score } : null;
  };
}
