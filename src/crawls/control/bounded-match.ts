import { createContext, Script } from 'node:vm';
import { InvalidRegex } from '../crawls.errors.js';

/** Long enough for thousands of ordinary matches, short enough not to be noticed by other requests. */
const MAX_MATCHING_MS = 100;

const MATCH = new Script('urls.filter((url) => pattern.test(url))');

/** @throws InvalidRegex for what JavaScript doesn't read as a regular expression, which crawlers use */
export function readRegex(source: string): RegExp {
  try {
    return new RegExp(source);
  } catch (error) {
    if (error instanceof SyntaxError) throw new InvalidRegex();
    throw error;
  }
}

/**
 * The URLs that a user's regular expression finds something in. One that backtracks without end is ended after a
 * moment instead of holding the process up.
 * @throws InvalidRegex when the time is over
 */
export function matching(urls: readonly string[], pattern: RegExp): string[] {
  if (urls.length === 0) return [];
  try {
    const found: unknown = MATCH.runInContext(createContext({ urls, pattern }), { timeout: MAX_MATCHING_MS });
    return found as string[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw new InvalidRegex();
    throw error;
  }
}
