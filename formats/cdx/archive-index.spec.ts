import { gzipSync } from 'node:zlib';
import yazl from 'yazl';
import { BufferSource } from '../../test/support/byte-source.js';
import { ZipArchive } from '../zip/zip-archive.js';
import { findIndex, indexLines } from './archive-index.js';
import { cdxjLine } from './cdxj.js';
import { indexMembers } from './index-members.js';
import { mergedLines } from './merged-lines.js';
import { SortedLines } from './sorted-lines.js';
import { EVERYTHING } from './sorted-text.js';

const key = (n: number): string => `org,example)/${String(n).padStart(6, '0')}`;
const line = (n: number): string =>
  cdxjLine({ key: key(n), ts: '20260101000000', fields: { url: `https://example.org/${n}`, status: '200' } });
const rangeOf = (n: number) => ({ from: `${key(n)} `, until: `${key(n)}!` });
const ALL = Array.from({ length: 10_000 }, (_, n) => line(n));

async function archive(members: Record<string, Buffer>, compress = false) {
  const zip = new yazl.ZipFile();
  for (const [name, bytes] of Object.entries(members)) zip.addBuffer(bytes, `indexes/${name}`, { compress });
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer);
  const source = new BufferSource(Buffer.concat(chunks));
  const parts = await findIndex(await ZipArchive.open(source));
  source.bytesRead = 0;
  return { source, parts };
}

async function read({ source, parts }: Awaited<ReturnType<typeof archive>>, range = EVERYTHING): Promise<string[]> {
  const found: string[] = [];
  for await (const one of mergedLines(parts.map((part) => indexLines(source, part, range)))) found.push(one);
  return found;
}

async function blocks(lines: readonly string[]): Promise<Record<string, Buffer>> {
  const sorted = new SortedLines();
  for (const one of lines) await sorted.add(one);
  const members: Record<string, Buffer> = {};
  for await (const { path, content } of indexMembers(sorted)) {
    const chunks: Buffer[] = [];
    for await (const chunk of content as AsyncIterable<Buffer>) chunks.push(chunk);
    members[path.slice('indexes/'.length)] = Buffer.concat(chunks);
  }
  return members;
}

describe('the index of an archive', () => {
  const forms: [string, () => Promise<Awaited<ReturnType<typeof archive>>>][] = [
    ['in blocks', async () => archive(await blocks(ALL))],
    ['plain', () => archive({ 'index.cdx': Buffer.from(`${ALL.join('\n')}\n`) })],
    ['packed without a table', () => archive({ 'index.cdx.gz': gzipSync(`${ALL.join('\n')}\n`) })],
    ['deflated', () => archive({ 'index.cdxj': Buffer.from(`${ALL.join('\n')}\n`) }, true)],
    ['in blocks, deflated', async () => archive(await blocks(ALL), true)],
  ];

  it.each(forms)('%s, gives its lines in order', async (_form, make) => {
    expect(await read(await make())).toEqual(ALL);
  });

  it.each(forms)('%s, finds each line by its key', async (_form, make) => {
    const made = await make();
    for (const n of [0, 1, 2_999, 3_000, 3_001, 5_999, 6_000, 7_777, 9_999])
      expect(await read(made, rangeOf(n))).toEqual([line(n)]);
    expect(await read(made, { from: 'zz', until: null })).toEqual([]);
    expect(await read(made, { from: '', until: 'a' })).toEqual([]);
  });

  it.each(forms.slice(0, 2))('%s, is not read whole for one key', async (_form, make) => {
    const made = await make();
    const whole = made.source.size;
    expect(await read(made, rangeOf(8_000))).toHaveLength(1);
    expect(made.source.bytesRead).toBeLessThan(whole * 0.6);
  });

  it('gives a small one sorted that its writer left unsorted', async () => {
    expect(await read(await archive({ 'index.cdx': Buffer.from('b 1 {}\na 1 {}\n') }))).toEqual(['a 1 {}', 'b 1 {}']);
  });

  it('finds all captures of a key that fill several blocks', async () => {
    const many = Array.from({ length: 7_000 }, (_, n) =>
      cdxjLine({ key: key(5), ts: String(20260101000000 + n), fields: { url: 'https://example.org/' } }),
    );
    const made = await archive(await blocks([line(1), ...many, line(9)]));
    expect(await read(made, rangeOf(5))).toEqual(many);
  });

  it('refuses a table that leads nowhere', async () => {
    const members = await blocks(ALL);
    members['index.idx'] = Buffer.from(String(members['index.idx']).replace(/"length":\d+/g, '"length":99999999'));
    await expect(read(await archive(members))).rejects.toThrow(/block that is not there/);
  });
});

it('lines of several sources are merged in order, each source being ended at the end', async () => {
  const ended: number[] = [];
  async function* source(n: number): AsyncGenerator<string> {
    try {
      for (let i = n; i < 300; i += 30) yield String(i).padStart(3, '0');
    } finally {
      ended.push(n);
    }
  }
  const sources = Array.from({ length: 30 }, (_, n) => source(n));
  const taken: string[] = [];
  for await (const one of mergedLines(sources)) {
    taken.push(one);
    if (taken.length === 200) break;
  }
  expect(taken).toEqual(Array.from({ length: 200 }, (_, i) => String(i).padStart(3, '0')));
  expect(ended).toHaveLength(30);
});
