/**
 * Decodes percent-encoding once more than HTTP does, because clients encode some query texts twice. Text that cannot be
 * decoded stays as it is. Contract: crawling §1.3.
 */
export function decodedOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A query text that may be missing; an empty one counts as missing. */
export const givenText = (text: string | null | undefined): string | null => (text ? decodedOnce(text) : null);
