import type { ZipArchive } from './zip-archive.js';
import type { ZipEntry } from './zip-directory.js';

/** A small member as a whole. @throws UnreadableWacz, also when it has more than `maxBytes` */
export async function readBytes(archive: ZipArchive, entry: ZipEntry, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of archive.read(entry, { maxBytes })) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
