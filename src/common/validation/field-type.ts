import type { Parsed } from './issue.js';

export type JsonSchema = Record<string, unknown>;

/** A class whose instances are request or response bodies; it becomes an OpenAPI component of its name. */
export type ModelClass<T = object> = new () => T;

/** Receives what a schema refers to, so that the document holds exactly the components in use. */
export interface SchemaRefs {
  model(model: ModelClass, use: 'input' | 'output'): JsonSchema;
  named(name: string, schema: JsonSchema): JsonSchema;
  readonly use: 'input' | 'output';
}

/**
 * How one value is read from outside and described in OpenAPI.
 * Conversions are those of accounts §1.3: lax where the contract is lax, with the contract's error types.
 */
export interface FieldType<T> {
  readonly parse: (value: unknown) => Parsed<T>;
  readonly schema: (refs: SchemaRefs) => JsonSchema;
  /** List of values that cannot hold a comma, so a query parameter may give several in one value (crawling §1.3). */
  readonly splitsCommas?: boolean;
  readonly isList?: boolean;
  /** Integers as JSON writes them, no other form of a number. */
  readonly isStrictInteger?: boolean;
}
