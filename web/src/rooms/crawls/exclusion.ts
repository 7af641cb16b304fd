/** What a person wants to exclude: addresses that contain a text, or that a regular expression finds. */
export interface Wish {
  readonly kind: 'text' | 'regex';
  readonly text: string;
}

export const escapeRegex = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The regular expression of a wish, as the API takes it. */
export const patternOf = ({ kind, text }: Wish): string => (kind === 'text' ? escapeRegex(text.trim()) : text.trim());

export function isValidRegex(pattern: string): boolean {
  try {
    return new RegExp(pattern) instanceof RegExp;
  } catch {
    return false;
  }
}
