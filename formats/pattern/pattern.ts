import { createContext, Script } from 'node:vm';
import { RE2JS } from 're2js';

/** Only this many first characters of a URL are matched, to bound the cost of a pattern. */
const MAX_MATCH_CHARS = 4_096;
/** How long a pattern outside the linear-time engine may take for one URL or one list of URLs. */
const LIMIT_MS = 100;
/** After this many URLs that took longer than `LIMIT_MS`, a pattern is switched off. */
const LIMIT_STRIKES = 3;

/** A user's regular expression that can be run on any URL without the risk of a stuck process. */
export interface Pattern {
  readonly source: string;
  test(text: string): boolean;
}

export class InvalidPattern extends Error {
  constructor(
    readonly source: string,
    reason: string,
  ) {
    super(`invalid regular expression ${JSON.stringify(source)}: ${reason}`);
  }
}

/** A pattern was stopped while it went over a list of texts. */
export class PatternTooSlow extends Error {}

/** Says why JavaScript refuses the regular expression; null when it is valid. */
export function syntaxError(source: string): string | null {
  try {
    new RegExp(source);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** @throws InvalidPattern when JavaScript refuses the pattern */
function checkSyntax(source: string): void {
  const refusal = syntaxError(source);
  if (refusal !== null) throw new InvalidPattern(source, refusal);
}

/**
 * Compiles a user's regular expression. RE2 runs in linear time and covers all of JavaScript's syntax but look-ahead
 * and back-references. Patterns with these run in V8 inside a time limit per URL; a pattern that exceeds it three times
 * matches nothing from then on and `onDisabled` is called.
 * @throws InvalidPattern
 */
export function compilePattern(source: string, onDisabled?: (source: string) => void): Pattern {
  checkSyntax(source);
  return linearPattern(source) ?? limitedPattern(source, onDisabled);
}

function linearPattern(source: string): Pattern | null {
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(source), RE2JS.LOOKBEHINDS);
    return { source, test: (text) => compiled.matcher(text.slice(0, MAX_MATCH_CHARS)).find() };
  } catch {
    return null;
  }
}

function limitedPattern(source: string, onDisabled?: (source: string) => void): Pattern {
  const matching = limitedMatcher(source);
  let strikes = 0;
  return {
    source,
    test(text) {
      if (strikes >= LIMIT_STRIKES) return false;
      try {
        return matching([text]).length > 0;
      } catch {
        if (++strikes === LIMIT_STRIKES) onDisabled?.(source);
        return false;
      }
    },
  };
}

/**
 * Returns a function that picks the texts that V8 matches with the regular expression, all in one call. A time limit
 * stops a pattern that back-tracks without end, so that it cannot hold up the process.
 * @throws InvalidPattern; the returned function throws PatternTooSlow when the time is over
 */
export function limitedMatcher(source: string): (texts: readonly string[]) => string[] {
  checkSyntax(source);
  const context = createContext({ source, texts: '' });
  new Script('rx = new RegExp(source)').runInContext(context);
  // Texts go in and answers come out as one string, so that the script reaches nothing of this realm.
  const script = new Script('JSON.parse(texts).map((text) => (rx.test(text) ? 1 : 0)).join("")');
  return (texts) => {
    context['texts'] = JSON.stringify(texts.map((text) => text.slice(0, MAX_MATCH_CHARS)));
    try {
      const found = script.runInContext(context, { timeout: LIMIT_MS }) as string;
      return texts.filter((_text, i) => found[i] === '1');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      throw new PatternTooSlow(`regular expression ${JSON.stringify(source)} takes too long`);
    }
  };
}

/** Turns a config value that may be one string, several or none into a list without empty strings. */
export function asList(value: string | string[] | null | undefined): string[] {
  if (value === null || value === undefined) return [];
  return (Array.isArray(value) ? value : [value]).filter((item) => item !== '');
}
