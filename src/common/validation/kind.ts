import type { Loc } from './issue.js';

export type JsonSchema = Record<string, unknown>;

/** A class whose instances are request or response bodies; it becomes an OpenAPI component of its name. */
export type ModelClass<T = object> = new () => T;

/** What the contract says of a value that is refused (accounts §1.5). */
export interface Fault {
  readonly type: string;
  readonly msg: string;
  readonly ctx?: Record<string, unknown>;
  /** Leads from the value to the part of it that is wrong. */
  readonly loc?: Loc;
  /** What was sent, where that is not what stands at `loc`. */
  readonly input?: unknown;
}

/** A constraint of class-validator with the words of the contract for what breaks it, which are the constraint's context. */
export interface Demand {
  readonly name: string;
  readonly holds: (value: unknown) => boolean;
  readonly faults: (value: unknown) => readonly Fault[];
}

/**
 * How one value is read from outside and described in OpenAPI: lax where accounts §1.3 is lax.
 * @typeParam T what a field of this kind is declared as
 */
export interface Kind<T> {
  /** Carries the type alone; no kind has it. */
  readonly reads?: T;
  /** What the value's spelling stands for; a value that stands for none is left as it came, for the demands to refuse. */
  readonly convert?: (sent: unknown) => unknown;
  /** In this order; the first that does not hold is told. */
  readonly demands: readonly Demand[];
  readonly schema: () => JsonSchema;
  readonly isList?: boolean;
  /** List of values that cannot hold a comma, so a query parameter may give several in one value (crawling §1.3). */
  readonly splitsCommas?: boolean;
  /** Integers as JSON writes them, no other form of a number. */
  readonly isStrictInteger?: boolean;
}

/** A kind, or a nested class in its place. */
export type KindOf<T> = Kind<T> | (() => ModelClass<T & object>);

/** A demand that every break of is told in the same words. */
export const demand = (
  name: string,
  holds: (value: unknown) => boolean,
  fault: Fault | ((value: unknown) => Fault),
): Demand => ({ name, holds, faults: (value) => [typeof fault === 'function' ? fault(value) : fault] });

/** @returns what is wrong with a converted value by the first demand that does not hold; none: it is accepted */
export const faultsOf = ({ demands }: Kind<unknown>, value: unknown): readonly Fault[] =>
  demands.find(({ holds }) => !holds(value))?.faults(value) ?? [];

export const isOfKind = ({ demands }: Kind<unknown>, value: unknown): boolean =>
  demands.every(({ holds }) => holds(value));

export const converted = ({ convert }: Kind<unknown>, sent: unknown): unknown => (convert ? convert(sent) : sent);

/** A kind that the contract's document shows as another. */
export const shownAs = <T>(kind: Kind<T>, { schema }: Kind<unknown>): Kind<T> => ({ ...kind, schema });

const NEVER_READ: Demand = {
  name: 'written',
  holds: () => {
    throw new TypeError('this is only written, never read');
  },
  faults: () => [],
};

/** What stands in answers alone. */
export const written = <T>(schema: Kind<T>['schema']): Kind<T> => ({ demands: [NEVER_READ], schema });
