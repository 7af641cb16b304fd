import { UnreadableWacz } from '../unreadable-wacz.js';
import { readRange, type ByteSource } from './byte-source.js';

/** PKWARE APPNOTE 6.3.10, sections 4.3.7 to 4.3.16. */
const SIGNATURE = { central: 0x02014b50, end: 0x06054b50, end64: 0x06064b50, locator64: 0x07064b50 } as const;
const END_BYTES = 22;
const LOCATOR64_BYTES = 20;
const END64_BYTES = 56;
const CENTRAL_BYTES = 46;
const MAX_COMMENT_BYTES = 65_535;
const MAX_16 = 0xffff;
const MAX_32 = 0xffffffff;

/** Most entries, to bound the time a hostile archive takes. Real ones have one WARC per browser window and hour. */
const MAX_ENTRIES = 2_000_000;
/** Names of WACZ members are short (WACZ 1.1.1 §4); entries with a longer name are skipped. */
const MAX_NAME_BYTES = 1_024;
const CHILD = Buffer.from('.wacz');
/** The directory is read in pieces of this size to keep memory independent of the number of entries. */
const PIECE_BYTES = 1024 * 1024;
/** Name, extra field and comment: three lengths of 16 bits. */
const MAX_VARIABLE_BYTES = 3 * MAX_16;

export interface ZipEntry {
  readonly name: string;
  readonly isDirectory: boolean;
  /** 0 stored, 8 deflated; others cannot be read. */
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly crc32: number;
  /** Bytes in the archive. */
  readonly compressedSize: number;
  /** Bytes that the directory claims for the content; `read` checks the claim. */
  readonly size: number;
  /** Where the local header starts. */
  readonly headerOffset: number;
  /** End of the area that members may lie in. */
  readonly dataEnd: number;
}

export interface ZipDirectory {
  readonly offset: number;
  readonly size: number;
  readonly entryCount: number;
}

/** Finds the central directory from the end of the archive. @throws UnreadableWacz */
export async function findDirectory(source: ByteSource): Promise<ZipDirectory> {
  if (source.size < END_BYTES) throw new UnreadableWacz('not-a-zip', `${source.size} bytes are no ZIP file`);
  const tailLength = Math.min(source.size, END_BYTES + MAX_COMMENT_BYTES + LOCATOR64_BYTES);
  const tailStart = source.size - tailLength;
  const tail = await readRange(source, tailStart, tailLength);
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== SIGNATURE.end) continue;
    if (at + END_BYTES + tail.readUInt16LE(at + 20) !== tail.length) continue;
    const directory = (await readEnd64(source, tail, { at, tailStart })) ?? readEnd(tail, at);
    return checked(directory, tailStart + at);
  }
  throw new UnreadableWacz('not-a-zip', 'no end of central directory');
}

function readEnd(tail: Buffer, at: number): ZipDirectory {
  const [disk, directoryDisk] = [tail.readUInt16LE(at + 4), tail.readUInt16LE(at + 6)];
  if (disk !== 0 || directoryDisk !== 0) throw new UnreadableWacz('unsupported', 'an archive in several parts');
  return {
    entryCount: tail.readUInt16LE(at + 10),
    size: tail.readUInt32LE(at + 12),
    offset: tail.readUInt32LE(at + 16),
  };
}

async function readEnd64(
  source: ByteSource,
  tail: Buffer,
  end: { at: number; tailStart: number },
): Promise<ZipDirectory | null> {
  const locator = end.at - LOCATOR64_BYTES;
  if (locator < 0 || tail.readUInt32LE(locator) !== SIGNATURE.locator64) return null;
  const offset = safeNumber(tail.readBigUInt64LE(locator + 8));
  if (offset + END64_BYTES > end.tailStart + locator) throw new UnreadableWacz('corrupt', 'ZIP64 end out of place');
  const record = await readRange(source, offset, END64_BYTES);
  if (record.readUInt32LE(0) !== SIGNATURE.end64) throw new UnreadableWacz('corrupt', 'no ZIP64 end record');
  if (record.readUInt32LE(16) !== 0 || record.readUInt32LE(20) !== 0) {
    throw new UnreadableWacz('unsupported', 'an archive in several parts');
  }
  return {
    entryCount: safeNumber(record.readBigUInt64LE(32)),
    size: safeNumber(record.readBigUInt64LE(40)),
    offset: safeNumber(record.readBigUInt64LE(48)),
  };
}

function checked(directory: ZipDirectory, end: number): ZipDirectory {
  const { offset, size, entryCount } = directory;
  if (offset + size > end) throw new UnreadableWacz('truncated', 'the central directory lies outside the file');
  if (entryCount > MAX_ENTRIES) throw new UnreadableWacz('too-large', `${entryCount} entries`);
  if (size < entryCount * CENTRAL_BYTES) throw new UnreadableWacz('corrupt', 'the central directory is too short');
  return directory;
}

/** The entries in directory order; one piece of the directory is in memory at a time. @throws UnreadableWacz */
export async function* readEntries(source: ByteSource, directory: ZipDirectory): AsyncGenerator<ZipEntry> {
  const end = directory.offset + directory.size;
  let position = directory.offset;
  let piece = Buffer.alloc(0);
  let at = 0;
  for (let index = 0; index < directory.entryCount; index++) {
    if (piece.length - at < CENTRAL_BYTES + MAX_VARIABLE_BYTES && position < end) {
      const more = await readRange(source, position, Math.min(PIECE_BYTES, end - position));
      position += more.length;
      piece = Buffer.concat([piece.subarray(at), more]);
      at = 0;
    }
    const { entry, length } = parseEntry(piece.subarray(at), directory.offset);
    at += length;
    if (entry) yield entry;
  }
}

/** Returns a null entry when the name is too long to matter. A WACZ with a long name keeps the end of its name. */
function parseEntry(bytes: Buffer, dataEnd: number): { entry: ZipEntry | null; length: number } {
  if (bytes.length < CENTRAL_BYTES) throw new UnreadableWacz('truncated', 'the central directory ends early');
  if (bytes.readUInt32LE(0) !== SIGNATURE.central) throw new UnreadableWacz('corrupt', 'no central header');
  const flags = bytes.readUInt16LE(8);
  const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((at) => bytes.readUInt16LE(at)) as [
    number,
    number,
    number,
  ];
  const length = CENTRAL_BYTES + nameBytes + extraBytes + commentBytes;
  if (bytes.length < length) throw new UnreadableWacz('truncated', 'the central directory ends early');
  const raw = bytes.subarray(CENTRAL_BYTES, CENTRAL_BYTES + nameBytes);
  const isLong = nameBytes > MAX_NAME_BYTES;
  // A WACZ in a package is never skipped: the package is deleted once its members are copied.
  if (isLong && !raw.subarray(-CHILD.length).equals(CHILD)) return { entry: null, length };
  const name = decodeName(isLong ? raw.subarray(-MAX_NAME_BYTES) : raw);
  const extra = bytes.subarray(CENTRAL_BYTES + nameBytes, CENTRAL_BYTES + nameBytes + extraBytes);
  const entry: ZipEntry = {
    name,
    isDirectory: name.endsWith('/'),
    method: bytes.readUInt16LE(10),
    isEncrypted: (flags & 1) !== 0,
    crc32: bytes.readUInt32LE(16),
    dataEnd,
    ...sizes(bytes, extra),
  };
  return { entry, length };
}

/** ZIP64 values replace those that are full, in this order (APPNOTE 4.5.3). */
function sizes(header: Buffer, extra: Buffer): Pick<ZipEntry, 'size' | 'compressedSize' | 'headerOffset'> {
  const zip64 = extraField(extra, 0x0001);
  let at = 0;
  const value = (offset: number): number => {
    const short = header.readUInt32LE(offset);
    if (short !== MAX_32 || !zip64) return short;
    if (zip64.length < at + 8) throw new UnreadableWacz('corrupt', 'a ZIP64 field is too short');
    at += 8;
    return safeNumber(zip64.readBigUInt64LE(at - 8));
  };
  return { size: value(24), compressedSize: value(20), headerOffset: value(42) };
}

function extraField(extra: Buffer, id: number): Buffer | undefined {
  for (let at = 0; at + 4 <= extra.length;) {
    const length = extra.readUInt16LE(at + 2);
    if (extra.readUInt16LE(at) === id) return extra.subarray(at + 4, Math.min(at + 4 + length, extra.length));
    at += 4 + length;
  }
  return undefined;
}

/** Decodes valid UTF-8 as UTF-8 whatever the flag says: writers are careless with it. */
function decodeName(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? bytes.toString('latin1') : text;
}

function safeNumber(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new UnreadableWacz('corrupt', 'an offset beyond any file');
  return Number(value);
}
