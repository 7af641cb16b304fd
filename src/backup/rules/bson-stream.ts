import { BackupTorn } from '../backup.errors.js';

/** The largest document that MongoDB stores is 16 MiB; its own additions make it a little more. */
const MOST_BYTES = 17 * 1024 * 1024;
const LEAST_BYTES = 5;

/** Cuts a stream of BSON documents, one behind the other, into the documents. @throws BackupTorn */
export async function* bsonDocuments(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  let parts: Buffer[] = [];
  let length = 0;
  let wanted = LEAST_BYTES;
  for await (const chunk of chunks) {
    parts.push(chunk);
    length += chunk.length;
    // A document over several chunks is put together once, when it is there.
    if (length < wanted) continue;
    let rest = Buffer.concat(parts);
    for (wanted = sizeOf(rest); rest.length >= wanted; wanted = sizeOf(rest)) {
      yield rest.subarray(0, wanted);
      rest = rest.subarray(wanted);
    }
    [parts, length] = [[rest], rest.length];
  }
  if (length > 0) throw new BackupTorn('the documents end in the middle of one');
}

/** Bytes of the document that begins here; of the smallest one while the size is not there. */
function sizeOf(document: Buffer): number {
  if (document.length < 4) return LEAST_BYTES;
  const size = document.readInt32LE(0);
  if (size < LEAST_BYTES || size > MOST_BYTES) throw new BackupTorn(`a document has ${String(size)} bytes`);
  return size;
}
