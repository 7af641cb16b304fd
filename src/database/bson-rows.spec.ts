import mongoose from 'mongoose';
import { rowOf } from './bson-rows.js';
import { decode, uuid } from './uuid-codec.js';

const { BSON, Binary, Decimal128, Long, ObjectId, Timestamp } = mongoose.mongo;
const ID = '0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0';

/** How a lean document came about before: by the driver, then by `decode`. */
const byDriver = (bytes: Uint8Array): unknown => decode(BSON.deserialize(bytes, { promoteBuffers: false }));

/** Some distance into a larger buffer, as documents are in an answer of the database. */
function stored(document: object): Uint8Array {
  const bytes = BSON.serialize(document, { ignoreUndefined: false });
  const within = Buffer.alloc(bytes.length + 7);
  within.set(bytes, 5);
  return within.subarray(5, 5 + bytes.length);
}

const VALUES: Record<string, unknown> = {
  'an id': uuid(ID),
  'an id without version': uuid('00000000-0000-0000-0000-000000000000'),
  text: 'plain',
  'text of all planes': 'é ☃ 𝒳 \u0000 end',
  'empty text': '',
  'a small integer': -7,
  'a large integer': 2 ** 40 + 3,
  'a negative large integer': -(2 ** 40) - 3,
  'a long beyond 2^53': Long.fromString('9007199254740993'),
  'the smallest long': Long.MIN_VALUE,
  'a fraction': -0.125,
  'minus zero': -0,
  'not a number': Number.NaN,
  true: true,
  false: false,
  null: null,
  'a date': new Date(Date.UTC(2026, 1, 3, 4, 5, 6, 7)),
  'a date before 1970': new Date(-1),
  'a list of lists': [[1, [uuid(ID)]], [], 'x'],
  'a list of documents': [{ a: 1 }, { b: null, a: uuid(ID) }, {}],
  'a document of documents': { a: { b: { c: new Date(0) } }, d: {} },
  bytes: new Binary(Buffer.from('abc')),
  'an object id': new ObjectId('0123456789abcdef01234567'),
  'a decimal': Decimal128.fromString('1.5'),
  'a timestamp': new Timestamp({ t: 1, i: 2 }),
  'a pattern': /x/i,
};

describe('documents read from their bytes', () => {
  it.each(Object.entries(VALUES))('are as the driver and decode give them: %s', (_what, value) => {
    const bytes = stored({ before: 1, value, after: [value] });
    expect(rowOf(bytes)).toStrictEqual(byDriver(bytes));
  });

  it('keep the order of their fields', () => {
    expect(Object.keys(rowOf<object>(stored({ b: 1, a: 2, c: 3 })))).toEqual(['b', 'a', 'c']);
    expect(Object.keys(rowOf<object>(stored({ c: 1, a: 2, b: 3 })))).toEqual(['c', 'a', 'b']);
  });

  it('are told apart where names begin alike', () => {
    const rows = [{ page: 1 }, { pages: 2 }, { pag: 3 }, { page: 4 }, { 'p\u00e4ge': 5 }, { '': 6 }];
    expect(rows.map((row) => rowOf(stored(row)))).toEqual(rows);
  });

  it('do not share what they hold', () => {
    const bytes = stored({ tags: ['a'], of: { x: 1 } });
    const [first, second] = [rowOf<{ tags: string[] }>(bytes), rowOf<{ tags: string[] }>(bytes)];
    first.tags.push('b');
    expect(second).toEqual({ tags: ['a'], of: { x: 1 } });
  });

  it('may have as many names as the keys of maps', () => {
    for (let n = 0; n < 200; n++) {
      const row = { _id: n, byMonth: { [`month ${n}`]: { seconds: n } } };
      expect(rowOf(stored(row))).toEqual(row);
    }
  });

  it('leave prototypes alone', () => {
    const bytes = stored(JSON.parse('{"a": 1, "__proto__": {"isAdmin": true}, "constructor": 2}') as object);
    const row = rowOf<Record<string, unknown>>(bytes);
    expect(row['isAdmin']).toBeUndefined();
    expect(Object.keys(row)).toEqual(['a', '__proto__', 'constructor']);
  });

  it('may have ids of a length that no UUID has', () => {
    const bytes = stored({ value: new Binary(Buffer.from('short'), Binary.SUBTYPE_UUID_OLD) });
    expect(rowOf(bytes)).toStrictEqual(byDriver(bytes));
  });
});
