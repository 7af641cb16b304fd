import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { ZipFile } from 'yazl';
import type { CrawlerPage } from '../crawl-driver.types.js';

/** A page to put into a generated WACZ, with the HTML its replay shows. */
export interface FakePageContent {
  page: CrawlerPage;
  html: string;
}

export interface FakeWaczOptions {
  /** WARC names start with `<warcPrefix>-<jobId>-`. */
  warcPrefix: string;
  jobId: string;
  created: Date;
  pages: readonly FakePageContent[];
  /** JSON log lines for `logs/`. */
  logLines?: readonly string[];
}

interface Member {
  path: string;
  bytes: Buffer;
}

/** Builds a small valid WACZ (crawling §14.1): it lists, validates and replays like a crawled one. */
export async function buildFakeWacz(options: FakeWaczOptions): Promise<Buffer> {
  const warcName = `${options.warcPrefix}-${options.jobId}-0.warc.gz`;
  const { warc, cdxj } = buildWarc(warcName, options.created, options.pages);
  const rows = options.pages.map(({ page }) => page);
  const members: Member[] = [
    { path: `archive/${warcName}`, bytes: warc },
    { path: 'indexes/index.cdxj', bytes: Buffer.from(cdxj) },
    {
      path: 'pages/pages.jsonl',
      bytes: pageList(
        'pages',
        'Seed Pages',
        rows.filter((row) => row.seed),
      ),
    },
    {
      path: 'pages/extraPages.jsonl',
      bytes: pageList(
        'extra-pages',
        'Non-Seed Pages',
        rows.filter((row) => !row.seed),
      ),
    },
    {
      path: `logs/${options.jobId}.log`,
      bytes: Buffer.from((options.logLines ?? []).map((line) => `${line}\n`).join('')),
    },
  ];
  const datapackage = Buffer.from(
    JSON.stringify({
      profile: 'data-package',
      wacz_version: '1.1.1',
      software: 'Muniment fake driver',
      created: options.created.toISOString(),
      resources: members.map(({ path, bytes }) => ({
        name: (path.split('/').at(-1) ?? path).toLowerCase(),
        path,
        hash: `sha256:${sha256(bytes)}`,
        bytes: bytes.length,
      })),
    }),
  );
  const digest = Buffer.from(JSON.stringify({ path: 'datapackage.json', hash: `sha256:${sha256(datapackage)}` }));
  return zip(
    [...members, { path: 'datapackage.json', bytes: datapackage }, { path: 'datapackage-digest.json', bytes: digest }],
    options.created,
  );
}

function buildWarc(warcName: string, created: Date, pages: readonly FakePageContent[]): { warc: Buffer; cdxj: string } {
  const parts: Buffer[] = [
    record(
      { type: 'warcinfo', date: created, contentType: 'application/warc-fields' },
      Buffer.from('software: fake\r\n'),
    ),
  ];
  let offset = parts[0]?.length ?? 0;
  const lines: string[] = [];
  for (const { page, html } of pages) {
    const body = Buffer.from(html);
    const status = page.status ?? 200;
    const mime = page.mime ?? 'text/html';
    const head = `HTTP/1.1 ${String(status)} ${status === 200 ? 'OK' : 'Status'}\r\ncontent-type: ${mime}\r\ncontent-length: ${String(body.length)}\r\n\r\n`;
    const date = new Date(page.ts);
    const response = record(
      {
        type: 'response',
        date,
        contentType: 'application/http; msgtype=response',
        uri: page.url,
        payloadDigest: `sha256:${sha256(body)}`,
      },
      Buffer.concat([Buffer.from(head), body]),
    );
    const entry = {
      url: page.url,
      mime,
      status: String(status),
      digest: `sha256:${sha256(body)}`,
      length: String(response.length),
      offset: String(offset),
      filename: warcName,
    };
    lines.push(`${surt(page.url)} ${date.toISOString().replace(/\D/g, '')} ${JSON.stringify(entry)}\n`);
    parts.push(response);
    offset += response.length;
  }
  return {
    warc: Buffer.concat(parts),
    cdxj: lines.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))).join(''),
  };
}

interface RecordHead {
  type: 'warcinfo' | 'response';
  date: Date;
  contentType: string;
  uri?: string;
  payloadDigest?: string;
}

/** One WARC/1.1 record as one gzip member. */
function record(head: RecordHead, block: Buffer): Buffer {
  const id = createHash('sha256')
    .update(head.type)
    .update(head.uri ?? '')
    .update(block)
    .digest('hex');
  const uuid = `${id.slice(0, 8)}-${id.slice(8, 12)}-4${id.slice(13, 16)}-8${id.slice(17, 20)}-${id.slice(20, 32)}`;
  const lines = [
    'WARC/1.1',
    `WARC-Type: ${head.type}`,
    `WARC-Record-ID: <urn:uuid:${uuid}>`,
    `WARC-Date: ${head.date.toISOString()}`,
    ...(head.uri ? [`WARC-Target-URI: ${head.uri}`] : []),
    ...(head.payloadDigest ? [`WARC-Payload-Digest: ${head.payloadDigest}`] : []),
    `WARC-Block-Digest: sha256:${sha256(block)}`,
    `Content-Type: ${head.contentType}`,
    `Content-Length: ${String(block.length)}`,
  ];
  return gzipSync(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), block, Buffer.from('\r\n\r\n')]));
}

function pageList(id: string, title: string, rows: readonly CrawlerPage[]): Buffer {
  const header = { format: 'json-pages-1.0', id, title, hasText: false };
  return Buffer.from([header, ...rows].map((row) => `${JSON.stringify(row)}\n`).join(''));
}

/** Sort-friendly form of the plain http URLs the fake makes up: `com,example)/path`. */
function surt(url: string): string {
  const { hostname, port, pathname, search } = new URL(url);
  const host = hostname.split('.').reverse().join(',');
  return `${host}${port ? `:${port}` : ''})${pathname}${search}`.toLowerCase();
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function zip(members: readonly Member[], mtime: Date): Promise<Buffer> {
  const file = new ZipFile();
  for (const { path, bytes } of members) file.addBuffer(bytes, path, { compress: false, mtime });
  file.end();
  const chunks: Buffer[] = [];
  for await (const chunk of file.outputStream) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}
