import type { Page } from './page.schema.js';
import type { Match } from './title-ranking.js';
import { entriesOf, scoreOf } from './title-words.facts.js';

/** Pages of one answer of the database, where all matches are read. */
export const SCAN_BATCH = 1000;

/** What a read has to show of a page, to know its score. */
export const SCORED = { titleLength: 1, titleTerms: 1 } as const;

/** The score of titles for all of these words. */
export function scorer(terms: readonly string[]): (page: Pick<Page, 'titleTerms' | 'titleLength'>) => number {
  const timesOf = new Map(terms.flatMap((term) => entriesOf(term).map((entry, n) => [entry, n + 1] as const)));
  return ({ titleTerms = [], titleLength = 0 }) =>
    titleTerms.reduce((sum, entry) => {
      const times = timesOf.get(entry);
      return times === undefined ? sum : sum + scoreOf(times, titleLength);
    }, 0);
}

/** A page as a match of these words. */
export function matcher(terms: readonly string[]): (page: Page) => Match {
  const scoreOfAll = scorer(terms);
  return (page) => {
    const score = scoreOfAll(page);
    return { id: page._id, part: score, score };
  };
}
