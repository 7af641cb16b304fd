import type { Schema } from 'mongoose';

/**
 * Describes a stored value, for code that reads documents which another program wrote. Null fits every kind, because
 * optional values without one are stored as null (archive §14).
 */
export type Described =
  | { readonly is: 'string' | 'number' | 'whole' | 'boolean' | 'date' | 'uuid' }
  | { readonly is: 'word'; readonly of: readonly string[] }
  | { readonly is: 'list' | 'map'; readonly of: Described }
  | { readonly is: 'either'; readonly of: readonly Described[] }
  | DescribedDocument;

/** Describes a document. Fields that are not named may be there, whatever they hold. */
export interface DescribedDocument {
  readonly is: 'document';
  readonly fields: ReadonlyMap<string, Described>;
  /** Fields that are neither absent nor null. */
  readonly required: ReadonlySet<string>;
}

export const TEXT: Described = { is: 'string' };
/** A number with or without a fraction. A field that a schema declares as a number is described as whole. */
export const NUMBER: Described = { is: 'number' };
export const YES_OR_NO: Described = { is: 'boolean' };
export const MOMENT: Described = { is: 'date' };
/** A text that is one of these. */
export const wordOf = (...of: readonly string[]): Described => ({ is: 'word', of });
export const listOf = (of: Described): Described => ({ is: 'list', of });
export const mapOf = (of: Described): Described => ({ is: 'map', of });
export const eitherOf = (...of: Described[]): Described => ({ is: 'either', of });
export const documentOf = (
  fields: Readonly<Record<string, Described>>,
  required: readonly string[] = [],
): DescribedDocument => ({ is: 'document', fields: new Map(Object.entries(fields)), required: new Set(required) });

/** One field of a schema, as Mongoose has it. */
interface SchemaField {
  readonly instance: string;
  readonly schema?: Schema;
  /** The schema of a list's elements. */
  readonly embeddedSchemaType?: SchemaField;
  /** The schema of a map's values. */
  readonly $__schemaType?: SchemaField;
  readonly isRequired?: boolean;
  /** `holds` describes the value of a Mixed field, or the words that a text field may have. */
  readonly options: { readonly holds?: Described };
}

const PLAIN: Readonly<Record<string, Described>> = {
  String: TEXT,
  Number: { is: 'whole' },
  Boolean: YES_OR_NO,
  Date: MOMENT,
  UUID: { is: 'uuid' },
};
const known = new WeakMap<Schema, DescribedDocument>();

/** Describes the documents of a schema. @throws Error for a Mixed field that does not say what it `holds` */
export function descriptionOf(schema: Schema): DescribedDocument {
  const found = known.get(schema);
  if (found) return found;
  const fields = new Map<string, Described>();
  const required = new Set<string>();
  schema.eachPath((path, type) => {
    // These are the values of a map, which are described with the map.
    if (path.includes('.$*')) return;
    const field = type as unknown as SchemaField;
    fields.set(path, describe(field, path));
    if (field.isRequired) required.add(path);
  });
  const description: DescribedDocument = { is: 'document', fields, required };
  known.set(schema, description);
  return description;
}

function describe(field: SchemaField | undefined, path: string): Described {
  if (!field) throw new Error(`${path} has no type`);
  const { instance, schema, options } = field;
  if (instance === 'Array' || instance === 'DocumentArray')
    return listOf(schema ? descriptionOf(schema) : describe(field.embeddedSchemaType, path));
  if (instance === 'Map') return mapOf(describe(field.$__schemaType, path));
  if (schema) return descriptionOf(schema);
  const plain = options.holds ?? PLAIN[instance];
  if (!plain) throw new Error(`${path} does not say what it holds`);
  return plain;
}
