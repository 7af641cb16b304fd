import { applyDecorators } from '@nestjs/common';
import { Expose, Transform, type TransformFnParams } from 'class-transformer';
import { ValidateBy, ValidateIf } from 'class-validator';
import { anyOf, enumOf, kindOf, list, literal, mapOf, nullable, type AnyKind, type ListRules } from './composites.js';
import * as formats from './formats.js';
import { remembered } from './declared-fields.js';
import { converted, type Demand, type Kind, type KindOf, type ModelClass } from './kind.js';
import type { ContractWords, Sent } from './parse-model.js';
import * as scalars from './scalars.js';

/** Options of every field. An initialiser is the field's default; a field without one is required. */
export interface FieldOptions {
  readonly nullable?: boolean;
  /** An absent value stays `undefined`. The handler says what that means. */
  readonly optional?: boolean;
  readonly deprecated?: boolean;
  /** What the field is, where no comment on it can say so. */
  readonly what?: string;
}

type Read<T, O> =
  T | (O extends { nullable: true } ? null : never) | (O extends { optional: true } ? undefined : never);
type IsSame<A, B> = [A] extends [B] ? ([B] extends [A] ? unknown : Misfit<A, B>) : Misfit<A, B>;

/** The compiler's message names it when a decorator and its property have different types. */
export interface Misfit<Decorator, Property> {
  readonly decorator: Decorator;
  readonly property: Property;
}

/** A decorator that fits only properties of the type that it reads. */
export type FieldOf<V> = <T extends object, K extends keyof T>(target: T, key: K & IsSame<V, T[K]>) => void;

const read =
  (kind: Kind<unknown>) =>
  ({ value, key }: TransformFnParams): unknown =>
    typeof value === 'function' ? converted(kind, (value as Sent)()[key]) : (value as unknown);

/** The message is needed for class-validator to give a context, which makes the contract's message. */
const constraint = ({ name, holds, faults }: Demand): PropertyDecorator =>
  ValidateBy(
    { name, validator: { validate: holds, defaultMessage: () => name } },
    { context: { faults } satisfies ContractWords },
  );

function field<V>(plain: Kind<unknown>, options: FieldOptions = {}): FieldOf<V> {
  const { nullable: isNullable = false, optional: isOptional = false, deprecated: isDeprecated = false } = options;
  const isGiven = (_: object, value: unknown): boolean =>
    !(value === null && isNullable) && !(value === undefined && isOptional);
  return applyDecorators(
    remembered({ kind: isNullable ? nullable(plain) : plain, isDeprecated, isOptional, what: options.what }),
    Expose(),
    Transform(read(plain), { toClassOnly: true }),
    ...(isNullable || isOptional ? [ValidateIf(isGiven)] : []),
    ...plain.demands.map(constraint),
  ) as FieldOf<V>;
}

type Plain = Record<never, never>;

/** A field of a kind that a room declares itself. */
export const Of = <T, const O extends FieldOptions = Plain>(of: Kind<T>, options?: O): FieldOf<Read<T, O>> =>
  field(of, options);

/** Makes the decorator of a kind. The kind's own rules are given among the field's options. */
const fieldOf =
  <T, Rules extends object>(kind: (rules?: Rules) => Kind<T>) =>
  <const O extends FieldOptions & Rules = Plain & Rules>(options?: O): FieldOf<Read<T, O>> =>
    field(kind(options), options);

export const Str = fieldOf(scalars.str);
export const Int = fieldOf(scalars.int);
export const Num = fieldOf(scalars.num);
export const Bool = fieldOf(scalars.bool);
export const AnyObject = fieldOf(scalars.anyObject);
export const Uuid = fieldOf(formats.uuid);
export const ItemId = fieldOf(formats.itemId);
export const BrowserId = fieldOf(formats.browserId);
/** A time in a request. */
export const DateTime = fieldOf(formats.dateTime);
/** A time in an answer. */
export const TimeText = fieldOf(formats.timeText);
export const HttpUrlText = fieldOf(formats.httpUrlText);
export const Email = fieldOf(formats.email);

/** One of these values. */
export const OneOf = <const V extends string | number, const O extends FieldOptions = Plain>(
  values: readonly V[],
  options?: O,
): FieldOf<Read<V, O>> => field(literal(values), options);

/** A value of an enumeration that is its own OpenAPI component. */
export const Enum = <const V extends string | number, const O extends FieldOptions = Plain>(
  name: string,
  values: readonly V[],
  options?: O,
): FieldOf<Read<V, O>> => field(enumOf(name, values), options);

export const ListOf = <T, const O extends FieldOptions & ListRules = Plain>(
  of: KindOf<T>,
  options?: O,
): FieldOf<Read<T[], O>> => field(list(of, options), options);

/** An object whose keys are data. */
export const MapOf = <T, const O extends FieldOptions = Plain>(
  of: KindOf<T>,
  options?: O,
): FieldOf<Read<Record<string, T>, O>> => field(mapOf(of), options);

/** The first of these kinds that accepts the value. */
export const AnyOf = <const K extends readonly KindOf<unknown>[], const O extends FieldOptions = Plain>(
  kinds: K,
  options?: O,
): FieldOf<Read<AnyKind<K>, O>> => field(anyOf(...kinds), options);

/** A nested body. */
export const Nested = <T extends object, const O extends FieldOptions = Plain>(
  of: () => ModelClass<T>,
  options?: O,
): FieldOf<Read<T, O>> => field(kindOf(of), options);
