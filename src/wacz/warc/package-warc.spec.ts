import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';

import { BufferSource } from '../../../test/support/byte-source.js';
import { packedPerRecord, response, siteRecords, warcinfo } from '../../../test/support/warc.js';
import { UnreadableWacz } from '../../../formats/unreadable-wacz.js';
import { readPages } from '../wacz.js';
import { ZipArchive } from '../../../formats/zip/zip-archive.js';
import { packageWarc } from './package-warc.js';
import { sniffWarc } from './sniff.js';
import { SortedLines } from '../../../formats/cdx/sorted-lines.js';
import { NotPackedPerRecord } from './warc-scanner.js';

const FACTS = { created: '2026-01-01T00:00:00.000Z', software: 'test', title: 'A title' };

const bytesOf = (bytes: Buffer) => new BufferSource(bytes);

interface PackageOptions {
  isGzip: boolean;
  anyMembers?: boolean;
  freeBytes?: number;
  /** Bytes that the store delivers at a time. */
  chunk?: number;
}

async function packaged(warc: Buffer, { chunk = warc.length, ...options }: PackageOptions): Promise<Buffer> {
  const chunks = Array.from({ length: Math.ceil(warc.length / chunk) }, (_, i) =>
    warc.subarray(i * chunk, (i + 1) * chunk),
  );
  const open = () => Promise.resolve(Readable.from(chunks));
  const source = { name: 'site.warc.gz', packedBytes: warc.length, open, ...options };
  const parts: Buffer[] = [];
  for await (const part of packageWarc(source, FACTS)) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
}

async function member(wacz: Buffer, name: string): Promise<Buffer> {
  const zip = await ZipArchive.open(bytesOf(wacz));
  const [entry] = await zip.find((candidate) => candidate === name);
  if (!entry) throw new Error(`no ${name}`);
  const parts: Buffer[] = [];
  for await (const part of zip.read(entry)) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

interface IndexLine {
  key: string;
  url: string;
  mime: string;
  status: string;
  digest: string;
  offset: string;
  length: string;
}

async function lines(wacz: Buffer): Promise<IndexLine[]> {
  const text = (await member(wacz, 'indexes/index.cdxj')).toString('utf8').trim();
  return text.split('\n').map((line) => {
    const fields = JSON.parse(line.slice(line.indexOf('{'))) as Omit<IndexLine, 'key'>;
    return { key: line.split(' ', 1)[0] ?? '', ...fields };
  });
}

const pagesOf = async (wacz: Buffer) => {
  const pages: (string | null)[][] = [];
  for await (const { url, title } of readPages(await ZipArchive.open(bytesOf(wacz)))) pages.push([url, title]);
  return pages;
};

const PAGES = [
  ['https://warc.example/', 'Start & Ziel'],
  ['https://warc.example/second', 'Zweite Seite ü'],
];

describe('packageWarc', () => {
  it.each([
    ['plain', Buffer.concat(siteRecords()), { isGzip: false }],
    ['one member per record', packedPerRecord(siteRecords()), { isGzip: true }],
    ['one member for all', gzipSync(Buffer.concat(siteRecords())), { isGzip: true, anyMembers: true }],
  ])('indexes a file: %s', async (_label, warc, options) => {
    for (const chunk of [1, 7, 1000, warc.length]) {
      const wacz = await packaged(warc, { ...options, chunk });
      const inside = await member(wacz, 'archive/site.warc.gz');
      if (!('anyMembers' in options)) expect(inside.equals(warc)).toBe(true);
      const index = await lines(wacz);
      expect(index.map(({ key, mime, status }) => [key, mime, status])).toEqual([
        ['example,warc)/', 'text/html', '200'],
        ['example,warc)/api?__wb_method=post&q=muniment', 'application/json', '200'],
        ['example,warc)/frame', 'text/html', '200'],
        ['example,warc)/pixel.gif', 'image/gif', '200'],
        ['example,warc)/second', 'text/html', '200'],
      ]);
      for (const { url, offset, length, digest } of index) {
        const part = inside.subarray(Number(offset), Number(offset) + Number(length));
        const record = (options.isGzip ? gunzipSync(part) : part).toString('latin1');
        expect(record.startsWith('WARC/1.0\r\n')).toBe(true);
        expect(record).toContain(`WARC-Target-URI: ${url}\r\n`);
        expect(record.match(/WARC-Type: /g)).toHaveLength(1);
        expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
      }
      expect(await pagesOf(wacz)).toEqual(PAGES);
    }
  });

  it('keeps the digest that a record states', async () => {
    const stated = response('https://a.example/', 'text/plain', 'x', {
      headers: { 'WARC-Payload-Digest': 'sha1:ABC' },
    });
    const [line] = await lines(await packaged(stated, { isGzip: false }));
    expect(line).toMatchObject({ digest: 'sha1:ABC' });
  });

  it('packs a long index in blocks with a table', async () => {
    const records = Array.from({ length: 4000 }, (_, i) => response(`https://a.example/${i}`, 'text/plain', `${i}`));
    const wacz = await packaged(Buffer.concat(records), { isGzip: false });
    const [meta, ...blocks] = (await member(wacz, 'indexes/index.idx')).toString('utf8').trim().split('\n');
    expect(meta).toBe('!meta 0 {"format":"cdxj-gzip-1.0","filename":"index.cdx.gz"}');
    const packed = await member(wacz, 'indexes/index.cdx.gz');
    const unpacked = blocks.flatMap((block) => {
      const { offset, length } = JSON.parse(block.slice(block.indexOf('{'))) as { offset: number; length: number };
      return gunzipSync(packed.subarray(offset, offset + length))
        .toString('utf8')
        .trim()
        .split('\n');
    });
    expect(blocks).toHaveLength(2);
    expect(unpacked).toHaveLength(4000);
    expect(unpacked).toEqual([...unpacked].sort());
  });

  it('refuses to index records that share a gzip member', async () => {
    const shared = Buffer.concat([packedPerRecord([warcinfo()]), gzipSync(Buffer.concat(siteRecords()))]);
    await expect(packaged(shared, { isGzip: true })).rejects.toBeInstanceOf(NotPackedPerRecord);
    expect(await pagesOf(await packaged(shared, { isGzip: true, anyMembers: true }))).toEqual(PAGES);
  });

  it.each<[string, string, Buffer, boolean]>([
    ['ends within a record', 'truncated', Buffer.concat(siteRecords()).subarray(0, -20), false],
    ['ends within a header', 'truncated', Buffer.concat([warcinfo(), Buffer.from('WARC/1.0\r\nWARC')]), false],
    ['ends within a member', 'truncated', packedPerRecord(siteRecords()).subarray(0, -5), true],
    ['has something else behind a record', 'corrupt', Buffer.concat([warcinfo(), Buffer.from('hello\r\n\r\n')]), false],
    ['has something else behind a member', 'corrupt', Buffer.concat([gzipSync(warcinfo()), Buffer.alloc(20, 1)]), true],
    ['has a record without a length', 'corrupt', Buffer.from('WARC/1.0\r\nWARC-Type: response\r\n\r\n'), false],
    ['has a negative length', 'corrupt', Buffer.from('WARC/1.0\r\nContent-Length: -5\r\n\r\n'), false],
    ['has a header without an end', 'corrupt', Buffer.from(`WARC/1.0\r\n${'x: y\r\n'.repeat(60_000)}`), false],
  ])('gives up a file that %s', async (_label, reason, warc, isGzip) => {
    const failure = await packaged(warc, { isGzip, chunk: 1000 }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UnreadableWacz);
    expect(failure).toMatchObject({ reason });
  });

  it('gives up a file whose checksum is wrong', async () => {
    const damaged = packedPerRecord(siteRecords());
    damaged[damaged.length - 6]! ^= 0xff;
    await expect(packaged(damaged, { isGzip: true })).rejects.toMatchObject({ reason: 'corrupt' });
  });

  it('cuts off a bomb', async () => {
    const bomb = gzipSync(response('https://a.example/', 'text/plain', Buffer.alloc(20_000_000)));
    const failure = packaged(bomb, { isGzip: true, freeBytes: 1_000_000 });
    await expect(failure).rejects.toMatchObject({ reason: 'too-large' });
  });
});

describe('sniffWarc', () => {
  it.each<[string, Buffer, unknown]>([
    ['a plain WARC', Buffer.concat(siteRecords()), { isGzip: false }],
    ['a packed WARC', packedPerRecord(siteRecords()), { isGzip: true }],
    ['a WARC packed at once', gzipSync(Buffer.concat(siteRecords())), { isGzip: true }],
    [
      'a WARC with a long first record',
      gzipSync(response('https://a.example/', 'a/b', crypto.getRandomValues(Buffer.alloc(60_000)))),
      { isGzip: true },
    ],
    ['another gzip file', gzipSync('hello'), null],
    ['text', Buffer.from('hello'), null],
    ['nothing', Buffer.alloc(0), null],
    ['a broken gzip file', Buffer.from([0x1f, 0x8b, 9, 9]), null],
  ])('knows %s', async (_label, bytes, expected) => {
    expect(await sniffWarc(bytesOf(bytes))).toEqual(expected);
  });
});

describe('SortedLines', () => {
  it('sorts by bytes across runs', async () => {
    const words = Array.from({ length: 5000 }, (_, i) => `${(i * 7919) % 5000} ${['ü', '𝄞', '￿', 'a'][i % 4]}`);
    const sorter = new SortedLines(undefined, 1000);
    for (const word of words) await sorter.add(word);
    const sorted: string[] = [];
    for await (const line of sorter.sorted()) sorted.push(line.toString('utf8'));
    await sorter.close();
    expect(sorted).toEqual([...words].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
  });
});
