/** An address as people write it: without a scheme it is one of https. Null for what is none. */
export function addressOf(text: string): string | null {
  const trimmed = text.trim();
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  try {
    const url = new URL(whole);
    const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
    return isWeb && (url.hostname.includes('.') || url.hostname === 'localhost' || url.hostname.includes(':'))
      ? whole
      : null;
  } catch {
    return null;
  }
}

const lines = (text: string): string[] =>
  text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The addresses of a text, one a line, each once. What is no address stays as it is, to be told of. */
export const addressesOf = (text: string): string[] => [...new Set(lines(text).map((line) => addressOf(line) ?? line))];

/** The lines that are no addresses. */
export const strangeLines = (text: string): string[] => lines(text).filter((line) => addressOf(line) === null);
