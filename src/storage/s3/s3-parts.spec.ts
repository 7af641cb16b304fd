import { randomBytes, randomInt } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

import { MAX_PARTS, PART_BYTES, PartCollector, partBytes } from './s3-parts.js';

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

describe('PartCollector', () => {
  it('loses, adds and reorders nothing, whatever the chunks', async () => {
    for (let round = 0; round < 40; round++) {
      const bytes = randomBytes(randomInt(0, 5_000));
      const wanted = randomInt(1, 700);
      const parts = await partsOf(new PartCollector(randomChunks(bytes, 300), () => wanted));
      expect(Buffer.concat(parts).equals(bytes)).toBe(true);
      expect(parts.slice(0, -1).every((part) => part.length === wanted)).toBe(true);
    }
  });

  it('takes a size of which it is certain for the whole', async () => {
    const bytes = randomBytes(5_000);
    const parts = await partsOf(new PartCollector(randomChunks(bytes, 300), () => 4_000, bytes.length));
    expect(parts.map((part) => part.length)).toEqual([4_000, 1_000]);
    expect(Buffer.concat(parts).equals(bytes)).toBe(true);
  });

  it('leaves a part as it is until it has arrived, and reads only a little ahead', async () => {
    const bytes = randomBytes(3 * PART_BYTES);
    let read = 0;
    const chunks = (async function* () {
      for await (const chunk of randomChunks(bytes, 200_000)) {
        read += chunk.length;
        yield chunk;
      }
    })();
    const collector = new PartCollector(chunks, partBytes);
    const first = await collector.next();
    let arrive = (): void => undefined;
    const second = collector.next(new Promise<void>((resolve) => (arrive = resolve)));
    // The chunks come without I/O. So by then the collector waits for the arrival alone.
    await setImmediate();
    expect(read).toBeGreaterThan(PART_BYTES);
    expect(read).toBeLessThan(PART_BYTES * 1.5);
    expect(Buffer.concat(first).equals(bytes.subarray(0, PART_BYTES))).toBe(true);
    arrive();
    expect(Buffer.concat(await second).equals(bytes.subarray(PART_BYTES, 2 * PART_BYTES))).toBe(true);
    const third = await collector.next(Promise.resolve());
    expect(Buffer.concat(third).equals(bytes.subarray(2 * PART_BYTES))).toBe(true);
  });

  it('fails with the part that is on its way', async () => {
    const collector = new PartCollector(randomChunks(randomBytes(3 * PART_BYTES), 200_000), partBytes);
    await collector.next();
    await expect(collector.next(Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  });

  it('makes one empty part of an empty body', async () => {
    const collector = new PartCollector(randomChunks(Buffer.alloc(0), 1), () => 10, 0);
    expect(await collector.next()).toEqual([Buffer.alloc(0)]);
    expect(await collector.hasMore()).toBe(false);
  });
});

/** Copies the parts, because their space is used again. */
async function partsOf(collector: PartCollector): Promise<Buffer[]> {
  const parts: Buffer[] = [];
  while (await collector.hasMore()) parts.push(Buffer.concat(await collector.next(Promise.resolve())));
  return parts;
}

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
