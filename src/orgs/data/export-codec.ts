import { mongo, type Schema, type SchemaType } from 'mongoose';
import { canonicalUuid } from '../../common/ids/uuid.js';
import { parseDateTime, wireTime } from '../../common/validation/date-time.js';
import { int64 } from '../../database/int64.js';
import { uuid } from '../../database/uuid-codec.js';

const { Binary, Long, ObjectId, UUID } = mongo;
const INT32_MAX = 2 ** 31 - 1;

/** A stored value as JSON has it: ids as text, times with `Z`. Contract: accounts §10.1. */
export function toExport(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return wireTime(value);
  if (value instanceof Binary)
    return value.sub_type === Binary.SUBTYPE_UUID ? new UUID(value.buffer).toHexString() : value.toString('base64');
  if (value instanceof Long) return value.toNumber();
  if (value instanceof ObjectId) return value.toHexString();
  if ('_bsontype' in value) return Number(value);
  if (Array.isArray(value)) return value.map(toExport);
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, toExport(field)]));
}

/** Numbers beyond 31 bits as int64, not as the driver's doubles. */
const exact = (value: unknown): unknown =>
  typeof value === 'number' && Number.isInteger(value) && Math.abs(value) > INT32_MAX ? int64(value) : value;

function asUuid(value: unknown): unknown {
  const id = typeof value === 'string' ? canonicalUuid(value) : null;
  return id === null ? value : uuid(id);
}

const asDate = (value: unknown): unknown => (typeof value === 'string' ? (parseDateTime(value) ?? value) : value);

interface Described {
  readonly instance?: string;
  readonly schema?: Schema;
  /** Type of a list's elements, or of a map's values. */
  readonly embeddedSchemaType?: SchemaType;
  readonly $__schemaType?: SchemaType;
}

function typed(value: unknown, type: Described | undefined): unknown {
  if (value === null || value === undefined || value instanceof Date) return value;
  if (type?.instance === 'UUID') return asUuid(value);
  if (type?.instance === 'Date') return asDate(value);
  if (Array.isArray(value)) {
    const element = type?.schema ? { schema: type.schema } : (type?.embeddedSchemaType as Described | undefined);
    return value.map((entry) => typed(entry, element));
  }
  if (typeof value !== 'object') return exact(value);
  if (type?.instance === 'Map') {
    const element = type.$__schemaType as Described | undefined;
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, typed(entry, element)]));
  }
  return fromExport(value as Record<string, unknown>, type?.schema);
}

/** A document of an export as it is stored: types by schema, a time without offset is UTC. */
export function fromExport(document: Record<string, unknown>, schema: Schema | undefined): Record<string, unknown> {
  const entries = Object.entries(document).map(([key, value]) => {
    const type = schema?.path(key) as Described | undefined;
    return [key, typed(value, type)] as const;
  });
  return Object.fromEntries(entries);
}
