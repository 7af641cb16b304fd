import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { BackupTorn } from '../backup.errors.js';

const CIPHER = 'aes-256-gcm';
const MAGIC = Buffer.from('MUNBAK01');
const SALT_BYTES = 32;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
/** Bytes of text in a chunk; the last one may have fewer. A reader holds one chunk until it is proved. */
const CHUNK_BYTES = 64 * 1024;
const SEALED_BYTES = CHUNK_BYTES + TAG_BYTES;
/** 32 bits count the chunks of a file: 256 TiB. */
const MOST_CHUNKS = 2 ** 32;

/**
 * Seals a file chunk by chunk, as STREAM does (Hoang, Reyhanitabar, Rogaway, Vizár 2015; age uses it too). Each file has
 * a key of its own, derived with a random salt, so that nonces may count. The nonce holds the chunk's number and whether
 * it is the last one: chunks can neither be reordered nor left out nor cut off. `place` is authenticated with every
 * chunk, so that a file fits nowhere else.
 * @param key 32 bytes
 */
export async function* sealed(
  chunks: AsyncIterable<Buffer>,
  key: Buffer,
  place: string,
): AsyncGenerator<Buffer, void, undefined> {
  const salt = randomBytes(SALT_BYTES);
  const fileKey = keyOfFile(key, salt);
  yield Buffer.concat([MAGIC, salt]);
  let count = 0;
  const seal = (text: Buffer, isLast: boolean): Buffer => {
    const cipher = createCipheriv(CIPHER, fileKey, nonceOf(count, isLast)).setAAD(Buffer.from(place));
    count += 1;
    const bytes = Buffer.concat([cipher.update(text), cipher.final()]);
    return Buffer.concat([bytes, cipher.getAuthTag()]);
  };
  let last: Buffer = Buffer.alloc(0);
  // One chunk is held back, because only the end tells which one is the last.
  for await (const chunk of inPieces(chunks, CHUNK_BYTES)) {
    if (last.length > 0) yield seal(last, false);
    last = chunk;
  }
  yield seal(last, true);
}

/**
 * Opens what `sealed` wrote. Every chunk is proved before it is handed out.
 * @throws BackupTorn when a byte differs, the order does, or the end is missing
 */
export async function* unsealed(
  chunks: AsyncIterable<Buffer>,
  key: Buffer,
  place: string,
): AsyncGenerator<Buffer, void, undefined> {
  let fileKey: Buffer | null = null;
  let count = 0;
  const open = (bytes: Buffer, isLast: boolean): Buffer => {
    if (!fileKey || bytes.length < TAG_BYTES) throw new BackupTorn(`${place} is cut off`);
    const [text, tag] = [bytes.subarray(0, -TAG_BYTES), bytes.subarray(-TAG_BYTES)];
    const decipher = createDecipheriv(CIPHER, fileKey, nonceOf(count, isLast), { authTagLength: TAG_BYTES });
    count += 1;
    decipher.setAAD(Buffer.from(place)).setAuthTag(tag);
    try {
      return Buffer.concat([decipher.update(text), decipher.final()]);
    } catch (error) {
      throw new BackupTorn(`${place} has changed since it was written, or was cut off`, { cause: error });
    }
  };
  let last: Buffer | null = null;
  for await (const piece of inPieces(chunks, SEALED_BYTES, MAGIC.length + SALT_BYTES)) {
    if (!fileKey) {
      if (piece.length < MAGIC.length + SALT_BYTES || !piece.subarray(0, MAGIC.length).equals(MAGIC))
        throw new BackupTorn(`${place} does not begin as an encrypted file`);
      fileKey = keyOfFile(key, piece.subarray(MAGIC.length));
      continue;
    }
    if (last) yield open(last, false);
    last = piece;
  }
  yield open(last ?? Buffer.alloc(0), true);
}

const keyOfFile = (key: Buffer, salt: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, 'muniment backup file', KEY_BYTES));

function nonceOf(count: number, isLast: boolean): Buffer {
  if (count >= MOST_CHUNKS) throw new RangeError('the file has too many chunks');
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(count, 7);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/** Cuts a stream into pieces of `size` bytes, the first one of `first`; the last may be shorter. */
async function* inPieces(chunks: AsyncIterable<Buffer>, size: number, first = size): AsyncGenerator<Buffer> {
  let wanted = first;
  let parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    for (let rest = chunk; rest.length > 0;) {
      const part = rest.subarray(0, wanted - length);
      parts.push(part);
      length += part.length;
      rest = rest.subarray(part.length);
      if (length < wanted) continue;
      yield Buffer.concat(parts);
      [parts, length, wanted] = [[], 0, size];
    }
  }
  if (length > 0) yield Buffer.concat(parts);
}
