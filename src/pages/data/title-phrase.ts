import { foldText } from './title-words.facts.js';

/** Marks beside letters, which comparison ignores. */
const MARKS = '[\\p{Mn}\\p{Sk}·]*';
/** The database takes patterns up to 32,764 bytes, so only the beginning of a longer phrase is compared. */
const LONGEST_PATTERN = 30_000;
const LAST_CHARACTER = 0xffff;

let spellings: Map<string, string> | undefined;

/** Maps each folded character to all characters that fold to it. */
function allSpellings(): Map<string, string> {
  const found = new Map<string, string>();
  for (let code = 0x41; code <= LAST_CHARACTER; code += 1) {
    const character = String.fromCharCode(code);
    const folded = foldText(character);
    if (folded !== '' && folded !== character) found.set(folded, (found.get(folded) ?? '') + character);
  }
  return found;
}

const escaped = (character: string): string => character.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&');

/**
 * A pattern of titles that have this text anywhere, whatever their case and diacritics, as MongoDB compares phrases.
 * The pattern replaces a folded copy of each title.
 */
export function phrasePattern(phrase: string): string {
  spellings ??= allSpellings();
  let pattern = '';
  for (const character of foldText(phrase)) {
    const others = spellings.get(character);
    const next = `${pattern === '' ? '' : MARKS}${others ? `[${escaped(character)}${others}]` : escaped(character)}`;
    if (Buffer.byteLength(pattern) + Buffer.byteLength(next) > LONGEST_PATTERN) break;
    pattern += next;
  }
  return pattern;
}
