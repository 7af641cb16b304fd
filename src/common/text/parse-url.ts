/**
 * The parsed URL, or null. Workaround: `URL.canParse` of Node 20 answers false to valid URLs with Latin-1 characters
 * once it has been called often enough to be optimised (nodejs/node, fast API of canParse).
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
