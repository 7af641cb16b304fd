import mongoose, { mongo } from 'mongoose';
import { canonicalUuid } from '../common/ids/uuid.js';

const { Binary, UUID, Long, Timestamp } = mongo;

/** What Mongoose lets a type of schema do, beyond its typings. */
interface UuidType {
  cast(): (value: unknown) => unknown;
  cast(caster: (value: unknown) => unknown): void;
  readonly prototype: { checkRequired(value: unknown): boolean };
}

/**
 * Any 128 bits are an id. Mongoose takes those alone that have a version and a variant of RFC 4122, and would fail for
 * the nil UUID, say, which clients may ask for as for any other id that is not there.
 */
function takeAnyUuid(type: UuidType): void {
  const castOthers = type.cast();
  type.cast((value) => (typeof value === 'string' ? uuid(value) : castOthers(value)));
  // Of values that were cast before.
  type.prototype.checkRequired = (value) => value !== null && value !== undefined;
}
takeAnyUuid(mongoose.Schema.Types.UUID as unknown as UuidType);

/** The stored form of an id: BSON binary of subtype 4. Aggregations don't cast, so ids in them go through here. */
export function uuid(id: string): mongo.UUID {
  const canonical = canonicalUuid(id);
  if (canonical === null) throw new TypeError(`not a UUID: ${id}`);
  return new UUID(canonical);
}

export const uuids = (ids: readonly string[]): mongo.UUID[] => ids.map(uuid);

/** Reads a stored value: UUIDs become canonical strings, 64-bit integers numbers; in place, for fresh lean results. */
export function decode<T>(value: T): T {
  return decodeValue(value) as T;
}

/** Lists have a dozen ids a row: a UUID object for each would cost more than the rest of the row. */
function textOf(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

function decodeValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (value instanceof Binary) return value.sub_type === Binary.SUBTYPE_UUID ? textOf(value.buffer) : value;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) value[i] = decodeValue(value[i]);
    return value;
  }
  // A timestamp is a Long to the driver, but its two halves are no number.
  if (value instanceof Long && !(value instanceof Timestamp)) return value.toNumber();
  if ('_bsontype' in value) return value;
  const fields = value as Record<string, unknown>;
  for (const key of Object.keys(fields)) {
    const field = fields[key];
    if (typeof field === 'object' && field !== null) fields[key] = decodeValue(field);
  }
  return value;
}
