import { gzipSync } from 'node:zlib';
import { ZipArchive } from '../../formats/zip/zip-archive.js';
import { BufferSource } from '../../test/support/byte-source.js';
import { zipOf } from '../../test/support/zip.js';
import { PageRecords } from './page-records.js';
import { pagesOf } from './wacz-pages.js';

const HEADER = '{"format":"json-pages-1.0","id":"pages","title":"Pages"}';
const page = (id: string): string => JSON.stringify({ id, url: `https://a.example/${id}`, ts: '2026-01-01T00:00:00Z' });

const wacz = (): Promise<Buffer> =>
  zipOf([
    { name: 'pages/pages.jsonl', content: `${HEADER}\n${page('seed')}\n` },
    { name: 'pages/extraPages.jsonl', content: `${HEADER}\n${page('other')}\nno JSON\n`, compress: true },
    { name: 'pages/more.jsonl', content: page('third') },
  ]);
const idsOf = async (bytes: Buffer): Promise<string[]> =>
  (await pagesOf(await ZipArchive.open(new BufferSource(bytes)))).map(({ id }) => id);

describe('the pages that a quality check compares', () => {
  it('are those that the service lists: of every list, in their order', async () => {
    expect(await idsOf(await wacz())).toEqual(['seed', 'other', 'third']);
  });

  it('are not taken from a file that is damaged, which would pass for one without pages', async () => {
    const bytes = await wacz();
    const damaged = Buffer.from(bytes);
    damaged.write('XX', bytes.indexOf('PK\x01\x02', 'latin1'), 'latin1');
    await expect(idsOf(damaged)).rejects.toThrow('no central header');
    damaged.set(bytes);
    damaged.write('other', bytes.indexOf('https://a.example/seed', 'latin1'), 'latin1');
    await expect(idsOf(damaged)).rejects.toThrow('checksum');
  });
});

it('a record is read from its place in the WARC, and one whose place lies outside is none', async () => {
  const record = gzipSync('WARC/1.1\r\nContent-Length: 4\r\n\r\ntext\r\n\r\n');
  const line = (url: string, length: number): string =>
    `urn:text:${url} 20260101000000 ${JSON.stringify({ offset: '3', length: String(length), filename: 'a.warc.gz' })}\n`;
  const bytes = await zipOf([
    { name: 'archive/a.warc.gz', content: Buffer.concat([Buffer.from('abc'), record]) },
    {
      name: 'indexes/index.cdx.gz',
      content: gzipSync(line('https://a.example/a b', record.length) + line('https://a.example/', 5000)),
    },
  ]);
  const records = new PageRecords();
  await records.addSource(await ZipArchive.open(new BufferSource(bytes)));
  expect(String(await records.read('text', 'https://a.example/a b'))).toBe('text');
  expect(await records.read('view', 'https://a.example/')).toBeNull();
  await expect(records.read('text', 'https://a.example/')).rejects.toThrow('has no 5000 bytes');
});
