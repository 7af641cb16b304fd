import { createGunzip } from 'node:zlib';
import type { Readable } from 'node:stream';
import { SaxesParser } from 'saxes';
import { errorText } from '../base/time.js';
import { httpUrl } from '../scope/url.js';
import type { PlainFetcher } from './plain-fetch.js';

/** Most files, because index files may name each other and a site may invent new ones for ever. */
const MAX_FILES = 2_000;
const MAX_NESTING = 5;
const MAX_BYTES = 512 * 2 ** 20;
/** Longest time for one sitemap, which may come drop by drop. */
const MAX_FILE_MS = 600_000;
const BATCH = 500;

export interface SitemapSink {
  /** Queues URLs of a sitemap; returns false when no more are wanted. */
  urls(urls: readonly string[]): Promise<boolean>;
  failed(url: string, message: string): void;
}

/** Reads sitemaps and sitemap indexes, gzipped or not, as a stream. */
export class SitemapReader {
  private readonly read = new Set<string>();

  constructor(
    private readonly fetcher: PlainFetcher,
    private readonly signal: AbortSignal,
  ) {}

  /** Reads all addresses, or with `firstOnly` only up to the first that holds anything. */
  async readAll(addresses: readonly string[], sink: SitemapSink): Promise<number> {
    let count = 0;
    for (const address of addresses) count += await this.readOne(address, sink, 0);
    return count;
  }

  private async readOne(address: string, sink: SitemapSink, nesting: number): Promise<number> {
    const url = httpUrl(address)?.href;
    if (!url || this.read.has(url) || this.read.size >= MAX_FILES || this.signal.aborted) return 0;
    this.read.add(url);
    const nested: string[] = [];
    let count = 0;
    try {
      const { status, body } = await this.fetcher.get(url, this.signal);
      const timer = setTimeout(() => body.destroy(new Error('took too long')), MAX_FILE_MS);
      body.once('close', () => clearTimeout(timer));
      if (status !== 200) {
        body.destroy();
        sink.failed(url, `status ${status}`);
        return 0;
      }
      for await (const batch of locations(await inflated(body))) {
        nested.push(...batch.sitemaps);
        count += batch.urls.length;
        if (batch.urls.length > 0 && !(await sink.urls(batch.urls))) return count;
      }
    } catch (error) {
      if (!this.signal.aborted) sink.failed(url, errorText(error));
    }
    if (nesting >= MAX_NESTING) return count;
    for (const next of nested) count += await this.readOne(next, sink, nesting + 1);
    return count;
  }
}

interface Batch {
  readonly urls: string[];
  readonly sitemaps: string[];
}

/** The `<loc>` values of an XML stream in batches. A plain list of lines is read as well. */
async function* locations(stream: AsyncIterable<Buffer>): AsyncGenerator<Batch> {
  let batch: Batch = { urls: [], sitemaps: [] };
  const parser = new SaxesParser();
  const path: string[] = [];
  let text = '';
  parser.on('opentag', ({ name }) => {
    path.push(name.replace(/^.*:/, '').toLowerCase());
    text = '';
  });
  parser.on('text', (part) => (text += part));
  parser.on('cdata', (part) => (text += part));
  parser.on('closetag', () => {
    const [name, parent] = [path.pop(), path.at(-1)];
    if (name === 'loc' && parent === 'url') batch.urls.push(text.trim());
    if (name === 'loc' && parent === 'sitemap') batch.sitemaps.push(text.trim());
    text = '';
  });
  // Broken XML must not end the reading: everything understood so far counts.
  parser.on('error', () => undefined);
  const decoder = new TextDecoder();
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > MAX_BYTES) return;
    parser.write(decoder.decode(chunk, { stream: true }));
    if (batch.urls.length >= BATCH) {
      yield batch;
      batch = { urls: [], sitemaps: [] };
    }
  }
  parser.close();
  yield batch;
}

/** Unpacks gzip, recognised by its first bytes: servers declare it in any of three ways, or not at all. */
async function inflated(body: Readable): Promise<AsyncIterable<Buffer>> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const first = await chunks.next();
  const head = first.done ? Buffer.alloc(0) : Buffer.from(first.value);
  async function* whole(): AsyncGenerator<Buffer> {
    yield head;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield Buffer.from(next.value);
  }
  if (head[0] !== 0x1f || head[1] !== 0x8b) return whole();
  const gunzip = createGunzip();
  const feed = async () => {
    for await (const part of whole()) {
      if (!gunzip.write(part)) await new Promise<void>((resolve) => gunzip.once('drain', resolve));
    }
    gunzip.end();
  };
  feed().catch((error: Error) => gunzip.destroy(error));
  return gunzip;
}
