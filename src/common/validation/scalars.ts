import { isBoolean, isString, matches, max as atMost, min as atLeast } from 'class-validator';
import { demand, written, type Demand, type Kind } from './kind.js';

const plural = (n: number): string => (n === 1 ? '' : 's');
const codePoints = (value: unknown): number => [...(value as string)].length;

export interface StringRules {
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: RegExp;
}

export const IS_TEXT = demand('isString', isString, { type: 'string_type', msg: 'Input should be a valid string' });

function* textDemands({ min, max, pattern }: StringRules): Generator<Demand> {
  yield IS_TEXT;
  if (min !== undefined)
    yield demand('minLength', (value) => codePoints(value) >= min, {
      type: 'string_too_short',
      msg: `String should have at least ${min} character${plural(min)}`,
      ctx: { min_length: min },
    });
  if (max !== undefined)
    yield demand('maxLength', (value) => codePoints(value) <= max, {
      type: 'string_too_long',
      msg: `String should have at most ${max} character${plural(max)}`,
      ctx: { max_length: max },
    });
  if (pattern)
    yield demand('matches', (value) => matches(value as string, pattern), {
      type: 'string_pattern_mismatch',
      msg: `String should match pattern '${pattern.source}'`,
      ctx: { pattern: pattern.source },
    });
}

/** Text. Lengths count Unicode code points. */
export function str(rules: StringRules = {}): Kind<string> {
  return {
    demands: [...textDemands(rules)],
    schema: () => ({
      type: 'string',
      ...(rules.max === undefined ? {} : { maxLength: rules.max }),
      ...(rules.min === undefined ? {} : { minLength: rules.min }),
      ...(rules.pattern ? { pattern: rules.pattern.source } : {}),
    }),
  };
}

export interface NumberRules {
  /** Inclusive, as `max`. */
  readonly min?: number;
  readonly max?: number;
}

function* rangeDemands({ min, max }: NumberRules): Generator<Demand> {
  if (min !== undefined)
    yield demand('min', (value) => atLeast(value, min), {
      type: 'greater_than_equal',
      msg: `Input should be greater than or equal to ${min}`,
      ctx: { ge: min },
    });
  if (max !== undefined)
    yield demand('max', (value) => atMost(value, max), {
      type: 'less_than_equal',
      msg: `Input should be less than or equal to ${max}`,
      ctx: { le: max },
    });
}

const rangeSchema = ({ min, max }: NumberRules) => ({
  ...(max === undefined ? {} : { maximum: max }),
  ...(min === undefined ? {} : { minimum: min }),
});

export interface IntegerRules extends NumberRules {
  /** Accept JSON integers only: no strings, booleans or floats (crawling §1.3). */
  readonly strict?: boolean;
}

const INTEGER_TEXT = /^\s*[+-]?\d+(?:\.0*)?\s*$/;
const NOT_INTEGER = { type: 'int_type', msg: 'Input should be a valid integer' };

function toInteger(sent: unknown): unknown {
  if (typeof sent === 'boolean') return sent ? 1 : 0;
  if (typeof sent !== 'string' || !INTEGER_TEXT.test(sent)) return sent;
  const number = Number(sent.trim());
  return Number.isSafeInteger(number) ? number : sent;
}

const IS_INTEGER = demand('isInt', Number.isInteger, (value) => {
  if (typeof value === 'string') {
    const msg = 'Input should be a valid integer, unable to parse string as an integer';
    return { type: INTEGER_TEXT.test(value) ? 'int_parsing_size' : 'int_parsing', msg };
  }
  if (typeof value !== 'number') return NOT_INTEGER;
  return Number.isFinite(value)
    ? { type: 'int_from_float', msg: 'Input should be a valid integer, got a number with a fractional part' }
    : { type: 'finite_number', msg: 'Input should be a finite number' };
});

export function int({ strict, ...range }: IntegerRules = {}): Kind<number> {
  return {
    convert: strict ? undefined : toInteger,
    demands: [strict ? demand('isInt', Number.isInteger, NOT_INTEGER) : IS_INTEGER, ...rangeDemands(range)],
    schema: () => ({ type: 'integer', ...rangeSchema(range) }),
    isStrictInteger: strict,
  };
}

function toNumber(sent: unknown): unknown {
  if (typeof sent === 'boolean') return Number(sent);
  if (typeof sent !== 'string') return sent;
  const text = sent.trim();
  const number = Number(text);
  return text !== '' && Number.isFinite(number) && !/^[+-]?0[xob]/i.test(text) ? number : sent;
}

const isNumber = (value: unknown): boolean => typeof value === 'number';
const IS_NUMBER = demand('isNumber', isNumber, (value) =>
  typeof value === 'string'
    ? { type: 'float_parsing', msg: 'Input should be a valid number, unable to parse string as a number' }
    : { type: 'float_type', msg: 'Input should be a valid number' },
);

export function num(range: NumberRules = {}): Kind<number> {
  return {
    convert: toNumber,
    demands: [IS_NUMBER, ...rangeDemands(range)],
    schema: () => ({ type: 'number', ...rangeSchema(range) }),
  };
}

const TRUE_WORDS = new Set<unknown>(['true', 't', 'yes', 'y', 'on', '1', 1]);
const FALSE_WORDS = new Set<unknown>(['false', 'f', 'no', 'n', 'off', '0', 0]);

function toBoolean(sent: unknown): unknown {
  const word = typeof sent === 'string' ? sent.toLowerCase() : sent;
  return TRUE_WORDS.has(word) || (FALSE_WORDS.has(word) ? false : sent);
}

const IS_BOOLEAN = demand('isBoolean', isBoolean, (value) =>
  typeof value === 'string' || typeof value === 'number'
    ? { type: 'bool_parsing', msg: 'Input should be a valid boolean, unable to interpret input' }
    : { type: 'bool_type', msg: 'Input should be a valid boolean' },
);

export const bool = (): Kind<boolean> => ({
  convert: toBoolean,
  demands: [IS_BOOLEAN],
  schema: () => ({ type: 'boolean' }),
});

/** Any JSON value. */
export const anything = (): Kind<unknown> => written(() => ({}));

/** Any JSON object. */
export const anyObject = (): Kind<Record<string, unknown>> =>
  written(() => ({ type: 'object', additionalProperties: true }));
