/**
 * Some query texts are percent-decoded once more than HTTP does, because clients encode them twice; text that cannot be
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
