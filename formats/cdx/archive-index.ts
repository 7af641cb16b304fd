import { Readable } from 'node:stream';
import { createGunzip, createInflateRaw, type Gunzip, type InflateRaw } from 'node:zlib';
import { UnreadableWacz } from '../unreadable-wacz.js';
import type { ByteSource } from '../zip/byte-source.js';
import { unpacked } from '../zip/unpacked.js';
import type { ZipArchive } from '../zip/zip-archive.js';
import type { ZipEntry } from '../zip/zip-directory.js';
import { linesNear, linesOf, linesWithin, partsOf, within, type LineRange, type Extent } from './sorted-text.js';

/** A plain index up to this size is read whole and sorted: not every writer sorts a small one. */
const SMALL_BYTES = 256 * 1024;
/** Most members with index lines or tables in one archive; writers make one of each. */
const MAX_MEMBERS = 1_000;
const FOLDER = 'indexes/';
const INDEX = /^indexes\/[^/]+\.(cdxj?|cdxj?\.gz|idx)$/;

interface PackedExtent extends Extent {
  readonly name: string;
  /** The archive holds the member deflated, so that it can only be read from its start. */
  readonly isDeflated: boolean;
}

/** How the lines of one member can be found. It is plain data, so that it can be kept while the archive is closed. */
export type IndexPart =
  | { readonly kind: 'small'; readonly member: PackedExtent }
  | { readonly kind: 'sorted'; readonly member: PackedExtent }
  | { readonly kind: 'blocks'; readonly table: PackedExtent; readonly data: Readonly<Record<string, PackedExtent>> }
  | { readonly kind: 'whole'; readonly member: PackedExtent };

/** The index members of a WACZ; none where it has no index. @throws UnreadableWacz, the source's error */
export async function findIndex(archive: ZipArchive): Promise<IndexPart[]> {
  const entries = await archive.find((name) => INDEX.test(name));
  if (entries.length > MAX_MEMBERS) throw new UnreadableWacz('too-large', `${entries.length} index members`);
  const places = await Promise.all(entries.map((entry) => placeOf(archive, entry)));
  const packed = places.filter(({ name }) => name.endsWith('.gz'));
  const tables = places.filter(({ name }) => name.endsWith('.idx'));
  const data = Object.fromEntries(packed.filter(({ isDeflated }) => !isDeflated).map((place) => [place.name, place]));
  const parts: IndexPart[] = entries.flatMap((entry, n): IndexPart[] => {
    const member = places[n];
    if (!member || entry.name.endsWith('.idx') || entry.name.endsWith('.gz')) return [];
    if (entry.size <= SMALL_BYTES) return [{ kind: 'small', member }];
    return [{ kind: member.isDeflated ? 'whole' : 'sorted', member }];
  });
  // A table says in its lines which member they lead to. With one table for all, none is read without it.
  const table = tables.length === 1 && Object.keys(data).length === packed.length ? tables[0] : undefined;
  if (table && packed.length > 0) return [...parts, { kind: 'blocks', table, data }];
  return [...parts, ...packed.map((member): IndexPart => ({ kind: 'whole', member }))];
}

async function placeOf(archive: ZipArchive, entry: ZipEntry): Promise<PackedExtent> {
  if (entry.method !== 0 && entry.method !== 8)
    throw new UnreadableWacz('unsupported', `${entry.name} is compressed by method ${entry.method}`);
  return { ...(await archive.packed(entry)), name: entry.name, isDeflated: entry.method === 8 };
}

/** The lines of a part that lie in a range, sorted. @throws UnreadableWacz, the source's error */
export async function* indexLines(source: ByteSource, part: IndexPart, range: LineRange): AsyncGenerator<string> {
  switch (part.kind) {
    case 'small': {
      const lines: string[] = [];
      for await (const line of unpackedLines(source, part.member)) lines.push(line);
      for (const line of lines.sort())
        if (line !== '' && line >= range.from && (range.until === null || line < range.until)) yield line;
      return;
    }
    case 'sorted':
      return yield* linesWithin(source, part.member, range);
    case 'whole':
      return yield* within(unpackedLines(source, part.member), range);
    case 'blocks':
      return yield* within(blocksOf(source, part, range), range);
  }
}

/** The lines of the blocks that may hold lines of the range. */
async function* blocksOf(
  source: ByteSource,
  { table, data }: Extract<IndexPart, { kind: 'blocks' }>,
  range: LineRange,
): AsyncGenerator<string> {
  const rows = table.isDeflated ? unpackedLines(source, table) : linesNear(source, table, range.from);
  let before: string | null = null;
  for await (const row of rows) {
    if (range.until !== null && row >= range.until) break;
    // Lines of the range may begin within the block before the first whose start lies in it.
    if (row >= range.from) {
      if (before !== null) yield* blockOf(source, before, data);
      before = row;
      continue;
    }
    before = row;
  }
  if (before !== null) yield* blockOf(source, before, data);
}

/** The lines of a block that a row of the table names: `<key> <time> {"offset", "length", "filename"}`. */
async function* blockOf(
  source: ByteSource,
  row: string,
  data: Readonly<Record<string, PackedExtent>>,
): AsyncGenerator<string> {
  if (row.startsWith('!')) return;
  const { offset, length, filename } = placeIn(row);
  const only = Object.values(data);
  const member = data[`${FOLDER}${filename}`] ?? (only.length === 1 ? only[0] : undefined);
  if (!member || !(offset >= 0 && length > 0 && offset + length <= member.size))
    throw new UnreadableWacz('corrupt', `the table of the index names a block that is not there`);
  yield* linesOf(unzipped(partsOf(source, { start: member.start + offset, size: length }), createGunzip()));
}

function placeIn(row: string): { offset: number; length: number; filename: string } {
  try {
    const found = JSON.parse(row.slice(row.indexOf('{'))) as Record<string, unknown>;
    return {
      offset: Number(found['offset']),
      length: Number(found['length']),
      filename: String(found['filename'] ?? ''),
    };
  } catch (error) {
    throw new UnreadableWacz('corrupt', 'a row of the index table is no JSON', { cause: error });
  }
}

async function* unpackedLines(source: ByteSource, member: PackedExtent): AsyncGenerator<string> {
  const parts = partsOf(source, member);
  const stored = member.isDeflated ? unzipped(parts, createInflateRaw()) : parts;
  yield* linesOf(member.name.endsWith('.gz') ? unzipped(stored, createGunzip()) : stored);
}

const unzipped = (parts: AsyncIterable<Buffer>, unzip: Gunzip | InflateRaw): AsyncGenerator<Buffer> =>
  unpacked(Readable.from(parts, { objectMode: false }), unzip, 'the index');
