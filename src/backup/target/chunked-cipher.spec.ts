import { randomBytes } from 'node:crypto';
import { sealed, unsealed } from './chunked-cipher.js';
import { allOf } from './target-files.js';

const KEY = randomBytes(32);
/** Of the magic and the salt. */
const HEAD = 40;
const CHUNK = 64 * 1024 + 16;

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}
const seal = (bytes: Buffer, size = 1000, place = 'a') => allOf(sealed(pieces(bytes, size), KEY, place));
const open = (bytes: Buffer, size = 777, place = 'a', key = KEY) => allOf(unsealed(pieces(bytes, size), key, place));

describe('sealed files', () => {
  it.each([0, 1, 65_535, 65_536, 65_537, 131_072, 200_001])('open to what they were: %d bytes', async (length) => {
    const bytes = randomBytes(length);
    for (const size of [1_000_000, 4096]) expect((await open(await seal(bytes, size), size)).equals(bytes)).toBe(true);
  });

  it('differ each time, and begin with nothing of their text', async () => {
    const [one, other] = [await seal(Buffer.alloc(64)), await seal(Buffer.alloc(64))];
    expect(one.subarray(8).equals(other.subarray(8))).toBe(false);
  });

  it('are refused when a byte, the order, the end, the place or the key is another', async () => {
    const whole = await seal(randomBytes(200_000));
    const chunk = (n: number) => whole.subarray(HEAD + n * CHUNK, HEAD + (n + 1) * CHUNK);
    const head = whole.subarray(0, HEAD);
    const altered = Buffer.from(whole);
    altered[HEAD + 70_000]! ^= 1;
    const salted = Buffer.from(whole);
    salted[20]! ^= 1;
    for (const torn of [
      altered,
      salted,
      Buffer.concat([head, chunk(1), chunk(0), chunk(2), chunk(3)]),
      Buffer.concat([head, chunk(0), chunk(2), chunk(3)]),
      Buffer.concat([head, chunk(0), chunk(0), chunk(1), chunk(2), chunk(3)]),
      // Cut off between two chunks, within one, and before the first.
      Buffer.concat([head, chunk(0), chunk(1), chunk(2)]),
      whole.subarray(0, -1),
      head,
      head.subarray(0, 30),
      Buffer.alloc(0),
      Buffer.concat([whole, Buffer.alloc(1)]),
      Buffer.concat([whole, chunk(3)]),
    ])
      await expect(open(torn)).rejects.toThrow(/changed|cut off|begin/);
    await expect(open(whole, 777, 'b')).rejects.toThrow('changed');
    await expect(open(whole, 777, 'a', randomBytes(32))).rejects.toThrow('changed');
  });
});
