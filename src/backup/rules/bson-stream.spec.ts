import { mongo } from 'mongoose';
import { bsonDocuments } from './bson-stream.js';

const DOCUMENTS = Array.from({ length: 40 }, (_, n) =>
  Buffer.from(mongo.BSON.serialize({ n, text: 'x'.repeat(n * 7) })),
);

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

async function cut(bytes: Buffer, size: number): Promise<Buffer[]> {
  const found: Buffer[] = [];
  for await (const document of bsonDocuments(pieces(bytes, size))) found.push(Buffer.from(document));
  return found;
}

describe('bsonDocuments', () => {
  it.each([1, 3, 64, 1000, 100_000])('finds the documents in pieces of %d bytes', async (size) => {
    expect(await cut(Buffer.concat(DOCUMENTS), size)).toEqual(DOCUMENTS);
  });

  it('refuses what ends in a document, and sizes that none has', async () => {
    await expect(cut(Buffer.concat(DOCUMENTS).subarray(0, -1), 64)).rejects.toThrow('end in the middle');
    await expect(cut(Buffer.from('ffffff7f00', 'hex'), 64)).rejects.toThrow('has 2147483647 bytes');
    expect(await cut(Buffer.alloc(0), 64)).toEqual([]);
  });
});
