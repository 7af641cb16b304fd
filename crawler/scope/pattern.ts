import { createContext, Script } from 'node:vm';
import { RE2JS } from 're2js';

/** URLs beyond this length are matched by their first characters only: a pattern's cost must stay bounded. */
const MAX_MATCH_CHARS = 4_096;
/** A pattern outside the linear-time engine may take this long for one URL... */
const FALLBACK_TIMEOUT_MS = 100;
/** ...and is switched off after this many URLs that took longer. */
const FALLBACK_STRIKES = 3;

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

/**
 * Compiles a user's regular expression. RE2 runs in linear time and covers all of JavaScript's syntax but look-ahead
 * and back-references. Those run in V8 inside a time limit per URL; a pattern that exceeds it three times matches
 * nothing from then on and `onDisabled` is called.
 * @throws InvalidPattern when JavaScript itself would refuse it.
 */
export function compilePattern(source: string, onDisabled?: (source: string) => void): Pattern {
  try {
    new RegExp(source);
  } catch (error) {
    throw new InvalidPattern(source, error instanceof Error ? error.message : String(error));
  }
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
  const context = createContext({ source, text: '' });
  new Script('rx = new RegExp(source)').runInContext(context);
  const script = new Script('rx.test(text)');
  let strikes = 0;
  return {
    source,
    test(text) {
      if (strikes >= FALLBACK_STRIKES) return false;
      context['text'] = text.slice(0, MAX_MATCH_CHARS);
      try {
        return script.runInContext(context, { timeout: FALLBACK_TIMEOUT_MS }) as boolean;
      } catch {
        if (++strikes === FALLBACK_STRIKES) onDisabled?.(source);
        return false;
      }
    },
  };
}

/** A config value that may be one string, several or nothing; empty strings are no patterns. */
export function asList(value: string | string[] | null | undefined): string[] {
  if (value === null || value === undefined) return [];
  return (Array.isArray(value) ? value : [value]).filter((item) => item !== '');
}
