const SPECIAL = /[.*+?^${}()|[\]\\]/g;

/** The regular expression of a text that an address contains. */
export const patternOf = (text: string): string => text.replace(SPECIAL, '\\$&');

/** The text that a pattern stands for when it is nothing but an escaped text; null for other patterns. */
export function literalOf(pattern: string): string | null {
  const text = pattern.replace(/\\([.*+?^${}()|[\]\\/-])/g, '$1');
  return patternOf(text) === pattern.replace(/\\([/-])/g, '$1') ? text : null;
}

/** Says why a browser refuses the regular expression; null when it is one. */
export function regexProblem(source: string): string | null {
  try {
    new RegExp(source);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
