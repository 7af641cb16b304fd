import { arrayMaxSize, arrayMinSize, isArray, isIn } from 'class-validator';
import {
  converted,
  demand,
  faultsOf,
  isOfKind,
  shownAs,
  written,
  type Demand,
  type Fault,
  type Kind,
  type KindOf,
  type ModelClass,
} from './kind.js';
import { NO_MODEL, instanceOf, isBody, issuesOf } from './parse-model.js';
import { modelRef, namedRef } from './references.js';
import { str } from './scalars.js';

/** Accepts `null` and keeps it. */
export function nullable<T>(of: KindOf<T>): Kind<T | null> {
  const inner = kindOf(of);
  return {
    ...inner,
    convert: (sent) => (sent === null ? null : converted(inner, sent)),
    demands: inner.demands.map((demand) => ({ ...demand, holds: (value) => value === null || demand.holds(value) })),
    schema: () => {
      const { anyOf, ...rest } = inner.schema() as { anyOf?: unknown[] };
      return { anyOf: [...(anyOf ?? [rest]), { type: 'null' }] };
    },
  };
}

/** A nested body of a declared class. */
export const model = <T extends object>(of: () => ModelClass<T>): Kind<T> => ({
  convert: (sent) => (isBody(sent) ? instanceOf(of(), sent) : sent),
  demands: [
    demand('isObject', (value) => value instanceof of(), NO_MODEL),
    { name: 'fields', holds: (value) => issuesOf(value as T).length === 0, faults: (value) => issuesOf(value as T) },
  ],
  schema: () => modelRef(of()),
});

/** Classes are named by arrow functions, because they may refer to each other. */
export const kindOf = <T>(of: KindOf<T>): Kind<T> => (typeof of === 'function' ? model(of) : of);

export interface ListRules {
  readonly min?: number;
  readonly max?: number;
  /** Set when values cannot hold a comma: a query parameter may then give several in one value. */
  readonly splitsCommas?: boolean;
}

const sizeOf = (value: unknown): number => (value as unknown[]).length;
const sizeFault = (type: string, bound: string, limit: Record<string, number>, value: unknown): Fault => ({
  type,
  msg: `List should have at ${bound} after validation, not ${sizeOf(value)}`,
  ctx: { field_type: 'List', ...limit, actual_length: sizeOf(value) },
});

function* listDemands(inner: Kind<unknown>, { min, max }: ListRules): Generator<Demand> {
  yield demand('isArray', isArray, { type: 'list_type', msg: 'Input should be a valid list' });
  if (min !== undefined)
    yield demand(
      'arrayMinSize',
      (value) => arrayMinSize(value, min),
      (value) => sizeFault('too_short', `least ${min} item`, { min_length: min }, value),
    );
  if (max !== undefined)
    yield demand(
      'arrayMaxSize',
      (value) => arrayMaxSize(value, max),
      (value) => sizeFault('too_long', `most ${max} items`, { max_length: max }, value),
    );
  yield {
    name: 'entries',
    holds: (value) => (value as unknown[]).every((entry) => isOfKind(inner, entry)),
    faults: (value) =>
      (value as unknown[]).flatMap((entry, index) =>
        faultsOf(inner, entry).map((fault) => ({ ...fault, loc: [index, ...(fault.loc ?? [])] })),
      ),
  };
}

export function list<T>(of: KindOf<T>, rules: ListRules = {}): Kind<T[]> {
  const inner = kindOf(of);
  return {
    isList: true,
    splitsCommas: rules.splitsCommas,
    convert: (sent) => (Array.isArray(sent) ? sent.map((entry) => converted(inner, entry)) : sent),
    demands: [...listDemands(inner, rules)],
    schema: () => ({
      items: inner.schema(),
      type: 'array',
      ...(rules.max === undefined ? {} : { maxItems: rules.max }),
      ...(rules.min === undefined ? {} : { minItems: rules.min }),
    }),
  };
}

/**
 * Several words of a query, comma-separated. The contract declares one text, but clients also repeat the key. Contract:
 * web-client §1.1.
 */
export const commaList = (): Kind<string[]> => shownAs(list(str(), { splitsCommas: true }), str());

/** An object used as a map. The field's own comment tells what the keys mean. */
export const mapOf = <T>(of: KindOf<T>): Kind<Record<string, T>> =>
  written(() => ({ additionalProperties: kindOf(of).schema(), type: 'object' }));

/** The union of the types that these kinds or classes are declared as. */
export type AnyKind<K extends readonly KindOf<unknown>[]> = {
  [I in keyof K]: K[I] extends () => ModelClass<infer T> ? T : K[I] extends Kind<infer T> ? T : never;
}[number];

/** Takes the first alternative that accepts the value. If none does, the faults are those of the first. */
export function anyOf<const K extends readonly KindOf<unknown>[]>(...of: K): Kind<AnyKind<K>> {
  const [first, ...others] = of.map(kindOf) as [Kind<unknown>, ...Kind<unknown>[]];
  const kinds = [first, ...others];
  const read = (sent: unknown): unknown => {
    const readings = kinds.map((kind) => converted(kind, sent));
    const fit = kinds.findIndex((kind, index) => isOfKind(kind, readings[index]));
    return fit < 0 ? sent : readings[fit];
  };
  return {
    convert: read,
    demands: [
      {
        name: 'anyOf',
        holds: (value) => kinds.some((kind) => isOfKind(kind, value)),
        faults: (value) => faultsOf(first, converted(first, value)),
      },
    ],
    schema: () => ({ anyOf: kinds.map((kind) => kind.schema()) }),
  };
}

const quoted = (values: readonly (string | number)[]): string => {
  const texts = values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value)));
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}`;
};

const isNumeric = (values: readonly unknown[]): boolean => typeof values[0] === 'number';

function oneOfValues(values: readonly (string | number)[], type: 'enum' | 'literal_error') {
  const expected = quoted(values);
  const toNumber = (sent: unknown): unknown => {
    const text = typeof sent === 'string' ? sent.trim() : '';
    return /^\d+(\.0*)?$/.test(text) ? Number(text) : sent;
  };
  return {
    convert: isNumeric(values) ? toNumber : undefined,
    demands: [
      demand('isIn', (value) => isIn(value, values), { type, msg: `Input should be ${expected}`, ctx: { expected } }),
    ],
  };
}

/** A value of an enumeration that is its own OpenAPI component. */
export const enumOf = <V extends string | number>(name: string, values: readonly V[]): Kind<V> => ({
  ...oneOfValues(values, 'enum'),
  schema: () => namedRef(name, () => ({ type: isNumeric(values) ? 'integer' : 'string', enum: [...values] })),
});

/** One of some literal values, declared in place. */
export const literal = <V extends string | number>(values: readonly V[]): Kind<V> => ({
  ...oneOfValues(values, 'literal_error'),
  schema: () => ({
    type: isNumeric(values) ? 'integer' : 'string',
    ...(values.length === 1 ? { const: values[0] } : { enum: [...values] }),
  }),
});
