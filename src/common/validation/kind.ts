import type { Loc } from './issue.js';

export type JsonSchema = Record<string, unknown>;

/** A class of request or response bodies. It becomes an OpenAPI component of its name. */
export type ModelClass<T = object> = new () => T;

/** What the contract answers for a refused value (accounts §1.5). */
export interface Fault {
  readonly type: string;
  readonly msg: string;
  readonly ctx?: Record<string, unknown>;
  /** Path from the value to its wrong part. */
  readonly loc?: Loc;
  /** The offending input, if it is not the value at `loc`. */
  readonly input?: unknown;
}

/** A constraint of class-validator. Its context holds the contract's words for a value that breaks it. */
export interface Demand {
  readonly name: string;
  readonly holds: (value: unknown) => boolean;
  readonly faults: (value: unknown) => readonly Fault[];
}

/**
 * How one value is read from outside and described in OpenAPI. It is lax where accounts §1.3 is lax.
 * @typeParam T what a field of this kind is declared as
 */
export interface Kind<T> {
  /** Exists for the type only; no kind has it. */
  readonly reads?: T;
  /** Converts the sent value. One that cannot be converted is returned unchanged, for the demands to refuse. */
  readonly convert?: (sent: unknown) => unknown;
  /** Checked in this order. Only the first that does not hold is told. */
  readonly demands: readonly Demand[];
  readonly schema: () => JsonSchema;
  readonly isList?: boolean;
  /** A list of values that cannot hold a comma, so a query parameter may give several in one value (crawling §1.3). */
  readonly splitsCommas?: boolean;
  /** Accepts only integers as JSON writes them, no other form of a number. */
  readonly isStrictInteger?: boolean;
}

/** A kind, or a nested class. */
export type KindOf<T> = Kind<T> | (() => ModelClass<T & object>);

/** A demand that has the same words for every break of it. */
export const demand = (
  name: string,
  holds: (value: unknown) => boolean,
  fault: Fault | ((value: unknown) => Fault),
): Demand => ({ name, holds, faults: (value) => [typeof fault === 'function' ? fault(value) : fault] });

/** @returns the faults of the first demand that does not hold; none when the converted value is accepted */
export const faultsOf = ({ demands }: Kind<unknown>, value: unknown): readonly Fault[] =>
  demands.find(({ holds }) => !holds(value))?.faults(value) ?? [];

export const isOfKind = ({ demands }: Kind<unknown>, value: unknown): boolean =>
  demands.every(({ holds }) => holds(value));

export const converted = ({ convert }: Kind<unknown>, sent: unknown): unknown => (convert ? convert(sent) : sent);

/** A kind that the contract's document shows as another kind. */
export const shownAs = <T>(kind: Kind<T>, { schema }: Kind<unknown>): Kind<T> => ({ ...kind, schema });

const NEVER_READ: Demand = {
  name: 'written',
  holds: () => {
    throw new TypeError('this is only written, never read');
  },
  faults: () => [],
};

/** A kind that occurs in answers only. */
export const written = <T>(schema: Kind<T>['schema']): Kind<T> => ({ demands: [NEVER_READ], schema });
