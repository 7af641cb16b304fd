import { createGunzip, createGzip } from 'node:zlib';
import { Readable } from 'node:stream';

/** The fastest level. Documents shrink to a fifth by it already. */
const LEVEL = 1;
/** Lines are joined to pieces of about this size, since a small piece costs as much as a large one. */
const PIECE_BYTES = 64 * 1024;

/** Compresses. */
export const packed = (bytes: AsyncIterable<Buffer>): AsyncIterable<Buffer> =>
  through(bytes, createGzip({ level: LEVEL }));

/** Decompresses. */
export const unpacked = (bytes: AsyncIterable<Buffer>): AsyncIterable<Buffer> => through(bytes, createGunzip());

async function* through(
  bytes: AsyncIterable<Buffer>,
  transform: ReturnType<typeof createGzip> | ReturnType<typeof createGunzip>,
): AsyncGenerator<Buffer, void, undefined> {
  const source = Readable.from(bytes, { objectMode: false, highWaterMark: 256 * 1024 });
  source.once('error', (error) => transform.destroy(error));
  source.pipe(transform);
  try {
    for await (const chunk of transform) yield chunk as Buffer;
  } finally {
    source.destroy();
    transform.destroy();
  }
}

/** Joins small pieces. */
export async function* joined(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  let held: Buffer[] = [];
  let length = 0;
  for await (const piece of pieces) {
    held.push(piece);
    length += piece.length;
    if (length < PIECE_BYTES) continue;
    yield Buffer.concat(held);
    [held, length] = [[], 0];
  }
  if (length > 0) yield Buffer.concat(held);
}

/** Writes values as lines of JSON. */
export async function* toLines(values: AsyncIterable<unknown>): AsyncGenerator<Buffer, void, undefined> {
  for await (const value of values) yield Buffer.from(`${JSON.stringify(value)}\n`);
}

/** Reads what `toLines` wrote. */
export async function* fromLines<T>(bytes: AsyncIterable<Buffer>): AsyncGenerator<T, void, undefined> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as T;
  }
}
