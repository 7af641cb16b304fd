import { createInflateRaw } from 'node:zlib';
import type { Readable } from 'node:stream';
import { readRange, SourceUnreadable, type SourceFile } from './source-file.js';

const END_RECORD = 0x06054b50;
const END64_LOCATOR = 0x07064b50;
const ENTRY = 0x02014b50;
const TAIL_BYTES = 65_557;

export interface ZipEntry {
  name: string;
  method: number;
  size: number;
  localOffset: number;
}

/** The members of a zip file, read from its end. @throws SourceUnreadable when it is no whole zip file */
export async function directory(file: SourceFile): Promise<ZipEntry[]> {
  const start = Math.max(0, file.size - TAIL_BYTES);
  const tail = await readRange(file, start, file.size);
  let at = tail.length - 22;
  while (at >= 0 && tail.readUInt32LE(at) !== END_RECORD) at--;
  if (at < 0) throw new SourceUnreadable(`${file.name} is no whole WACZ`);
  let size = tail.readUInt32LE(at + 12);
  let offset = tail.readUInt32LE(at + 16);
  if (offset === 0xffffffff && at >= 20 && tail.readUInt32LE(at - 20) === END64_LOCATOR) {
    const end64 = await readRange(file, Number(tail.readBigUInt64LE(at - 12)), file.size);
    size = Number(end64.readBigUInt64LE(40));
    offset = Number(end64.readBigUInt64LE(48));
  }
  return parseDirectory(await readRange(file, offset, offset + size));
}

function parseDirectory(data: Buffer): ZipEntry[] {
  const entries: ZipEntry[] = [];
  let at = 0;
  while (at + 46 <= data.length && data.readUInt32LE(at) === ENTRY) {
    const nameLength = data.readUInt16LE(at + 28);
    const extraLength = data.readUInt16LE(at + 30);
    const extra = data.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength);
    const wide = wideFields(extra);
    const take = (value: number) => (value === 0xffffffff ? (wide.shift() ?? value) : value);
    take(data.readUInt32LE(at + 24));
    const size = take(data.readUInt32LE(at + 20));
    const localOffset = take(data.readUInt32LE(at + 42));
    const name = data.toString('utf8', at + 46, at + 46 + nameLength);
    entries.push({ name, method: data.readUInt16LE(at + 10), size, localOffset });
    at += 46 + nameLength + extraLength + data.readUInt16LE(at + 32);
  }
  return entries;
}

/** The 64-bit values of the zip64 extra field, in their fixed order. */
function wideFields(extra: Buffer): number[] {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    const length = extra.readUInt16LE(at + 2);
    const values: number[] = [];
    for (let i = 0; i + 8 <= length; i += 8) values.push(Number(extra.readBigUInt64LE(at + 4 + i)));
    return values;
  }
  return [];
}

/** Where the member's bytes start in the file. */
export async function contentOffset(file: SourceFile, entry: ZipEntry): Promise<number> {
  const head = await readRange(file, entry.localOffset, entry.localOffset + 30);
  return entry.localOffset + 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
}

export async function content(file: SourceFile, entry: ZipEntry): Promise<Readable> {
  const start = await contentOffset(file, entry);
  const raw = await file.stream(start, start + entry.size);
  return entry.method === 0 ? raw : raw.pipe(createInflateRaw());
}
