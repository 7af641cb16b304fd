import mongoose from 'mongoose';
import { decode, textOf } from './uuid-codec.js';

const { BSON, ObjectId } = mongoose.mongo;

/** How the driver reads values that this reader leaves to it. */
const AS_LEAN = { promoteBuffers: false, promoteLongs: true, promoteValues: true } as const;

type Fields = Record<string, unknown>;

/** The types of BSON values that stored documents have. Others are rare, and the driver reads documents with them. */
const DOUBLE = 0x01;
const STRING = 0x02;
const DOCUMENT = 0x03;
const ARRAY = 0x04;
const BINARY = 0x05;
const OBJECT_ID = 0x07;
const BOOLEAN = 0x08;
const DATE = 0x09;
const NULL = 0x0a;
const INT32 = 0x10;
const INT64 = 0x12;
const UUID_SUBTYPE = 4;
const UUID_BYTES = 16;

/** Most names that may follow one name. More are the keys of a map, each seen once. */
const MAX_FOLLOWERS = 16;
/** Most names that are remembered of rows, of what lies under one name, and of everything. */
const MOST = { ofRows: 4_000, within: 100, ofAll: 10_000 };

/** Something that the driver has to read. */
const NOT_PLAIN = new Error('a value of a rare type');

/** The names that documents in one place have: rows, or what lies under one name of them. */
class Place {
  readonly none = new Names('', Buffer.alloc(0), null);
  private remembered = 0;
  private static remembered = 0;

  constructor(private readonly most: number) {}

  /** Counts one more name. @returns whether there is room for it */
  takes(): boolean {
    if (this.remembered >= this.most || Place.remembered >= MOST.ofAll) return false;
    this.remembered += 1;
    Place.remembered += 1;
    return true;
  }
}

/**
 * The names of a document's fields up to one of them. Documents of a list have the same names in the same order, so the
 * next name is compared with the one that came last, instead of being read.
 */
class Names {
  /** Bytes of the last name with the zero behind it. */
  readonly length: number;
  private readonly followers: Names[] = [];
  private latest: Names | null = null;
  private known: { readonly all: readonly string[]; readonly form: Fields } | null = null;
  private inner: Place | null = null;

  constructor(
    private readonly name: string,
    private readonly bytes: Buffer,
    private readonly before: Names | null,
  ) {
    this.length = bytes.length + 1;
  }

  /** The place of documents under the last name. */
  get within(): Place {
    return (this.inner ??= new Place(MOST.within));
  }

  /** The names with the one at `at`; null for one that is not remembered. @throws NOT_PLAIN */
  with(buffer: Buffer, at: number, place: Place): Names | null {
    const { latest } = this;
    if (latest?.isAt(buffer, at)) return latest;
    for (const follower of this.followers) if (follower.isAt(buffer, at)) return (this.latest = follower);
    const bytes = Buffer.from(buffer.subarray(at, buffer.indexOf(0, at)));
    const name = plainName(bytes);
    if (this.all.includes(name)) throw NOT_PLAIN;
    if (this.followers.length >= MAX_FOLLOWERS || !place.takes()) return null;
    this.latest = new Names(name, bytes, this);
    this.followers.push(this.latest);
    return this.latest;
  }

  /** A document with these names. A copy has its form at once; one that grows name by name becomes a hash table. */
  holding(values: readonly unknown[]): Fields {
    const { all, form } = this.shape;
    const document = { ...form };
    for (let i = 0; i < values.length; i++) document[all[i] as string] = values[i];
    return document;
  }

  private get all(): readonly string[] {
    return this.before === null ? [] : (this.known?.all ?? [...this.before.all, this.name]);
  }

  private get shape(): { readonly all: readonly string[]; readonly form: Fields } {
    if (this.known) return this.known;
    const { all } = this;
    const form = JSON.parse(JSON.stringify(Object.fromEntries(all.map((name) => [name, null])))) as Fields;
    return (this.known = { all, form });
  }

  private isAt(buffer: Buffer, at: number): boolean {
    const { bytes } = this;
    const { length } = bytes;
    for (let i = 0; i < length; i++) if (buffer[at + i] !== bytes[i]) return false;
    return buffer[at + length] === 0;
  }
}

/** Assigned, `__proto__` would set the prototype; with `$` begin references, which the driver has a class for. */
function plainName(bytes: Buffer): string {
  const name = bytes.toString('utf8');
  if (name === '__proto__' || name.startsWith('$')) throw NOT_PLAIN;
  return name;
}

const ROWS = new Place(MOST.ofRows);

/** Reads one document at a time. It keeps its place, because to return that with each value costs as much as reading. */
class RowReader {
  private at = 0;
  private buffer: Buffer = Buffer.alloc(0);

  read(buffer: Buffer): Fields {
    this.buffer = buffer;
    this.at = 0;
    return this.document(ROWS);
  }

  private document(place: Place): Fields {
    const { buffer } = this;
    const values: unknown[] = [];
    let names = place.none;
    this.at += 4;
    for (let type = buffer[this.at++]; type !== 0; type = buffer[this.at++]) {
      const next = names.with(buffer, this.at, place);
      if (!next) return this.rest(names.holding(values), type, place);
      names = next;
      this.at += names.length;
      values.push(this.value(type, names));
    }
    return names.holding(values);
  }

  /** Reads on in a document whose names are not remembered. */
  private rest(document: Fields, first: number | undefined, place: Place): Fields {
    const { buffer } = this;
    for (let type = first; type !== 0; type = buffer[this.at++]) {
      const end = buffer.indexOf(0, this.at);
      const name = plainName(buffer.subarray(this.at, end));
      if (Object.hasOwn(document, name)) throw NOT_PLAIN;
      this.at = end + 1;
      document[name] = this.value(type, place.none);
    }
    return document;
  }

  private array(names: Names): unknown[] {
    const { buffer } = this;
    const values: unknown[] = [];
    this.at += 4;
    for (let type = buffer[this.at++]; type !== 0; type = buffer[this.at++]) {
      this.at = buffer.indexOf(0, this.at) + 1;
      values.push(this.value(type, names));
    }
    return values;
  }

  /** @param names up to the one that the value has */
  private value(type: number | undefined, names: Names): unknown {
    const { buffer, at } = this;
    switch (type) {
      case NULL:
        return null;
      case STRING:
        return this.text();
      case INT32:
        this.at += 4;
        return buffer.readInt32LE(at);
      case DATE:
        this.at += 8;
        return new Date(int64(buffer, at));
      case BOOLEAN:
        this.at += 1;
        return buffer[at] === 1;
      case BINARY:
        return this.uuid();
      case OBJECT_ID:
        this.at += 12;
        return new ObjectId(Uint8Array.prototype.slice.call(buffer, at, at + 12));
      case DOUBLE:
        this.at += 8;
        return buffer.readDoubleLE(at);
      case INT64:
        this.at += 8;
        return int64(buffer, at);
      case DOCUMENT:
        return this.document(names.within);
      case ARRAY:
        return this.array(names);
      default:
        throw NOT_PLAIN;
    }
  }

  private text(): string {
    const length = this.buffer.readInt32LE(this.at) - 1;
    const from = this.at + 4;
    this.at = from + length + 1;
    return this.buffer.toString('utf8', from, from + length);
  }

  private uuid(): string {
    const { buffer, at } = this;
    if (buffer[at + 4] !== UUID_SUBTYPE || buffer.readInt32LE(at) !== UUID_BYTES) throw NOT_PLAIN;
    this.at += 5 + UUID_BYTES;
    return textOf(buffer, at + 5);
  }
}

/** Bits above 2^53 are lost, as where a long is turned into a number. */
const int64 = (buffer: Buffer, at: number): number => buffer.readInt32LE(at + 4) * 2 ** 32 + buffer.readUInt32LE(at);

const reader = new RowReader();

/**
 * Reads a stored document as `decode` gives a lean one: ids as canonical strings, 64-bit integers as numbers.
 * @param bytes BSON, as the driver's option `raw` gives it
 */
export function rowOf<T>(bytes: Uint8Array): T {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return reader.read(buffer) as T;
  } catch (error) {
    if (error !== NOT_PLAIN) throw error;
    return decode(BSON.deserialize(buffer, AS_LEAN)) as T;
  }
}
