import { accept, refuse, type Parsed } from './issue.js';
import type { FieldType } from './field-type.js';

const plural = (n: number): string => (n === 1 ? '' : 's');
const codePoints = (s: string): number => [...s].length;

export interface StringRules {
  min?: number;
  max?: number;
  pattern?: RegExp;
}

export function parseString(value: unknown, rules: StringRules = {}): Parsed<string> {
  if (typeof value !== 'string') return refuse('string_type', 'Input should be a valid string', value);
  const length = codePoints(value);
  const { min, max, pattern } = rules;
  if (min !== undefined && length < min)
    return refuse('string_too_short', `String should have at least ${min} character${plural(min)}`, value, {
      min_length: min,
    });
  if (max !== undefined && length > max)
    return refuse('string_too_long', `String should have at most ${max} character${plural(max)}`, value, {
      max_length: max,
    });
  if (pattern && !pattern.test(value))
    return refuse('string_pattern_mismatch', `String should match pattern '${pattern.source}'`, value, {
      pattern: pattern.source,
    });
  return accept(value);
}

/** Text; lengths count Unicode code points. */
export function str(rules: StringRules = {}): FieldType<string> {
  return {
    parse: (value) => parseString(value, rules),
    schema: () => ({
      type: 'string',
      ...(rules.max === undefined ? {} : { maxLength: rules.max }),
      ...(rules.min === undefined ? {} : { minLength: rules.min }),
      ...(rules.pattern ? { pattern: rules.pattern.source } : {}),
    }),
  };
}

export interface IntegerRules {
  min?: number;
  max?: number;
  /** Accept JSON integers only: no strings, booleans or floats (crawling §1.3). */
  strict?: boolean;
}

const INTEGER_TEXT = /^\s*[+-]?\d+(?:\.0*)?\s*$/;
const INT_PARSING = 'Input should be a valid integer, unable to parse string as an integer';

function toInteger(value: unknown, strict: boolean): Parsed<number> {
  if (typeof value === 'number') {
    if (Number.isInteger(value)) return accept(value);
    if (strict) return refuse('int_type', 'Input should be a valid integer', value);
    if (!Number.isFinite(value)) return refuse('finite_number', 'Input should be a finite number', value);
    return refuse('int_from_float', 'Input should be a valid integer, got a number with a fractional part', value);
  }
  if (strict) return refuse('int_type', 'Input should be a valid integer', value);
  if (typeof value === 'boolean') return accept(value ? 1 : 0);
  if (typeof value !== 'string') return refuse('int_type', 'Input should be a valid integer', value);
  if (!INTEGER_TEXT.test(value)) return refuse('int_parsing', INT_PARSING, value);
  const number = Number(value.trim());
  return Number.isSafeInteger(number) ? accept(number) : refuse('int_parsing_size', INT_PARSING, value);
}

function withinRange(number: number, rules: { min?: number; max?: number }, input: unknown): Parsed<number> {
  if (rules.min !== undefined && number < rules.min)
    return refuse('greater_than_equal', `Input should be greater than or equal to ${rules.min}`, input, {
      ge: rules.min,
    });
  if (rules.max !== undefined && number > rules.max)
    return refuse('less_than_equal', `Input should be less than or equal to ${rules.max}`, input, { le: rules.max });
  return accept(number);
}

/** `min` and `max` are inclusive. */
export function int(rules: IntegerRules = {}): FieldType<number> {
  return {
    parse: (value) => {
      const parsed = toInteger(value, rules.strict ?? false);
      return parsed.ok ? withinRange(parsed.value, rules, value) : parsed;
    },
    schema: () => ({
      type: 'integer',
      ...(rules.max === undefined ? {} : { maximum: rules.max }),
      ...(rules.min === undefined ? {} : { minimum: rules.min }),
    }),
    isStrictInteger: rules.strict,
  };
}

/** `min` and `max` are inclusive. */
export function num(rules: { min?: number; max?: number } = {}): FieldType<number> {
  return {
    parse: (value) => {
      const number = typeof value === 'boolean' ? Number(value) : value;
      if (typeof number === 'number') return withinRange(number, rules, value);
      if (typeof number !== 'string') return refuse('float_type', 'Input should be a valid number', value);
      const text = number.trim();
      const converted = Number(text);
      return text !== '' && Number.isFinite(converted) && !/^[+-]?0[xob]/i.test(text)
        ? withinRange(converted, rules, value)
        : refuse('float_parsing', 'Input should be a valid number, unable to parse string as a number', value);
    },
    schema: () => ({
      type: 'number',
      ...(rules.max === undefined ? {} : { maximum: rules.max }),
      ...(rules.min === undefined ? {} : { minimum: rules.min }),
    }),
  };
}

const TRUE_WORDS = new Set(['true', 't', 'yes', 'y', 'on', '1']);
const FALSE_WORDS = new Set(['false', 'f', 'no', 'n', 'off', '0']);

export function bool(): FieldType<boolean> {
  return {
    parse: (value) => {
      if (typeof value === 'boolean') return accept(value);
      if (value === 1 || value === 0) return accept(value === 1);
      if (typeof value === 'string') {
        const word = value.toLowerCase();
        if (TRUE_WORDS.has(word)) return accept(true);
        if (FALSE_WORDS.has(word)) return accept(false);
      }
      return typeof value === 'string' || typeof value === 'number'
        ? refuse('bool_parsing', 'Input should be a valid boolean, unable to interpret input', value)
        : refuse('bool_type', 'Input should be a valid boolean', value);
    },
    schema: () => ({ type: 'boolean' }),
  };
}

/** Any JSON value, passed through; for free-form objects. */
export function anything(): FieldType<unknown> {
  return { parse: accept, schema: () => ({}) };
}

/** Any JSON object, passed through. */
export function anyObject(): FieldType<Record<string, unknown>> {
  return {
    parse: (value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? accept(value as Record<string, unknown>)
        : refuse('dict_type', 'Input should be a valid dictionary', value),
    schema: () => ({ type: 'object', additionalProperties: true }),
  };
}
