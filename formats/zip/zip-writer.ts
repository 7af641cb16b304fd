import { crc32 } from 'node:zlib';
import { dataDescriptor, directoryAndEnd, localHeader, type WrittenEntry } from './zip-records.js';

/** Writes a ZIP archive of stored members whose sizes are known only after their bytes. */
export class ZipWriter {
  private readonly entries: WrittenEntry[] = [];
  private offset = 0;

  /** Yields the bytes of one member. Take all of them before beginning the next member. @returns the written entry */
  async *member(
    name: string,
    content: AsyncIterable<Buffer> | Iterable<Buffer>,
  ): AsyncGenerator<Buffer, WrittenEntry, undefined> {
    const entry: WrittenEntry = { name, size: 0, crc32: 0, offset: this.offset, hasDescriptor: true };
    yield this.counted(localHeader(entry));
    for await (const bytes of content) {
      entry.crc32 = crc32(bytes, entry.crc32);
      entry.size += bytes.length;
      yield this.counted(bytes);
    }
    yield this.counted(dataDescriptor(entry));
    this.entries.push(entry);
    return entry;
  }

  end(): Buffer {
    return directoryAndEnd(this.entries, this.offset, 'where needed');
  }

  private counted(bytes: Buffer): Buffer {
    this.offset += bytes.length;
    return bytes;
  }
}
