import { wordsOf } from './title-words.facts.js';

/** A search of titles as MongoDB's `$search` understands it. */
export interface TitleQuery {
  /** Words; a title must have one of them. */
  readonly terms: string[];
  /** Words after a minus; a title must have none of them. */
  readonly excluded: string[];
  /** Texts between quotation marks; a title must have all of them. */
  readonly phrases: string[];
  readonly excludedPhrases: string[];
}

const WHITE = new Set([' ', '\n', '\v', '\f', '\r']);
const TOKEN = /["-]|[^"\- \n\v\f\r]+/g;

/** Reads a search: words, `-word`, `"a phrase"`, `-"a phrase"`. A minus inside a word excludes nothing. */
export function parseTitleQuery(search: string): TitleQuery {
  const [words, excluded]: [string[], string[]] = [[], []];
  const [phrases, excludedPhrases]: [string[], string[]] = [[], []];
  let phraseFrom = -1;
  let isExcluded = false;
  for (const { 0: token, index } of search.matchAll(TOKEN)) {
    const isApart = index === 0 || WHITE.has(search.charAt(index - 1));
    const isInPhrase = phraseFrom >= 0;
    if (token === '-') {
      if (!isInPhrase && isApart) isExcluded = true;
    } else if (token === '"' && isInPhrase) {
      (isExcluded ? excludedPhrases : phrases).push(search.slice(phraseFrom, index));
      phraseFrom = -1;
    } else if (token === '"') {
      if (isApart) isExcluded = false;
      phraseFrom = index + 1;
    } else if (!(isInPhrase && isExcluded)) {
      if (isApart) isExcluded = false;
      (isExcluded ? excluded : words).push(token);
    }
  }
  const termsOf = (texts: string[]): string[] => [...new Set(wordsOf(texts.join(' ')))].filter((term) => term !== '');
  return { terms: termsOf(words), excluded: termsOf(excluded), phrases, excludedPhrases };
}
