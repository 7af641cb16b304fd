import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { cdxjLine, compactTimestamp, urlKey } from '../../../formats/cdx/cdxj.js';
import { indexMembers } from '../../../formats/cdx/index-members.js';
import { SortedLines } from '../../../formats/cdx/sorted-lines.js';
import { pageListHeader } from '../../../formats/wacz/page-lists.js';
import { writeWacz, type WaczMember } from '../../../formats/wacz/wacz-writer.js';
import { httpHead, statusLine } from '../../../formats/warc/http-headers.js';
import { sha256, wholeRecord, type RecordHeader } from '../../../formats/warc/record.js';
import { readAll } from '../../../formats/zip/byte-source.js';
import type { CrawlerPage } from '../crawl-driver.types.js';

/** A page to put into a generated WACZ, with the HTML its replay shows. */
export interface FakePageContent {
  readonly page: CrawlerPage;
  readonly html: string;
}

export interface FakeWaczOptions {
  /** WARC names start with `<warcPrefix>-<jobId>-`. */
  readonly warcPrefix: string;
  readonly jobId: string;
  readonly created: Date;
  readonly pages: readonly FakePageContent[];
  /** JSON log lines for `logs/`. */
  readonly logLines?: readonly string[];
}

/** Builds a small valid WACZ (crawling §14.1): it lists, validates and replays like a crawled one. */
export async function buildFakeWacz(options: FakeWaczOptions): Promise<Buffer> {
  const index = new SortedLines();
  try {
    const facts = { created: options.created.toISOString(), software: 'Muniment fake driver' };
    return await readAll(writeWacz(members(options, index), facts));
  } finally {
    await index.close();
  }
}

async function* members(
  { warcPrefix, jobId, created, pages, logLines = [] }: FakeWaczOptions,
  index: SortedLines,
): AsyncGenerator<WaczMember> {
  const filename = `${warcPrefix}-${jobId}-0.warc.gz`;
  yield { path: `archive/${filename}`, content: warc(filename, created, pages, index) };
  yield* indexMembers(index);
  const rows = pages.map(({ page }) => page);
  const [seeds, others] = [rows.filter(({ seed }) => seed), rows.filter(({ seed }) => !seed)];
  yield { path: 'pages/pages.jsonl', content: pageList('pages', 'Seed Pages', seeds) };
  yield { path: 'pages/extraPages.jsonl', content: pageList('extra-pages', 'Non-Seed Pages', others) };
  yield { path: `logs/${jobId}.log`, content: [Buffer.from(logLines.map((line) => `${line}\n`).join(''))] };
}

async function* warc(
  filename: string,
  created: Date,
  pages: readonly FakePageContent[],
  index: SortedLines,
): AsyncGenerator<Buffer> {
  const info = { type: 'warcinfo' as const, date: created.toISOString(), contentType: 'application/warc-fields' };
  const first = record(info, Buffer.from('software: fake\r\n'));
  yield first;
  let offset = first.length;
  for (const { page, html } of pages) {
    const { url, status = 200, mime = 'text/html' } = page;
    const body = Buffer.from(html);
    const digest = sha256(body);
    const date = new Date(page.ts).toISOString();
    const headers = [['content-type', mime ?? 'text/html'] as const, ['content-length', String(body.length)] as const];
    const head = httpHead(statusLine(status ?? 200), headers);
    const contentType = 'application/http; msgtype=response';
    const extra = [['WARC-Payload-Digest', digest] as const];
    const response = record({ type: 'response', date, contentType, url, extra }, Buffer.concat([head, body]));
    const place = { length: String(response.length), offset: String(offset), filename };
    const fields = { url, mime, status: String(status), digest, ...place };
    await index.add(cdxjLine({ key: urlKey(url), ts: compactTimestamp(date), fields }));
    offset += response.length;
    yield response;
  }
}

/** One gzip member. The same content gives the same bytes, so a file that is stored again does not change. */
function record(header: RecordHeader, block: Buffer): Buffer {
  const hash = createHash('sha256')
    .update(header.type)
    .update(header.url ?? '');
  const hex = hash.update(block).digest('hex');
  const id = `<urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}>`;
  const extra = [...(header.extra ?? []), ['WARC-Block-Digest', sha256(block)] as const];
  return gzipSync(wholeRecord({ ...header, id, extra }, block));
}

function pageList(id: string, title: string, rows: readonly CrawlerPage[]): Buffer[] {
  const lines = [pageListHeader({ id, title, hasText: false }), ...rows.map((row) => JSON.stringify(row))];
  return lines.map((line) => Buffer.from(`${line}\n`));
}
