import { Readable } from 'node:stream';
import { createInflateRaw, crc32 } from 'node:zlib';

import { UnreadableWacz } from '../unreadable-wacz.js';
import { readAll, readRange, type ByteSource } from './byte-source.js';
import { findDirectory, readEntries, type ZipDirectory, type ZipEntry } from './zip-directory.js';
import { unpacked } from './unpacked.js';

const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_BYTES = 30;
/** Most members that one search holds in memory; real archives have a few dozen page lists, logs or child archives. */
const MAX_FOUND = 100_000;

/** The predecessor of an archive's first member. */
const NOWHERE = { name: '', headerOffset: -LOCAL_BYTES, compressedSize: 0 };

export interface ReadOptions {
  /** Most bytes of content to deliver. A member that has or unpacks to more fails as `too-large`. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

/** A ZIP file read by range. The directory is read piece by piece, members are read as streams. */
export class ZipArchive {
  private constructor(
    private readonly source: ByteSource,
    private readonly directory: ZipDirectory,
  ) {}

  /** @throws UnreadableWacz when the file is no ZIP file or a broken one; the source's error */
  static async open(source: ByteSource): Promise<ZipArchive> {
    return new ZipArchive(source, await findDirectory(source));
  }

  get entryCount(): number {
    return this.directory.entryCount;
  }

  /** Size of the whole file, bytes. */
  get size(): number {
    return this.source.size;
  }

  /** Entries in central-directory order. Names are untrusted text: never use one as a path. @throws UnreadableWacz */
  entries(): AsyncGenerator<ZipEntry> {
    return readEntries(this.source, this.directory);
  }

  /**
   * The files (not folders) that pass `wanted`, in directory order.
   * @throws UnreadableWacz, also when two of them share bytes, as only bombs do to make few bytes count as many
   */
  async find(wanted: (name: string) => boolean): Promise<ZipEntry[]> {
    const found: ZipEntry[] = [];
    for await (const entry of this.entries()) {
      if (entry.isDirectory || !wanted(entry.name)) continue;
      found.push(entry);
      if (found.length > MAX_FOUND) throw new UnreadableWacz('too-large', `more than ${MAX_FOUND} members of a kind`);
    }
    refuseOverlaps(found);
    return found;
  }

  /**
   * A member's content, checked for size and CRC at its end. The stream fails with `UnreadableWacz` when the content
   * is not what the directory claims, and with the source's error when it cannot be read.
   */
  read(entry: ZipEntry, options: ReadOptions = {}): Readable {
    return Readable.from(this.content(entry, options), { objectMode: false, highWaterMark: 256 * 1024 });
  }

  /** A small member as a whole. @throws UnreadableWacz, also when it has more than `maxBytes` */
  readWhole(entry: ZipEntry, maxBytes: number): Promise<Buffer> {
    return readAll(this.read(entry, { maxBytes }));
  }

  /** `length` bytes of a stored member from `start` on, unchecked. @throws UnreadableWacz */
  async readPart(entry: ZipEntry, start: number, length: number): Promise<Buffer> {
    if (entry.method !== 0) throw new UnreadableWacz('unsupported', `${entry.name} is compressed`);
    if (!(start >= 0 && length >= 0 && start + length <= entry.compressedSize))
      throw new UnreadableWacz('corrupt', `${entry.name} has no ${length} bytes at ${start}`);
    return readRange(this.source, (await this.dataStart(entry)) + start, length);
  }

  /** Where the bytes of a member lie in the file, compressed or not. @throws UnreadableWacz */
  async packed(entry: ZipEntry): Promise<{ readonly start: number; readonly size: number }> {
    if (entry.isEncrypted) throw new UnreadableWacz('encrypted', `${entry.name} is encrypted`);
    return { start: await this.dataStart(entry), size: entry.compressedSize };
  }

  private async *content(entry: ZipEntry, options: ReadOptions): AsyncGenerator<Buffer> {
    if (entry.isEncrypted) throw new UnreadableWacz('encrypted', `${entry.name} is encrypted`);
    if (entry.method !== 0 && entry.method !== 8) {
      throw new UnreadableWacz('unsupported', `${entry.name} is compressed by method ${entry.method}`);
    }
    const maxBytes = options.maxBytes ?? Infinity;
    if (entry.size > maxBytes) throw new UnreadableWacz('too-large', `${entry.name} has ${entry.size} bytes`);
    const start = await this.dataStart(entry);
    if (entry.compressedSize === 0 && entry.size === 0) return;
    const raw = await this.source.stream(start, entry.compressedSize, options.signal);
    try {
      yield* verified(
        entry,
        entry.method === 0 ? (raw as AsyncIterable<Buffer>) : unpacked(raw, createInflateRaw(), entry.name),
      );
    } finally {
      raw.destroy();
    }
  }

  private async dataStart(entry: ZipEntry): Promise<number> {
    const end = entry.headerOffset + LOCAL_BYTES;
    if (end > entry.dataEnd) throw new UnreadableWacz('corrupt', `${entry.name} lies outside the file`);
    const header = await readRange(this.source, entry.headerOffset, LOCAL_BYTES);
    if (header.readUInt32LE(0) !== LOCAL_SIGNATURE) throw new UnreadableWacz('corrupt', `no header of ${entry.name}`);
    const start = end + header.readUInt16LE(26) + header.readUInt16LE(28);
    if (start + entry.compressedSize > entry.dataEnd) {
      throw new UnreadableWacz('truncated', `${entry.name} reaches beyond the file's data`);
    }
    return start;
  }
}

/** Refuses members that share content. The directory does not tell the lengths of names and extra fields. */
function refuseOverlaps(entries: readonly ZipEntry[]): void {
  const inFile = entries.toSorted((a, b) => a.headerOffset - b.headerOffset);
  inFile.reduce((before, entry) => {
    if (before.headerOffset + LOCAL_BYTES + before.compressedSize > entry.headerOffset)
      throw new UnreadableWacz('corrupt', `${before.name} and ${entry.name} overlap`);
    return entry;
  }, NOWHERE);
}

/** Stops at the first byte beyond the claimed size, so that a bomb is cut off instead of unpacked. */
async function* verified(entry: ZipEntry, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let size = 0;
  let crc = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > entry.size) throw new UnreadableWacz('corrupt', `${entry.name} is longer than its ${entry.size} bytes`);
    crc = crc32(chunk, crc);
    yield chunk;
  }
  if (size < entry.size) throw new UnreadableWacz('truncated', `${entry.name}: ${size} of ${entry.size} bytes`);
  if (crc !== entry.crc32) throw new UnreadableWacz('corrupt', `${entry.name} does not match its checksum`);
}
