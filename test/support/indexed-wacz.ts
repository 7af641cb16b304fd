import { createHash } from 'node:crypto';
import { urlKey } from '../../formats/cdx/cdxj.js';
import { indexMembers } from '../../formats/cdx/index-members.js';
import { SortedLines } from '../../formats/cdx/sorted-lines.js';
import { writeWacz, type RequiredWacz, type WaczMember } from '../../formats/wacz/wacz-writer.js';
import { readAll } from '../../formats/zip/byte-source.js';

/** A line of the index. */
export interface Capture {
  readonly url: string;
  /** What its body is; bodies of one name are equal. */
  readonly body?: string;
  /** Bytes of its record. */
  readonly size?: number;
  readonly ts?: string;
  readonly fields?: object;
}

export const digestOfBody = (body: string): string => `sha256:${createHash('sha256').update(body).digest('hex')}`;

/** A reference to an earlier capture of a body. */
export const revisit = (url: string, body: string, size = 400): Capture => ({
  url,
  body,
  size,
  fields: { mime: 'warc/revisit' },
});

export function indexLine({ url, body = url, size = 5_000, ts = '20201101120000123', fields = {} }: Capture): string {
  const all = { url, mime: 'text/html', status: '200', digest: digestOfBody(body), length: String(size), ...fields };
  return `${urlKey(url)} ${ts} ${JSON.stringify({ ...all, offset: '0', filename: 'a.warc.gz' })}`;
}

/** A WACZ with an index of these captures and one page, that names the WACZs which it needs. There is no archive behind it. */
export async function indexedWacz(
  captures: Iterable<Capture>,
  page = 'https://page.example/',
  requires: readonly RequiredWacz[] = [],
): Promise<Buffer> {
  const index = new SortedLines();
  for (const capture of captures) await index.add(indexLine(capture));
  const pages = [
    { format: 'json-pages-1.0', id: 'pages', title: 'All Pages' },
    { id: 'p', url: page, title: 'A page', ts: '2020-11-01T12:00:00Z', status: 200, mime: 'text/html' },
  ];
  async function* members(): AsyncGenerator<WaczMember> {
    yield { path: 'archive/a.warc.gz', content: [Buffer.alloc(64)] };
    yield* indexMembers(index);
    yield {
      path: 'pages/pages.jsonl',
      content: [Buffer.from(pages.map((row) => `${JSON.stringify(row)}\n`).join(''))],
    };
  }
  return readAll(writeWacz(members(), { created: '2020-11-01T12:00:00.000Z', software: 'test', requires }));
}
