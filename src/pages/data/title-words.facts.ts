import { stem } from 'porter2';

/**
 * Words of titles as in MongoDB's text index (version 3, English), so that our index finds and ranks like the
 * reference's. They are split at Unicode's delimiters, case folded, without stop words, stemmed, without diacritics.
 * `test/db/pages/title-words.spec.ts` compares them with mongod's.
 */

/** The fields a page stores beside its title, so that a search reads one index in order. */
export interface TitleIndex {
  /** Each distinct word once, see `entryOf`. A title without words has one empty entry. Absent: not indexed yet. */
  readonly titleTerms: string[];
  /** Number of words without stop words; 0 when the title is nothing but one word in its stem. */
  readonly titleLength: number;
}

/** More occurrences of a word in a title than this do not rank it higher. */
export const MOST_TIMES = 4;
/** A word ranks by its number of occurrences, so each number is an entry of its own. Words have no spaces. */
export const entryOf = (term: string, times: number): string =>
  times === 1 ? term : `${term} ${Math.min(times, MOST_TIMES)}`;

/** All entries that a title with the word may have. */
export const entriesOf = (term: string): string[] => Array.from({ length: MOST_TIMES }, (_, n) => entryOf(term, n + 1));

/** Entries of titles that have the word more than once. */
export const repeatedEntriesOf = (term: string): string[] => entriesOf(term).slice(1);

const STOP_WORDS = new Set(
  (
    `i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it ` +
    `its itself they them their theirs themselves what which who whom this that these those am is are was were be been ` +
    `being have has had having do does did doing would should could ought i'm you're he's she's it's we're they're i've ` +
    `you've we've they've i'd you'd he'd she'd we'd they'd i'll you'll he'll she'll we'll they'll isn't aren't wasn't ` +
    `weren't hasn't haven't hadn't doesn't don't didn't won't wouldn't shan't shouldn't can't cannot couldn't mustn't ` +
    `let's that's who's what's here's there's when's where's why's how's a an the and but if or because as until while ` +
    `of at by for with about against between into through during before after above below to from up down in out on off ` +
    `over under again further then once here there when where why how all any both each few more most other some such no ` +
    `nor not only own same so than too very`
  ).split(' '),
);

/** Characters between words; an apostrophe belongs to its word. */
const DELIMITERS =
  /(?:(?!')[\p{White_Space}\p{Dash}\p{Quotation_Mark}\p{Terminal_Punctuation}\p{Pattern_Syntax}\p{Sentence_Terminal}\u00ad\u30fb\uff65])+/u;
const DIACRITICS = /\p{Diacritic}/gu;
const ASCII = /^[\x00-\x7f]*$/;

/** Replaces a character by one character; it stays when it would become several. */
const single = (text: string, otherwise: string): string => ([...text].length === 1 ? text : otherwise);

/** The one letter that shares its capital with another. */
const DOTLESS_I = 'ı';

function foldedCharacter(character: string): string {
  if (character === DOTLESS_I) return character;
  const upper = single(character.toUpperCase(), character);
  return single(upper.toLowerCase(), character);
}

function plainCharacter(character: string): string {
  const plain = character.normalize('NFD').replace(DIACRITICS, '');
  return [...plain].length > 1 ? character : plain;
}

const mapped = (text: string, map: (character: string) => string): string => Array.from(text, map).join('');
const foldCase = (text: string): string => (ASCII.test(text) ? text.toLowerCase() : mapped(text, foldedCharacter));
const withoutDiacritics = (word: string): string => (ASCII.test(word) ? word : mapped(word, plainCharacter));

/** Folds a text for comparing phrases: without case and diacritics. */
export const foldText = (text: string): string => mapped(foldCase(text), plainCharacter);

/** The words of a text in order, without stop words. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const token of text.split(DELIMITERS)) {
    const word = foldCase(token);
    if (word !== '' && !STOP_WORDS.has(word)) words.push(withoutDiacritics(stem(word)));
  }
  return words;
}

const isNothingBut = (title: string, word: string): boolean =>
  Buffer.byteLength(title) === Buffer.byteLength(word) && title.toLowerCase() === word.toLowerCase();

export function titleIndexOf(title: string | null | undefined): TitleIndex {
  const words = wordsOf(title ?? '');
  const times = new Map<string, number>();
  for (const word of words) if (word !== '') times.set(word, (times.get(word) ?? 0) + 1);
  const [first] = words;
  return {
    titleTerms: times.size === 0 ? [''] : [...times].map(([term, count]) => entryOf(term, count)),
    titleLength: words.length === 1 && isNothingBut(title ?? '', first ?? '') ? 0 : words.length,
  };
}

/** Scores are whole numbers, so that their sums are exact. */
const SCALE = 1e9;

/**
 * The part of a word in a title's score, by MongoDB's formula. Each further occurrence adds half as much as the
 * previous one. A greater share of the title adds more, and a tenth is added when the word is the title.
 */
export function scoreOf(times: number, titleLength: number): number {
  if (titleLength === 0) return Math.round(1.1 * SCALE);
  const frequency = 2 - 2 ** (1 - times);
  return Math.round(frequency * (0.5 + (0.5 * times) / titleLength) * SCALE);
}
