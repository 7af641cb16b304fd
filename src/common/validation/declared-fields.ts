import type { Kind, ModelClass } from './kind.js';

export interface DeclaredField {
  readonly name: string;
  readonly kind: Kind<unknown>;
  readonly isDeprecated: boolean;
  readonly isRequired: boolean;
  readonly what?: string;
  /** The value of an absent field. OpenAPI does not show `null`. */
  readonly default: unknown;
}

type Declaration = Pick<DeclaredField, 'name' | 'kind' | 'isDeprecated' | 'what'> & { isOptional: boolean };
const FIELDS = Symbol('declared fields');
const models = new Set<ModelClass>();

/** Every class with fields of its own; base classes come first. */
export const declaredModels: ReadonlySet<ModelClass> = models;

const ownFields = (prototype: object): Map<string, Declaration> =>
  (Object.getOwnPropertyDescriptor(prototype, FIELDS)?.value as Map<string, Declaration> | undefined) ?? new Map();

/** Notes a field of the class that is being declared. */
export const remembered =
  (declaration: Omit<Declaration, 'name'>): PropertyDecorator =>
  (target, key) => {
    const own = ownFields(target);
    own.set(String(key), { ...declaration, name: String(key) });
    Object.defineProperty(target, FIELDS, { value: own, configurable: true });
    models.add(target.constructor as ModelClass);
  };

function findFields(model: ModelClass): DeclaredField[] {
  const fields = new Map<string, Declaration>();
  const chain: object[] = [];
  for (let proto = model.prototype as object | null; proto; proto = Object.getPrototypeOf(proto) as object | null)
    chain.unshift(proto);
  for (const owner of chain) for (const [name, field] of ownFields(owner)) fields.set(name, field);
  if (fields.size === 0) return [];
  const blank = new model() as Record<string, unknown>;
  return [...fields.values()].map(({ isOptional, ...field }) => ({
    ...field,
    default: blank[field.name],
    isRequired: !isOptional && blank[field.name] === undefined,
  }));
}

const known = new WeakMap<ModelClass, readonly DeclaredField[]>();

/** The declared fields of a class, inherited ones first. The list is empty for a class that is no model. */
export function declaredFields(model: ModelClass): readonly DeclaredField[] {
  const fields = known.get(model) ?? findFields(model);
  known.set(model, fields);
  return fields;
}
