import { mongo } from 'mongoose';
import { canonicalUuid } from '../../common/ids/uuid.js';
import { parseDateTime, wireTime } from '../../common/validation/date-time.js';
import { InputRefused, invalidInput, type Loc } from '../../common/validation/issue.js';
import type { Described, DescribedDocument } from '../../database/described.js';
import { int64 } from '../../database/int64.js';
import { uuid } from '../../database/uuid-codec.js';

const { Binary, BSON, Long, ObjectId, UUID } = mongo;
const INT32_MAX = 2 ** 31 - 1;

/** Turns a stored value into JSON: ids become text, times end in `Z`. Contract: accounts §10.1. */
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

/** Integers beyond 31 bits are stored as int64, because the driver would store a double. */
const exact = (value: unknown): unknown =>
  typeof value === 'number' && Number.isInteger(value) && Math.abs(value) > INT32_MAX ? int64(value) : value;

/** Bounds of documents that the database accepts. */
const MAX_DEPTH = 90;
const MAX_BYTES = 16 * 1024 * 1024;
/** Old exports hold some numbers as text of this form. */
const NUMERAL = /^[+-]?\d{1,15}(\.\d{1,15})?$/;
const LAST_YEAR = 9999;
const LONGEST_SHOWN = 200;

export interface Place {
  /** The value's place in the export. */
  readonly loc: Loc;
  /** False while required fields may be missing because the import adds them later. */
  readonly isComplete: boolean;
}

/** Makes the error for a value at its place. The error shows at most one line of the value. */
function fault(loc: Loc, msg: string, value: unknown): InputRefused {
  const shown = typeof value === 'string' ? value.slice(0, LONGEST_SHOWN) : value;
  return invalidInput(loc, msg, typeof shown === 'object' ? null : shown, 'import_error');
}

const inside = ({ loc, isComplete }: Place, key: string | number): Place => ({ loc: [...loc, key], isComplete });

const NOT = {
  string: 'not a text',
  number: 'not a number',
  whole: 'not a whole number',
  boolean: 'neither true nor false',
  date: 'not a time',
  uuid: 'not an id',
} as const;

/** Returns the number, or undefined for what is no finite number. */
const numberOf = (value: unknown): unknown => {
  const number = typeof value === 'string' && NUMERAL.test(value.trim()) ? Number(value) : value;
  return Number.isFinite(number) ? number : undefined;
};

const READ: Readonly<Record<keyof typeof NOT, (value: unknown) => unknown>> = {
  string: (value) => (typeof value === 'string' ? value : undefined),
  number: (value) => exact(numberOf(value)),
  whole: (value) => {
    const number = numberOf(value);
    return Number.isSafeInteger(number) ? exact(number) : undefined;
  },
  boolean: (value) => (typeof value === 'boolean' ? value : undefined),
  date: (value) => {
    const date = typeof value === 'boolean' ? null : parseDateTime(value);
    return date && date.getUTCFullYear() >= 0 && date.getUTCFullYear() <= LAST_YEAR ? date : undefined;
  },
  uuid: (value) => {
    const id = typeof value === 'string' ? canonicalUuid(value) : null;
    return id === null ? undefined : uuid(id);
  },
};

/** Reads a value that no description covers. It is kept as it is if the database can store it. */
function unknown(value: unknown, place: Place): unknown {
  if (place.loc.length > MAX_DEPTH) throw fault(place.loc, 'nested too deep', null);
  if (Array.isArray(value)) return value.map((entry, n) => unknown(entry, inside(place, n)));
  if (isDocument(value)) return fieldsOf(value, place, unknown);
  return exact(value);
}

const isDocument = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

function fieldsOf(
  value: Record<string, unknown>,
  place: Place,
  read: (field: unknown, place: Place, key: string) => unknown,
): Record<string, unknown> {
  const entries = Object.entries(value).map(([key, field]) => {
    if (key.includes('\0')) throw fault(place.loc, 'a name with a NUL character', null);
    return [key, read(field, inside(place, key), key)] as const;
  });
  return Object.fromEntries(entries);
}

function document(value: unknown, { fields, required }: DescribedDocument, place: Place): Record<string, unknown> {
  if (!isDocument(value)) throw fault(place.loc, 'not an object', value);
  for (const name of place.isComplete ? required : [])
    if (value[name] === undefined || value[name] === null)
      throw fault([...place.loc, name], 'missing', value[name] ?? null);
  return fieldsOf(value, place, (field, at, key) => {
    const described = fields.get(key);
    if (!described) return unknown(field, at);
    return field === null ? null : typed(field, described, at);
  });
}

/**
 * Reads a described value. Elements of a list are never null. Values of a map may be null unless they are documents,
 * lists or maps.
 */
function typed(value: unknown, described: Described, place: Place): unknown {
  switch (described.is) {
    case 'document':
      return document(value, described, place);
    case 'list':
      if (!Array.isArray(value)) throw fault(place.loc, 'not a list', value);
      return value.map((entry, n) => typed(entry, described.of, inside(place, n)));
    case 'map': {
      const { of } = described;
      if (!isDocument(value)) throw fault(place.loc, 'not an object', value);
      const mayBeNull = !['document', 'list', 'map'].includes(of.is);
      return fieldsOf(value, place, (entry, at) => (mayBeNull && entry === null ? null : typed(entry, of, at)));
    }
    case 'word':
      if (!described.of.includes(String(value))) throw fault(place.loc, `none of ${described.of.join(', ')}`, value);
      return String(value);
    case 'either':
      return either(value, described.of, place);
    default: {
      const read = READ[described.is](value);
      if (read === undefined) throw fault(place.loc, NOT[described.is], value);
      return read;
    }
  }
}

function either(value: unknown, kinds: readonly Described[], place: Place): unknown {
  for (const kind of kinds) {
    try {
      return typed(value, kind, place);
    } catch (error) {
      if (!(error instanceof InputRefused)) throw error;
    }
  }
  throw fault(place.loc, 'of no kind that this field has', value);
}

/**
 * Turns an exported document into its stored form. Its description gives the types; a time without offset is UTC.
 * Fields that are not described stay as they are.
 * @throws InputRefused with the place of the first field that is not as described
 */
export function fromExport(value: unknown, described: DescribedDocument, place: Place): Record<string, unknown> {
  const stored = document(value, described, place);
  if (place.isComplete && BSON.calculateObjectSize(stored) > MAX_BYTES) throw fault(place.loc, 'too large', null);
  return stored;
}
