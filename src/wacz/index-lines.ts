import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { UnreadableWacz } from '../../formats/unreadable-wacz.js';
import { readLines } from '../../formats/wacz/lines.js';
import { unpacked } from '../../formats/zip/unpacked.js';
import type { ZipArchive } from '../../formats/zip/zip-archive.js';

const INDEX = /^indexes\/[^/]+\.cdxj?(\.gz)?$/i;
/** Longest index, unpacked. The limit cuts off zip bombs. */
const MAX_INDEX_BYTES = 32 * 1024 ** 3;
/** Lines carry a URL and perhaps the body of a request. */
const MAX_LINE_BYTES = 1024 * 1024;

/** The lines of all indexes of a WACZ, in their order, without ever holding an index. @throws UnreadableWacz */
export async function* readIndexLines(archive: ZipArchive, signal?: AbortSignal): AsyncGenerator<string> {
  for (const entry of await archive.find((name) => INDEX.test(name))) {
    const raw = archive.read(entry, { signal });
    yield* readLines(
      bounded(entry.name.toLowerCase().endsWith('.gz') ? unpacked(raw, createGunzip(), 'an index') : chunks(raw)),
      MAX_LINE_BYTES,
    );
  }
}

const chunks = (raw: Readable): AsyncIterable<Buffer> => raw as AsyncIterable<Buffer>;

async function* bounded(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > MAX_INDEX_BYTES) throw new UnreadableWacz('too-large', `an index of more than ${MAX_INDEX_BYTES} bytes`);
    yield chunk;
  }
}
