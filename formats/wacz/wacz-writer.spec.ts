import { createHash } from 'node:crypto';
import { BufferSource } from '../../test/support/byte-source.js';
import { readAll } from '../zip/byte-source.js';
import { ZipArchive } from '../zip/zip-archive.js';
import type { ZipEntry } from '../zip/zip-directory.js';
import { directoryAndEnd, type WrittenEntry } from '../zip/zip-records.js';
import { writeWacz } from './wacz-writer.js';

const FACTS = { created: '2026-01-01T00:00:00.000Z', software: 'test' };
const sha256 = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

describe('a WACZ', () => {
  const members = [
    { path: 'archive/Data.warc.gz', content: [Buffer.from('one '), Buffer.from('two')] },
    { path: 'logs/empty.log', content: [] },
  ];

  it('has its members as they are and says what they hash to', async () => {
    const archive = await ZipArchive.open(new BufferSource(await readAll(writeWacz(members, FACTS))));
    const found = await archive.find(() => true);
    const names = ['archive/Data.warc.gz', 'logs/empty.log', 'datapackage.json', 'datapackage-digest.json'];
    expect(found.map(({ name, method }) => [name, method])).toEqual(names.map((name) => [name, 0]));
    const [data, , description, digest] = await Promise.all(found.map((entry) => archive.readWhole(entry, 1e6)));
    expect(String(data)).toBe('one two');
    expect(JSON.parse(String(description))).toEqual({
      profile: 'data-package',
      wacz_version: '1.1.1',
      resources: [
        { name: 'data.warc.gz', path: 'archive/Data.warc.gz', hash: sha256(Buffer.from('one two')), bytes: 7 },
        { name: 'empty.log', path: 'logs/empty.log', hash: sha256(Buffer.alloc(0)), bytes: 0 },
      ],
      ...FACTS,
    });
    expect(JSON.parse(String(digest))).toEqual({ path: 'datapackage.json', hash: sha256(description!) });
  });

  it('names the WACZs that it needs, and says nothing when it needs none', async () => {
    const relationOf = async (facts: Parameters<typeof writeWacz>[1]): Promise<unknown> => {
      const archive = await ZipArchive.open(new BufferSource(await readAll(writeWacz(members, facts))));
      const [description] = await archive.find((name) => name === 'datapackage.json');
      return (JSON.parse(String(await archive.readWhole(description!, 1e6))) as { relation?: unknown }).relation;
    };
    const requires = [{ filename: 'earlier.wacz', hash: 'ab', size: 7, crawlId: 'earlier' }];
    expect(await relationOf({ ...FACTS, requires })).toEqual({ requires });
    expect(await relationOf({ ...FACTS, requires: [] })).toBeUndefined();
  });

  it('asks for a signature once all else is written, and is as it always was without one', async () => {
    const asked: unknown[] = [];
    const wait: { done?: () => void } = {};
    const signedData = { hash: 'h', created: 'c', software: 's', signature: 'g', publicKey: 'k' };
    const writing = readAll(
      writeWacz(members, FACTS, async (what) => {
        asked.push(what);
        await new Promise<void>((resolve) => (wait.done = resolve));
        return signedData;
      }),
    );
    while (!wait.done) await new Promise((resolve) => setImmediate(resolve));
    wait.done();
    const archive = await ZipArchive.open(new BufferSource(await writing));
    const found = await archive.find((name) => name.startsWith('datapackage'));
    const [description, digest] = await Promise.all(found.map((entry) => archive.readWhole(entry, 1e6)));
    const hash = sha256(description!);
    expect(asked).toEqual([{ hash, created: FACTS.created }]);
    expect(JSON.parse(String(digest))).toEqual({ path: 'datapackage.json', hash, signedData });
    const [none, unsigned] = await Promise.all([
      readAll(writeWacz(members, FACTS)),
      readAll(writeWacz(members, FACTS, () => Promise.resolve(null))),
    ]);
    expect(none.equals(unsigned)).toBe(true);
  });

  it('is the same for the same members, and readable for those who know no ZIP64', async () => {
    const [one, other] = await Promise.all([0, 1].map(() => readAll(writeWacz(members, FACTS))));
    expect(one!.equals(other!)).toBe(true);
    expect(one!.readUInt16LE(one!.length - 22 + 10)).toBe(4);
    expect(one!.readUInt32LE(one!.readUInt32LE(one!.length - 22 + 16) + 20)).toBe(7);
  });
});

it('what is larger than 4 GB is found by its ZIP64 fields', async () => {
  const entry = (name: string, offset: number, size: number): WrittenEntry => ({
    name,
    size,
    crc32: 0,
    offset,
    hasDescriptor: true,
  });
  const written = [entry('a', 0, 5e9), entry('b', 5_000_000_100, 1), entry('c', 200, 3)];
  const directory = directoryAndEnd(written, 5_000_000_200, 'where needed');
  const end = new BufferSource(Buffer.concat([Buffer.alloc(70_000), directory]));
  const hidden = 5_000_000_200 - 70_000;
  const source = {
    size: hidden + end.size,
    stream: (start: number, length: number) => end.stream(start - hidden, length),
  };
  const found: ZipEntry[] = [];
  for await (const one of (await ZipArchive.open(source)).entries()) found.push(one);
  expect(found.map(({ name, size, headerOffset }) => [name, size, headerOffset])).toEqual([
    ['a', 5e9, 0],
    ['b', 1, 5_000_000_100],
    ['c', 3, 200],
  ]);
});
