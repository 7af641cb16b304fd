/**
 * Records of an archive of stored members (PKWARE APPNOTE 6.3.10). Local headers always have ZIP64 fields, because the
 * member's size may not be known yet.
 */
export interface WrittenEntry {
  readonly name: string;
  size: number;
  /** Unsigned. With a data descriptor it may be unknown until the member was read. */
  crc32: number;
  /** Offset of the local header. */
  readonly offset: number;
  /** True: CRC and sizes follow the data and are not in the local header. */
  readonly hasDescriptor: boolean;
}

const VERSION_ZIP64 = 45;
const MADE_BY_UNIX = 3 << 8;
/** `-rw-rw-r--` of a regular file, in the upper half of the external attributes. */
const ATTRIBUTES = (0o100664 << 16) >>> 0;
const FLAG_UTF8 = 0x0800;
const FLAG_DESCRIPTOR = 0x0008;
/** 1980-01-01, the earliest MS-DOS date. One fixed date makes archives of the same files identical. */
const DOS_DATE = 0x0021;
const UNIX_TIME_1980 = 315_532_800;
const FULL = 0xffffffff;
const MANY = 0xffff;
export const DESCRIPTOR_BYTES = 24;

export function localHeader(entry: WrittenEntry): Buffer {
  const name = Buffer.from(entry.name);
  const sizes = Buffer.alloc(16);
  sizes.writeBigUInt64LE(BigInt(entry.size), 0);
  sizes.writeBigUInt64LE(BigInt(entry.size), 8);
  const extra = Buffer.concat([field(0x0001, sizes), timestamp()]);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(VERSION_ZIP64, 4);
  header.writeUInt16LE(flags(entry), 6);
  header.writeUInt16LE(DOS_DATE, 12);
  header.writeUInt32LE(entry.hasDescriptor ? 0 : entry.crc32, 14);
  header.writeUInt32LE(FULL, 18);
  header.writeUInt32LE(FULL, 22);
  header.writeUInt16LE(name.length, 26);
  header.writeUInt16LE(extra.length, 28);
  return Buffer.concat([header, name, extra]);
}

/** Signature, CRC and 8-byte sizes (APPNOTE 4.3.9.2). */
export function dataDescriptor(entry: WrittenEntry): Buffer {
  const descriptor = Buffer.alloc(DESCRIPTOR_BYTES);
  descriptor.writeUInt32LE(0x08074b50, 0);
  descriptor.writeUInt32LE(entry.crc32, 4);
  descriptor.writeBigUInt64LE(BigInt(entry.size), 8);
  descriptor.writeBigUInt64LE(BigInt(entry.size), 16);
  return descriptor;
}

/**
 * Central directory and end records. `offset` is where the directory starts. With ZIP64 fields throughout, the length
 * depends on the names alone (contract: archive.md §3, "ZIP details"). Otherwise only values that need ZIP64 fields
 * have them, so that readers without ZIP64 can read archives below 4 GB.
 */
export function directoryAndEnd(
  entries: readonly WrittenEntry[],
  offset: number,
  zip64: 'throughout' | 'where needed' = 'throughout',
): Buffer {
  const isNeeded = zip64 === 'throughout' ? () => true : (...values: number[]) => values.some((one) => one >= FULL);
  const directory = Buffer.concat(entries.map((entry) => centralHeader(entry, isNeeded(entry.size, entry.offset))));
  const { length } = entries;
  const hasEnd64 = isNeeded(offset, directory.length) || length >= MANY;
  return Buffer.concat([directory, endRecords({ count: length, size: directory.length, offset }, hasEnd64)]);
}

function centralHeader(entry: WrittenEntry, isZip64: boolean): Buffer {
  const name = Buffer.from(entry.name);
  const values = Buffer.alloc(24);
  values.writeBigUInt64LE(BigInt(entry.size), 0);
  values.writeBigUInt64LE(BigInt(entry.size), 8);
  values.writeBigUInt64LE(BigInt(entry.offset), 16);
  const extra = Buffer.concat([...(isZip64 ? [field(0x0001, values)] : []), timestamp()]);
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(MADE_BY_UNIX | VERSION_ZIP64, 4);
  header.writeUInt16LE(VERSION_ZIP64, 6);
  header.writeUInt16LE(flags(entry), 8);
  header.writeUInt16LE(DOS_DATE, 14);
  header.writeUInt32LE(entry.crc32, 16);
  header.writeUInt32LE(isZip64 ? FULL : entry.size, 20);
  header.writeUInt32LE(isZip64 ? FULL : entry.size, 24);
  header.writeUInt16LE(name.length, 28);
  header.writeUInt16LE(extra.length, 30);
  header.writeUInt32LE(ATTRIBUTES, 38);
  header.writeUInt32LE(isZip64 ? FULL : entry.offset, 42);
  return Buffer.concat([header, name, extra]);
}

function endRecords(
  { count, size, offset }: { count: number; size: number; offset: number },
  isZip64: boolean,
): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(isZip64 ? MANY : count, 8);
  end.writeUInt16LE(isZip64 ? MANY : count, 10);
  end.writeUInt32LE(isZip64 ? FULL : size, 12);
  end.writeUInt32LE(isZip64 ? FULL : offset, 16);
  if (!isZip64) return end;
  const end64 = Buffer.alloc(56);
  end64.writeUInt32LE(0x06064b50, 0);
  end64.writeBigUInt64LE(44n, 4);
  end64.writeUInt16LE(MADE_BY_UNIX | VERSION_ZIP64, 12);
  end64.writeUInt16LE(VERSION_ZIP64, 14);
  end64.writeBigUInt64LE(BigInt(count), 24);
  end64.writeBigUInt64LE(BigInt(count), 32);
  end64.writeBigUInt64LE(BigInt(size), 40);
  end64.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(offset + size), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([end64, locator, end]);
}

function flags(entry: WrittenEntry): number {
  return FLAG_UTF8 | (entry.hasDescriptor ? FLAG_DESCRIPTOR : 0);
}

/** The extended-timestamp field with the modification time only. */
function timestamp(): Buffer {
  const body = Buffer.alloc(5);
  body.writeUInt8(1, 0);
  body.writeUInt32LE(UNIX_TIME_1980, 1);
  return field(0x5455, body);
}

function field(id: number, body: Buffer): Buffer {
  const header = Buffer.alloc(4);
  header.writeUInt16LE(id, 0);
  header.writeUInt16LE(body.length, 2);
  return Buffer.concat([header, body]);
}
