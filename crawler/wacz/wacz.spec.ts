import { gunzipSync } from 'node:zlib';
import type { CdxLine } from '../warc/cdx.js';
import { indexMembers } from './index-file.js';
import { waczName } from '../../formats/wacz/wacz-name.js';
import { uniqueName } from './unique-name.js';

const line = (key: string): CdxLine => ({
  key,
  ts: '20261121064456283',
  fields: { url: `https://a.test/${key}`, digest: 'sha256:00', length: '1', offset: '0', filename: 'f.warc.gz' },
  end: 1,
  wacz: 'w.wacz',
  date: '2026-11-21T06:44:56.283Z',
});

describe('the index of a WACZ', () => {
  it('is one plain file while small, sorted by bytes', () => {
    const [member, ...rest] = indexMembers([line('b'), line('Z'), line('é'), line('a')]);
    expect(rest).toEqual([]);
    expect(member!.path).toBe('indexes/index.cdxj');
    expect(
      member!.bytes
        .toString()
        .trim()
        .split('\n')
        .map((text) => text.split(' ')[0]),
    ).toEqual(['Z', 'a', 'b', 'é']);
  });

  it('is compressed in blocks when large, each block findable by its first key', () => {
    const members = indexMembers(
      Array.from({ length: 7_000 }, (_, i) => line(`key-${String(6_999 - i).padStart(5, '0')}`)),
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

describe('the name of a WACZ', () => {
  const id = 'manual-20261121054215-0e138ad6-b8c';

  it('comes from the template', () => {
    const at = '2026-11-21T05:42:15.007Z';
    expect(waczName('@ts-@hostsuffix.wacz', id, 0, at)).toBe('20261121054215007-0e138ad6-b8c-0.wacz');
    expect(waczName('x/@id-@hostname', id, 3, at)).toBe(`x-${id}-crawl-${id}-3.wacz`);
  });

  it('is unique within the job, the instance still last', () => {
    expect(uniqueName('a-0.wacz', new Set())).toBe('a-0.wacz');
    expect(uniqueName('a-0.wacz', new Set(['a-0.wacz']))).toBe('a-1-0.wacz');
    expect(uniqueName('a.wacz', new Set(['a.wacz', 'a-1.wacz']))).toBe('a-2.wacz');
  });
});
