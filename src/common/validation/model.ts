import { Expose, Transform, plainToInstance, type TransformFnParams } from 'class-transformer';
import { ValidateBy, validateSync, type ValidationError } from 'class-validator';
import { accept, refuse, under, type Issue, type Parsed } from './issue.js';
import type { FieldType, ModelClass } from './field-type.js';

export interface FieldOptions {
  /** Value of an absent field. A field with no default and not `optional` is required. `null` is not shown in OpenAPI. */
  default?: unknown;
  /** Absent stays `undefined`; the handler says what that means. */
  optional?: boolean;
  deprecated?: boolean;
  /** Shown in OpenAPI where it differs from the default that is applied, e.g. one that is computed. */
  shownDefault?: unknown;
}

export interface DeclaredField extends FieldOptions {
  readonly name: string;
  readonly type: FieldType<unknown>;
}

const FIELDS = Symbol('declared fields');
/** Stands for a value that was refused until class-validator reports it. */
class Refused {
  constructor(readonly issues: readonly Issue[]) {}
}

const ownFields = (target: object): Map<string, DeclaredField> => {
  if (!Object.hasOwn(target, FIELDS)) Object.defineProperty(target, FIELDS, { value: new Map() });
  return (target as { [FIELDS]: Map<string, DeclaredField> })[FIELDS];
};

/** The declared fields of a model, inherited ones first. */
export function declaredFields(model: ModelClass): DeclaredField[] {
  const chain: object[] = [];
  let proto: object | null = model.prototype as object;
  while (proto && proto !== Object.prototype) {
    chain.unshift(proto);
    proto = Object.getPrototypeOf(proto) as object | null;
  }
  const fields = new Map<string, DeclaredField>();
  for (const owner of chain) for (const [name, field] of ownFields(owner)) fields.set(name, field);
  return [...fields.values()];
}

/** As `declaredFields`; no field is declared once models are read. */
const fieldsOf = (model: ModelClass): readonly DeclaredField[] => {
  const known = READ.get(model);
  if (known) return known;
  const fields = declaredFields(model);
  READ.set(model, fields);
  return fields;
};
const READ = new WeakMap<ModelClass, readonly DeclaredField[]>();

/** What class-transformer is given for a field in place of its value. */
type Sent = () => Record<string, unknown>;

const missing = (parent: unknown): Issue => ({ type: 'missing', loc: [], msg: 'Field required', input: parent });

function readField(field: DeclaredField, { obj, key }: TransformFnParams): unknown {
  const source = (obj as Record<string, Sent>)[key]?.() ?? {};
  const raw = Object.hasOwn(source, key) ? source[key] : undefined;
  if (raw === undefined) {
    if ('default' in field) return structuredClone(field.default);
    return field.optional ? undefined : new Refused([missing(source)]);
  }
  const parsed = field.type.parse(raw);
  return parsed.ok ? parsed.value : new Refused(parsed.issues);
}

const NotRefused = (): PropertyDecorator =>
  ValidateBy({ name: 'declaredType', validator: { validate: (value: unknown) => !(value instanceof Refused) } });

/**
 * Declares one field of a request or response body: its conversion (class-transformer), its check (class-validator)
 * and its OpenAPI schema, from one description.
 */
export function Field(type: FieldType<unknown>, options: FieldOptions = {}): PropertyDecorator {
  return (target, key) => {
    const field: DeclaredField = { ...options, name: String(key), type };
    ownFields(target).set(field.name, field);
    Expose()(target, key);
    Transform((params) => readField(field, params), { toClassOnly: true })(target, key);
    NotRefused()(target, key);
  };
}

function issuesOf(error: ValidationError): Issue[] {
  const value: unknown = error.value;
  if (value instanceof Refused) return under([error.property], value.issues);
  return Object.values(error.constraints ?? {}).map((msg) => ({
    type: 'value_error',
    loc: [error.property],
    msg: `Value error, ${msg}`,
    input: value,
    ctx: { error: {} },
  }));
}

const SENT = Symbol('sent keys');

/** Whether the caller sent this key at all; tells an explicit null from an absent field. */
export const wasSent = (body: object, key: string): boolean =>
  (body as { [SENT]?: Set<string> })[SENT]?.has(key) ?? false;

/** Reads a plain value as an instance of a model; every problem is reported, none throws. */
export function parseModel<T extends object>(model: ModelClass<T>, value: unknown): Parsed<T> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse(
      'model_attributes_type',
      'Input should be a valid dictionary or object to extract fields from',
      value,
    );
  // Class-transformer would go through every value by itself, stop at keys such as `constructor` and end with the stack
  // where they nest deep; a function is left alone, and the fields' own types read what it holds.
  const sent: Sent = () => value as Record<string, unknown>;
  const source = Object.fromEntries(fieldsOf(model).map(({ name }) => [name, sent]));
  const instance = plainToInstance(model, source, { excludeExtraneousValues: true, exposeUnsetFields: false });
  const errors = validateSync(instance, { skipMissingProperties: false, forbidUnknownValues: false });
  if (errors.length > 0) return { ok: false, issues: errors.flatMap(issuesOf) };
  Object.defineProperty(instance, SENT, { value: new Set(Object.keys(value)) });
  return accept(instance);
}
