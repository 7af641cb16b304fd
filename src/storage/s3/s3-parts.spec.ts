import { randomBytes, randomInt } from 'node:crypto';

import { intoParts, MAX_PARTS, PART_BYTES, partBytes } from './s3-parts.js';

const TERABYTE = 1e12;

describe('partBytes', () => {
  it('lets 10,000 parts hold the largest object when the size is unknown', () => {
    expect(capacity(0)).toBeGreaterThan(5 * TERABYTE);
  });

  it('keeps parts small up to 50 GB', () => {
    expect(partBytes(1)).toBe(PART_BYTES);
    expect(partBytes(5_000)).toBe(PART_BYTES);
  });

  it.each([1, 1e6, 99e9, 101e9, 5 * TERABYTE])('holds a body of the announced size %d and a tenth more', (size) => {
    expect(capacity(size)).toBeGreaterThan(size * 1.1);
  });
});

describe('intoParts', () => {
  it('loses, adds and reorders nothing, whatever the chunks', async () => {
    for (let round = 0; round < 40; round++) {
      const bytes = randomBytes(randomInt(0, 5_000));
      const wanted = randomInt(1, 700);
      const parts: Buffer[] = [];
      for await (const part of intoParts(randomChunks(bytes, 300), () => wanted)) parts.push(Buffer.from(part));
      expect(Buffer.concat(parts).equals(bytes)).toBe(true);
      expect(parts.slice(0, -1).every((part) => part.length === wanted)).toBe(true);
    }
  });

  it('leaves a part as it is until the one after the next is asked for', async () => {
    const bytes = randomBytes(5_000);
    const parts = intoParts(randomChunks(bytes, 300), (number) => 100 * number);
    let at = 0;
    let before = Buffer.alloc(0);
    for await (const part of parts) {
      expect(before.equals(bytes.subarray(at - before.length, at))).toBe(true);
      before = part as Buffer<ArrayBuffer>;
      at += part.length;
    }
    expect(at).toBe(bytes.length);
  });

  it('makes one empty part of an empty body', async () => {
    const parts: Buffer[] = [];
    for await (const part of intoParts(randomChunks(Buffer.alloc(0), 1), () => 10)) parts.push(part);
    expect(parts.map((part) => part.length)).toEqual([0]);
  });
});

function capacity(sizeHint: number): number {
  let bytes = 0;
  for (let number = 1; number <= MAX_PARTS; number++) bytes += partBytes(number, sizeHint);
  return bytes;
}

async function* randomChunks(bytes: Buffer, most: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length;) {
    const size = randomInt(1, most + 1);
    yield bytes.subarray(at, at + size);
    at += size;
  }
}
