import type { Page } from './page.schema.js';
import type { Match } from './title-ranking.js';
import { entriesOf, scoreOf } from './title-words.facts.js';

/** Pages per database batch when all matches are read. */
export const SCAN_BATCH = 1000;

/** The fields that are needed for a page's score. */
export const SCORED = { titleLength: 1, titleTerms: 1 } as const;

/** Returns the function that scores titles for all of these words. */
export function scorer(terms: readonly string[]): (page: Pick<Page, 'titleTerms' | 'titleLength'>) => number {
  const timesOf = new Map(terms.flatMap((term) => entriesOf(term).map((entry, n) => [entry, n + 1] as const)));
  return ({ titleTerms = [], titleLength = 0 }) =>
    titleTerms.reduce((sum, entry) => {
      const times = timesOf.get(entry);
      return times === undefined ? sum : sum + scoreOf(times, titleLength);
    }, 0);
}

/** Returns the function that makes a page a match of these words. */
export function matcher(terms: readonly string[]): (page: Page) => Match {
  const scoreOfAll = scorer(terms);
  return (page) => {
    const score = scoreOfAll(page);
    return { id: page._id, part: score, score };
  };
}
