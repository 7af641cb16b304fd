import { randomUUID } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGzip, type Gzip } from 'node:zlib';
import { indexMembers } from '../../../formats/cdx/index-members.js';
import { namelessFile, SortedLines } from '../../../formats/cdx/sorted-lines.js';
import { pageListHeader } from '../../../formats/wacz/page-lists.js';
import { writeWacz, type WaczFacts, type WaczMember } from '../../../formats/wacz/wacz-writer.js';
import { RECORD_END } from '../../../formats/warc/record.js';
import type { RecordHead } from '../../../formats/warc/record-head.js';
import { StorageUnavailable } from '../../storage/storage.errors.js';
import { WarcIndexer, type WarcPage } from './warc-indexer.js';
import { WarcScanner, type RecordPlace, type RecordSink, type ScanOptions } from './warc-scanner.js';

/** Raw bytes taken at a time, so that their unpacked or packed form stays small. */
const SLICE = 256 * 1024;

export interface WarcSource extends ScanOptions {
  /** The file's name inside the package: no folders. */
  readonly name: string;
  open(): Promise<Readable>;
}

/**
 * A WACZ of one WARC file: the file, its index and its page list, made in one pass. Memory and disk hold index and
 * list, never the file.
 * @throws UnreadableWacz, NotPackedPerRecord; with `anyMembers` the records are packed anew, one gzip member each
 */
export async function* packageWarc(source: WarcSource, facts: WaczFacts): AsyncGenerator<Buffer> {
  const index = new SortedLines();
  const pages = await PageLines.open();
  try {
    yield* writeWacz(members(source, index, pages), facts);
  } finally {
    await index.close();
    await pages.close();
  }
}

async function* members(source: WarcSource, index: SortedLines, pages: PageLines): AsyncGenerator<WaczMember> {
  const sink = { line: (line: string) => index.add(line), page: (page: WarcPage) => pages.add(page) };
  const indexer = new WarcIndexer(source.name, sink);
  const content = source.anyMembers ? repacked(source, indexer) : asIs(source, indexer);
  yield { path: `archive/${source.name}`, content };
  await indexer.flush();
  yield* indexMembers(index);
  yield { path: 'pages/pages.jsonl', content: pages.read() };
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

/** The file's records, each in a gzip member of its own. The sink is told their new places. */
export async function* repacked(source: WarcSource, indexer: RecordSink): AsyncGenerator<Buffer> {
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

/** Packs each record by itself and tells the indexer its new place. */
class RecordPacker implements RecordSink {
  private gzip: Gzip | null = null;
  private ready: Buffer[] = [];
  private written = 0;
  private start = 0;

  constructor(private readonly indexer: RecordSink) {}

  async begin(head: RecordHead): Promise<void> {
    this.start = this.written;
    const gzip = createGzip();
    gzip.on('data', (bytes: Buffer) => {
      this.written += bytes.length;
      this.ready.push(bytes);
    });
    this.gzip = gzip;
    await this.indexer.begin(head);
    await this.pack(head.raw);
  }

  async block(bytes: Buffer): Promise<void> {
    await this.indexer.block(bytes);
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

  /** Returns packed bytes that were not taken yet. */
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

/** The growing page list, on disk. */
class PageLines {
  private lines: string[] = [];

  private constructor(private readonly file: FileHandle) {}

  static async open(): Promise<PageLines> {
    const pages = new PageLines(await namelessFile());
    pages.lines.push(pageListHeader({ id: 'pages', title: 'All Pages' }));
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
