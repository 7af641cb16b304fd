import { mongo } from 'mongoose';
import { canonicalUuid } from '../../common/ids/uuid.js';
import { parseDateTime, wireTime } from '../../common/validation/date-time.js';
import { InputRefused, invalidInput, type Loc } from '../../common/validation/issue.js';
import type { Described, DescribedDocument } from '../../database/described.js';
import { int64 } from '../../database/int64.js';
import { uuid } from '../../database/uuid-codec.js';

const { Binary, BSON, Long, ObjectId, UUID } = mongo;
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

/** Bounds of the documents that the database takes. */
const MAX_DEPTH = 90;
const MAX_BYTES = 16 * 1024 * 1024;
/** As old exports have numbers now and then. */
const NUMERAL = /^[+-]?\d{1,15}(\.\d{1,15})?$/;
const LAST_YEAR = 9999;
const LONGEST_SHOWN = 200;

export interface Place {
  /** Where in the export the value is. */
  readonly loc: Loc;
  /** False: required fields may be missing yet, because the import adds them. */
  readonly isComplete: boolean;
}

/** The fault with its place; of what was found there no more than a line. */
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

/** Undefined for what is no finite number. */
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

/** A value whose kind nobody here knows: kept as it is, if the database can. */
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

/** Values of lists are never null, and those of maps only where they are no documents or lists themselves. */
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
 * A document of an export as it is stored: types by its description, a time without offset is UTC; fields that are not
 * described stay as they came. @throws InputRefused with the place of the first field that is not what it should be
 */
export function fromExport(value: unknown, described: DescribedDocument, place: Place): Record<string, unknown> {
  const stored = document(value, described, place);
  if (place.isComplete && BSON.calculateObjectSize(stored) > MAX_BYTES) throw fault(place.loc, 'too large', null);
  return stored;
}
