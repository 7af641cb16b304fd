import type { OrgScoped } from '../../database/org-scoped.js';
import { planTitleLook, planTitlesOf, planTitleText, titleQueryOf, type PageFilter } from './page-query.js';
import type { Page } from './page.schema.js';
import { hasAnyEntry } from './title-look.js';
import type { TitleQuery } from './title-query.js';
import type { Match } from './title-ranking.js';
import { SCAN_BATCH, scorer } from './title-score.js';
import { entriesOf, repeatedEntriesOf, titleIndexOf } from './title-words.facts.js';

/**
 * Most titles that a search itself splits; that takes some 50 ms. A database that was taken over has more until it is
 * filled, and so has a crawl with a backlog until it ends.
 */
export const MOST_UNSTORED = 3000;

/** Searches titles whose words are not stored (yet) by splitting them in the search. */
export class UnstoredTitles {
  constructor(private readonly pages: OrgScoped<Page>) {}

  /**
   * Adds the list's pages without stored words to the filter. Call it before anything is read, so that words stored
   * later give a page twice instead of never.
   * @param isRanked `TitleSearch` comes next: then one look is enough for both with most lists
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

  /** Matches of MongoDB's text index, which reads all orgs, in no order. */
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

/** Returns the function that checks a page without stored words against the query, except phrases. */
export function unstoredMatcher({ terms, excluded }: TitleQuery): (page: Page) => Match | null {
  const [scoreOfAll, unwanted] = [scorer(terms), new Set(excluded.flatMap(entriesOf))];
  return ({ _id, title }) => {
    const index = titleIndexOf(title);
    const score = scoreOfAll(index);
    const isMatch = score > 0 && !index.titleTerms.some((entry) => unwanted.has(entry));
    return isMatch ? { id: _id, part: score, score } : null;
  };
}
