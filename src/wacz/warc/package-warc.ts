import { createHash, randomUUID } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGzip, crc32, gzipSync, type Gzip } from 'node:zlib';
import { baseName } from '../../common/text/base-name.js';

import { StorageUnavailable } from '../../storage/storage.errors.js';
import { dataDescriptor, directoryAndEnd, localHeader, type WrittenEntry } from '../../../formats/zip/zip-records.js';
import { namelessFile, SortedLines } from './sorted-lines.js';
import { WarcIndexer, type WarcPage } from './warc-indexer.js';
import { WarcScanner, type RecordPlace, type RecordSink, type ScanOptions } from './warc-scanner.js';
import type { RecordHead } from './record-head.js';

/** Below this many bytes the index is one plain file, as other writers have it. */
const PLAIN_INDEX_BYTES = 50_000;
/** Lines per block of a packed index: replay reads one block per look-up. */
const BLOCK_LINES = 3_000;
const RECORD_END = Buffer.from('\r\n\r\n');
/** Of raw bytes at a time, so that what is unpacked or packed of them stays small. */
const SLICE = 256 * 1024;

export interface WarcSource extends ScanOptions {
  /** The file's name inside the package: no folders. */
  name: string;
  open(): Promise<Readable>;
}

export interface PackageFacts {
  /** ISO 8601. */
  created: string;
  software: string;
  title: string;
}

interface Resource {
  name: string;
  path: string;
  hash: string;
  bytes: number;
}

/**
 * A WACZ (1.1.1) of one WARC file: the file, its index and the list of its pages, in one pass over it. Memory and disk
 * hold the index and the list, never the file. Every member is stored, so that replay reads ranges of it.
 * @throws UnreadableWacz, NotPackedPerRecord; with `anyMembers` the records are packed anew, one gzip member each
 */
export async function* packageWarc(source: WarcSource, facts: PackageFacts): AsyncGenerator<Buffer> {
  const zip = new ZipMembers();
  const index = new SortedLines();
  const pages = await PageLines.open();
  try {
    const sink = { line: (line: string) => index.add(line), page: (page: WarcPage) => pages.add(page) };
    const indexer = new WarcIndexer(source.name, sink);
    yield* zip.member(`archive/${source.name}`, source.anyMembers ? repacked(source, indexer) : asIs(source, indexer));
    await indexer.flush();
    yield* indexMembers(zip, index);
    yield* zip.member('pages/pages.jsonl', pages.read());
    yield* describe(zip, facts);
    yield zip.end();
  } finally {
    await index.close();
    await pages.close();
  }
}

/** The file's own bytes. */
async function* asIs(source: WarcSource, indexer: WarcIndexer): AsyncGenerator<Buffer> {
  const scanner = new WarcScanner(indexer, source);
  const body = await source.open();
  try {
    for await (const slice of slices(body, source.packedBytes)) {
      await scanner.push(slice);
      yield slice;
    }
    await scanner.end();
  } finally {
    scanner.close();
    body.destroy();
  }
}

/** The file's records, each in a gzip member of its own. */
async function* repacked(source: WarcSource, indexer: WarcIndexer): AsyncGenerator<Buffer> {
  const packer = new RecordPacker(indexer);
  const scanner = new WarcScanner(packer, source);
  const body = await source.open();
  try {
    for await (const slice of slices(body, source.packedBytes)) {
      for (let at = 0; at < slice.length; at += 16 * 1024) {
        await scanner.push(slice.subarray(at, at + 16 * 1024));
        yield* packer.take();
      }
    }
    await scanner.end();
    yield* packer.take();
  } finally {
    scanner.close();
    packer.close();
    body.destroy();
  }
}

async function* slices(body: Readable, size: number): AsyncGenerator<Buffer> {
  let left = size;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    left -= chunk.length;
    for (let at = 0; at < chunk.length; at += SLICE) yield chunk.subarray(at, at + SLICE);
  }
  if (left !== 0) throw new StorageUnavailable(`the store delivered ${size - left} of ${size} bytes`);
}

/** Packs each record by itself and tells the indexer where it now stands. */
class RecordPacker implements RecordSink {
  private gzip: Gzip | null = null;
  private ready: Buffer[] = [];
  private written = 0;
  private start = 0;

  constructor(private readonly indexer: WarcIndexer) {}

  async begin(head: RecordHead): Promise<void> {
    this.start = this.written;
    const gzip = createGzip();
    gzip.on('data', (bytes: Buffer) => {
      this.written += bytes.length;
      this.ready.push(bytes);
    });
    this.gzip = gzip;
    this.indexer.begin(head);
    await this.pack(head.raw);
  }

  async block(bytes: Buffer): Promise<void> {
    this.indexer.block(bytes);
    await this.pack(bytes);
  }

  async end(): Promise<void> {
    const { gzip } = this;
    if (!gzip) return;
    await new Promise<void>((resolve, reject) => gzip.once('end', resolve).once('error', reject).end(RECORD_END));
    this.gzip = null;
    const place: RecordPlace = { offset: this.start, length: this.written - this.start };
    await this.indexer.end(place);
  }

  /** What is packed and not yet taken. */
  take(): Buffer[] {
    return this.ready.splice(0);
  }

  close(): void {
    this.gzip?.destroy();
  }

  private pack(bytes: Buffer): Promise<void> {
    const { gzip } = this;
    return new Promise((resolve, reject) => {
      if (!gzip) return resolve();
      gzip.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
  }
}

/** The page list as it grows, on disk. */
class PageLines {
  private lines: string[] = [];

  private constructor(private readonly file: FileHandle) {}

  static async open(): Promise<PageLines> {
    const pages = new PageLines(await namelessFile());
    pages.lines.push(JSON.stringify({ format: 'json-pages-1.0', id: 'pages', title: 'All Pages' }));
    return pages;
  }

  async add({ url, ts, title }: WarcPage): Promise<void> {
    this.lines.push(JSON.stringify({ id: randomUUID(), url, ts, title: title ?? url }));
    if (this.lines.length >= 1000) await this.write();
  }

  async *read(): AsyncGenerator<Buffer> {
    await this.write();
    yield* this.file.createReadStream({ start: 0, autoClose: false }) as AsyncIterable<Buffer>;
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  private async write(): Promise<void> {
    if (this.lines.length > 0) await this.file.appendFile(this.lines.join('\n') + '\n');
    this.lines = [];
  }
}

/** `index.cdxj`, or a packed `index.cdx.gz` with its table of blocks. */
async function* indexMembers(zip: ZipMembers, index: SortedLines): AsyncGenerator<Buffer> {
  const table = ['!meta 0 {"format":"cdxj-gzip-1.0","filename":"index.cdx.gz"}\n'];
  const blocks = linesInBlocks(index);
  const first = await blocks.next();
  const head = first.done ? [] : first.value;
  if (head.length < BLOCK_LINES && head.reduce((sum, line) => sum + line.length, 0) < PLAIN_INDEX_BYTES) {
    yield* zip.member('indexes/index.cdxj', [Buffer.concat(head)]);
    return;
  }
  let offset = 0;
  const packed = (block: Buffer[]): Buffer => {
    const bytes = gzipSync(Buffer.concat(block));
    const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
    const start = block[0]!.toString('utf8').split(' ', 2).join(' ');
    table.push(`${start} ${JSON.stringify({ offset, length: bytes.length, digest, filename: 'index.cdx.gz' })}\n`);
    offset += bytes.length;
    return bytes;
  };
  async function* all(): AsyncGenerator<Buffer> {
    yield packed(head);
    for await (const block of blocks) yield packed(block);
  }
  yield* zip.member('indexes/index.cdx.gz', all());
  yield* zip.member('indexes/index.idx', [Buffer.from(table.join(''))]);
}

async function* linesInBlocks(index: SortedLines): AsyncGenerator<Buffer[]> {
  let block: Buffer[] = [];
  for await (const line of index.sorted()) {
    block.push(Buffer.concat([line, Buffer.from('\n')]));
    if (block.length < BLOCK_LINES) continue;
    yield block;
    block = [];
  }
  if (block.length > 0) yield block;
}

async function* describe(zip: ZipMembers, facts: PackageFacts): AsyncGenerator<Buffer> {
  const { created, software, title } = facts;
  const description = { profile: 'data-package', wacz_version: '1.1.1', resources: zip.resources.slice(), title };
  const datapackage = Buffer.from(JSON.stringify({ ...description, created, software }, null, 2));
  const hash = `sha256:${createHash('sha256').update(datapackage).digest('hex')}`;
  yield* zip.member('datapackage.json', [datapackage]);
  yield* zip.member('datapackage-digest.json', [Buffer.from(JSON.stringify({ path: 'datapackage.json', hash }))]);
}

/** Members of a ZIP64 archive whose sizes are known only behind them. */
class ZipMembers {
  readonly resources: Resource[] = [];
  private readonly entries: WrittenEntry[] = [];
  private offset = 0;

  async *member(path: string, content: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
    const entry: WrittenEntry = { name: path, size: 0, crc32: 0, offset: this.offset, hasDescriptor: true };
    yield this.counted(localHeader(entry));
    const hash = createHash('sha256');
    for await (const bytes of content) {
      hash.update(bytes);
      entry.crc32 = crc32(bytes, entry.crc32);
      entry.size += bytes.length;
      yield this.counted(bytes);
    }
    yield this.counted(dataDescriptor(entry));
    this.entries.push(entry);
    // Lower case: what validators ask of a name in a data package.
    const name = baseName(path).toLowerCase();
    this.resources.push({ name, path, hash: `sha256:${hash.digest('hex')}`, bytes: entry.size });
  }

  end(): Buffer {
    return directoryAndEnd(this.entries, this.offset);
  }

  private counted(bytes: Buffer): Buffer {
    this.offset += bytes.length;
    return bytes;
  }
}
