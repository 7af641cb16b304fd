import { gunzipSync } from 'node:zlib';
import { readAll } from '../zip/byte-source.js';
import { cdxjLine } from './cdxj.js';
import { indexMembers } from './index-members.js';
import { SortedLines } from './sorted-lines.js';

async function membersOf(keys: readonly string[]): Promise<{ path: string; bytes: Buffer }[]> {
  const lines = new SortedLines(undefined, 20_000);
  const fields = { url: 'https://a.test/', digest: 'sha256:00', length: '1', offset: '0', filename: 'f.warc.gz' };
  for (const key of keys) await lines.add(cdxjLine({ key, ts: '20261121064456283', fields }));
  const members: { path: string; bytes: Buffer }[] = [];
  for await (const { path, content } of indexMembers(lines))
    members.push({ path, bytes: await readAll(content as AsyncIterable<Buffer>) });
  await lines.close();
  return members;
}

describe('the index of a WACZ', () => {
  it('is one plain file while small, sorted by bytes', async () => {
    const [member, ...rest] = await membersOf(['b', 'Z', 'é', 'a']);
    expect(rest).toEqual([]);
    expect(member!.path).toBe('indexes/index.cdxj');
    const lines = member!.bytes.toString().trim().split('\n');
    expect(lines.map((text) => text.split(' ')[0])).toEqual(['Z', 'a', 'b', 'é']);
  });

  it('is there where nothing was archived', async () => {
    expect(await membersOf([])).toEqual([{ path: 'indexes/index.cdxj', bytes: Buffer.alloc(0) }]);
  });

  it('is compressed in blocks when large, each block findable by its first key', async () => {
    const members = await membersOf(
      Array.from({ length: 7_000 }, (_, i) => `key-${String(6_999 - i).padStart(5, '0')}`),
    );
    expect(members.map(({ path }) => path)).toEqual(['indexes/index.cdx.gz', 'indexes/index.idx']);
    const [meta, ...blocks] = members[1]!.bytes.toString().trim().split('\n');
    expect(meta).toBe('!meta 0 {"format":"cdxj-gzip-1.0","filename":"index.cdx.gz"}');
    expect(blocks).toHaveLength(3);
    for (const block of blocks) {
      const { offset, length } = JSON.parse(block.slice(block.indexOf('{'))) as { offset: number; length: number };
      const text = gunzipSync(members[0]!.bytes.subarray(offset, offset + length)).toString();
      expect(text.startsWith(block.slice(0, block.indexOf(' {')))).toBe(true);
    }
  });
});
