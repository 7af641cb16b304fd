import { accept, refuse, under, type Issue, type Parsed } from './issue.js';
import type { FieldType, ModelClass } from './field-type.js';
import { parseModel } from './model.js';
import { str } from './scalars.js';

/** `null` is accepted and stays null. */
export function nullable<T>(inner: FieldType<T>): FieldType<T | null> {
  return {
    parse: (value) => (value === null ? accept(null) : inner.parse(value)),
    schema: (refs) => {
      const { anyOf, ...rest } = inner.schema(refs) as { anyOf?: unknown[] };
      return { anyOf: [...(anyOf ?? [rest]), { type: 'null' }] };
    },
    splitsCommas: inner.splitsCommas,
    isList: inner.isList,
    isStrictInteger: inner.isStrictInteger,
  };
}

export interface ListRules {
  min?: number;
  max?: number;
  /** Values cannot hold a comma: a query parameter may give several in one value. */
  splitsCommas?: boolean;
}

export function list<T>(inner: FieldType<T>, rules: ListRules = {}): FieldType<T[]> {
  return {
    isList: true,
    splitsCommas: rules.splitsCommas,
    parse: (value): Parsed<T[]> => {
      if (!Array.isArray(value)) return refuse('list_type', 'Input should be a valid list', value);
      const { min, max } = rules;
      if (min !== undefined && value.length < min)
        return refuse(
          'too_short',
          `List should have at least ${min} item after validation, not ${value.length}`,
          value,
          {
            field_type: 'List',
            min_length: min,
            actual_length: value.length,
          },
        );
      if (max !== undefined && value.length > max)
        return refuse(
          'too_long',
          `List should have at most ${max} items after validation, not ${value.length}`,
          value,
          {
            field_type: 'List',
            max_length: max,
            actual_length: value.length,
          },
        );
      const issues: Issue[] = [];
      const values: T[] = [];
      value.forEach((entry: unknown, index) => {
        const parsed = inner.parse(entry);
        if (parsed.ok) values.push(parsed.value);
        else issues.push(...under([index], parsed.issues));
      });
      return issues.length > 0 ? { ok: false, issues } : accept(values);
    },
    schema: (refs) => ({
      items: inner.schema(refs),
      type: 'array',
      ...(rules.max === undefined ? {} : { maxItems: rules.max }),
      ...(rules.min === undefined ? {} : { minItems: rules.min }),
    }),
  };
}

/**
 * Several words of a query where the contract declares one text, comma-separated; clients repeat the key too.
 * Contract: web-client §1.1.
 */
export const commaList = (): FieldType<string[]> => ({ ...list(str(), { splitsCommas: true }), schema: str().schema });

/** An object used as a map; the key's meaning is said where the field is declared. */
export function mapOf<T>(inner: FieldType<T>): FieldType<Record<string, T>> {
  return {
    parse: (value): Parsed<Record<string, T>> => {
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        return refuse('dict_type', 'Input should be a valid dictionary', value);
      const issues: Issue[] = [];
      const entries: [string, T][] = [];
      for (const [key, entry] of Object.entries(value)) {
        const parsed = inner.parse(entry);
        if (parsed.ok) entries.push([key, parsed.value]);
        else issues.push(...under([key], parsed.issues));
      }
      return issues.length > 0 ? { ok: false, issues } : accept(Object.fromEntries(entries));
    },
    schema: (refs) => ({ additionalProperties: inner.schema(refs), type: 'object' }),
  };
}

/** The first alternative that accepts the value; if none does, the issues of the first. */
export function oneOf<T extends FieldType<unknown>[]>(
  ...alternatives: T
): FieldType<T[number] extends FieldType<infer V> ? V : never> {
  type Value = T[number] extends FieldType<infer V> ? V : never;
  return {
    parse: (value) => {
      const results = alternatives.map((alternative) => alternative.parse(value));
      return (results.find((result) => result.ok) ?? results[0]) as Parsed<Value>;
    },
    schema: (refs) => ({ anyOf: alternatives.map((alternative) => alternative.schema(refs)) }),
  };
}

/** A nested body of a declared class. */
export function model<T extends object>(of: () => ModelClass<T>): FieldType<T> {
  return {
    parse: (value) => parseModel(of(), value),
    schema: (refs) => refs.model(of(), refs.use),
  };
}

const quoted = (values: readonly (string | number)[]): string => {
  const texts = values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value)));
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}`;
};

function oneOfValues<V extends string | number>(values: readonly V[], type: 'enum' | 'literal_error') {
  const isNumeric = values.every((value) => typeof value === 'number');
  return (value: unknown): Parsed<V> => {
    const text = typeof value === 'string' ? value.trim() : '';
    const candidate = isNumeric && /^\d+(\.0*)?$/.test(text) ? Number(text) : value;
    const expected = quoted(values);
    return values.includes(candidate as V)
      ? accept(candidate as V)
      : refuse(type, `Input should be ${expected}`, value, { expected });
  };
}

/** A value of an enumeration that is an OpenAPI component of its own. */
export function enumOf<V extends string | number>(name: string, values: readonly V[]): FieldType<V> {
  return {
    parse: oneOfValues(values, 'enum'),
    schema: (refs) =>
      refs.named(name, { type: typeof values[0] === 'number' ? 'integer' : 'string', enum: [...values] }),
  };
}

/** One of some literal values, declared in place. */
export function literal<V extends string | number>(...values: readonly V[]): FieldType<V> {
  const type = typeof values[0] === 'number' ? 'integer' : 'string';
  return {
    parse: oneOfValues(values, 'literal_error'),
    schema: () => (values.length === 1 ? { type, const: values[0] } : { type, enum: [...values] }),
  };
}
