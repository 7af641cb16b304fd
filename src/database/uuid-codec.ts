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
 * Makes Mongoose take any 128 bits as an id. By itself it takes only UUIDs with a version and a variant of RFC 4122. It
 * would fail for the nil UUID, for instance, which clients may ask for like any other unknown id.
 */
function takeAnyUuid(type: UuidType): void {
  const castOthers = type.cast();
  type.cast((value) => (typeof value === 'string' ? uuid(value) : castOthers(value)));
  // The values were cast before.
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

/**
 * Converts a stored value in place: UUIDs become canonical strings, 64-bit integers numbers. It is for fresh lean
 * results.
 */
export function decode<T>(value: T): T {
  return decodeValue(value) as T;
}

const DIGITS = Buffer.from('0123456789abcdef');
const DASH = '-'.charCodeAt(0);
/** Where the text of each byte begins, between the dashes. */
const PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const;
const written = Buffer.alloc(36, DASH);

/**
 * Formats the 16 bytes of an id at `from`. Lists have a dozen ids a row, and a UUID object for each would cost more than
 * the rest of the row.
 */
export function textOf(bytes: Uint8Array, from = 0): string {
  for (let i = 0; i < PLACES.length; i++) {
    const byte = bytes[from + i] as number;
    const place = PLACES[i] as number;
    written[place] = DIGITS[byte >> 4] as number;
    written[place + 1] = DIGITS[byte & 15] as number;
  }
  return written.toString('latin1');
}

function decodeValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (value instanceof Binary) return value.sub_type === Binary.SUBTYPE_UUID ? textOf(value.buffer) : value;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) value[i] = decodeValue(value[i]);
    return value;
  }
  // A timestamp is a Long to the driver, but its two halves are not one number.
  if (value instanceof Long && !(value instanceof Timestamp)) return value.toNumber();
  if ('_bsontype' in value) return value;
  const fields = value as Record<string, unknown>;
  for (const key of Object.keys(fields)) {
    const field = fields[key];
    if (typeof field === 'object' && field !== null) fields[key] = decodeValue(field);
  }
  return value;
}
