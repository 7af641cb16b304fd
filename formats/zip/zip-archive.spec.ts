import { randomBytes, randomInt } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';
import yazl from 'yazl';
import { BufferSource } from '../../test/support/byte-source.js';
import { UnreadableWacz } from '../unreadable-wacz.js';
import { readPageLines } from '../wacz/page-lists.js';
import { ZipArchive } from './zip-archive.js';
import { directoryAndEnd, localHeader, type WrittenEntry } from './zip-records.js';

interface Member {
  name: string;
  content: Buffer | string;
  compress?: boolean;
}

async function zip(members: Member[], forceZip64Format = false): Promise<Buffer> {
  const file = new yazl.ZipFile();
  for (const { name, content, compress = false } of members) {
    file.addBuffer(Buffer.from(content), name, { compress, forceZip64Format, mtime: new Date(0) });
  }
  file.end({ forceZip64Format, comment: '' });
  const chunks: Buffer[] = [];
  for await (const chunk of file.outputStream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const open = (bytes: Buffer) => ZipArchive.open(new BufferSource(bytes));

async function contentOf(archive: ZipArchive, name: string, maxBytes?: number): Promise<Buffer> {
  const [entry] = await archive.find((candidate) => candidate === name);
  if (!entry) throw new Error(`no ${name}`);
  const chunks: Buffer[] = [];
  for await (const chunk of archive.read(entry, { maxBytes })) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function linesOf(bytes: Buffer): Promise<void> {
  for await (const _ of readPageLines(await open(bytes)));
}

const reasonOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'readable',
    (error: unknown) => (error instanceof UnreadableWacz ? error.reason : String(error)),
  );

describe('ZipArchive', () => {
  it.each([false, true])('reads stored and deflated members (zip64: %s)', async (zip64) => {
    const big = randomBytes(300_000);
    const archive = await open(
      await zip(
        [
          { name: 'archive/data.warc.gz', content: big },
          { name: 'pages/é.txt', content: 'text '.repeat(10_000), compress: true },
          { name: 'empty', content: '' },
        ],
        zip64,
      ),
    );
    expect(archive.entryCount).toBe(3);
    expect((await contentOf(archive, 'archive/data.warc.gz')).equals(big)).toBe(true);
    expect((await contentOf(archive, 'pages/é.txt')).toString()).toBe('text '.repeat(10_000));
    expect((await contentOf(archive, 'empty')).length).toBe(0);
  });

  it('reads more entries than a plain ZIP can count', async () => {
    const locals: Buffer[] = [];
    const entries: WrittenEntry[] = [];
    let offset = 0;
    for (let i = 0; i <= 70_000; i++) {
      const content = Buffer.from(i === 70_000 ? 'x' : '');
      const name = i === 70_000 ? 'last' : `m/${i}`;
      const entry = { name, size: content.length, crc32: crc32(content), offset, hasDescriptor: false };
      entries.push(entry);
      locals.push(localHeader(entry), content);
      offset += localHeader(entry).length + content.length;
    }
    const archive = await open(Buffer.concat([...locals, directoryAndEnd(entries, offset)]));
    let count = 0;
    for await (const entry of archive.entries()) count += entry.name ? 1 : 0;
    expect(count).toBe(70_001);
    expect((await contentOf(archive, 'last')).toString()).toBe('x');
  });

  it('reads the end and the directory only, however large the members are', async () => {
    const source = new BufferSource(await zip([{ name: 'big', content: randomBytes(5_000_000) }]));
    await (await ZipArchive.open(source)).find(() => true);
    expect(source.bytesRead).toBeLessThan(70_000);
  });

  it('delivers no more than the caller wants', async () => {
    const archive = await open(await zip([{ name: 'a', content: Buffer.alloc(1000), compress: true }]));
    expect(await reasonOf(contentOf(archive, 'a', 999))).toBe('too-large');
    expect((await contentOf(archive, 'a', 1000)).length).toBe(1000);
  });

  it('cuts off a member that unpacks to more than it claims', async () => {
    const bytes = await zip([{ name: 'bomb', content: Buffer.alloc(50_000_000), compress: true }]);
    const directory = bytes.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
    bytes.writeUInt32LE(10, directory + 24);
    const archive = await open(bytes);
    let delivered = 0;
    const reading = (async () => {
      const [entry] = await archive.find(() => true);
      for await (const chunk of archive.read(entry!)) delivered += (chunk as Buffer).length;
    })();
    expect(await reasonOf(reading)).toBe('corrupt');
    expect(delivered).toBeLessThan(100_000);
  });

  it('names an encrypted and an unsupported member', async () => {
    const bytes = await zip([{ name: 'a', content: 'x' }]);
    const directory = bytes.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
    const encrypted = Buffer.from(bytes);
    encrypted.writeUInt16LE(1, directory + 8);
    expect(await reasonOf(contentOf(await open(encrypted), 'a'))).toBe('encrypted');
    const unsupported = Buffer.from(bytes);
    unsupported.writeUInt16LE(99, directory + 10);
    expect(await reasonOf(contentOf(await open(unsupported), 'a'))).toBe('unsupported');
  });

  it('notices changed bytes', async () => {
    const bytes = await zip([{ name: 'a', content: 'hello world' }]);
    bytes[bytes.indexOf('hello')] = 0x48;
    expect(await reasonOf(contentOf(await open(bytes), 'a'))).toBe('corrupt');
  });

  it.each([
    ['empty', Buffer.alloc(0)],
    ['text', Buffer.from('this is no archive at all, just some words')],
    ['zeros', Buffer.alloc(100_000)],
    ['a WARC', Buffer.from('WARC/1.1\r\nWARC-Type: warcinfo\r\n\r\n')],
  ])('says that a file is no ZIP: %s', async (_label, bytes) => {
    expect(await reasonOf(open(bytes))).toBe('not-a-zip');
  });

  it('accepts any names as text and steps over one of 10,000 characters', async () => {
    const bytes = handMade(['../../etc/passwd', '/abs', 'nul\0name', 'same', 'same', 'n'.repeat(10_000), 'last']);
    const names: string[] = [];
    for await (const entry of (await open(bytes)).entries()) names.push(entry.name);
    expect(names).toEqual(['../../etc/passwd', '/abs', 'nul\0name', 'same', 'same', 'last']);
  });

  it('never crashes or hangs, whatever is cut off or changed', async () => {
    const good = await zip([
      { name: 'pages/pages.jsonl', content: '{"url":"http://a/"}\n'.repeat(50), compress: true },
      { name: 'datapackage.json', content: '{}' },
    ]);
    const outcomes = new Set<string>();
    for (let round = 0; round < 1500; round++) {
      const bytes = Buffer.from(good);
      const flips = randomInt(1, 5);
      for (let i = 0; i < flips; i++) bytes[randomInt(bytes.length)] = randomInt(256);
      outcomes.add(await reasonOf(linesOf(bytes)));
      outcomes.add(await reasonOf(linesOf(bytes.subarray(0, randomInt(bytes.length)))));
    }
    const known = ['readable', 'not-a-zip', 'truncated', 'corrupt', 'encrypted', 'unsupported', 'too-large'];
    expect([...outcomes].filter((outcome) => !known.includes(outcome))).toEqual([]);
  });
});

/** An archive with names that no writer would let pass; every member holds `x`. */
function handMade(names: string[]): Buffer {
  const content = deflateRawSync('x');
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const name of names.map((text) => Buffer.from(text))) {
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32('x'), 10);
    fields.writeUInt32LE(content.length, 14);
    fields.writeUInt32LE(1, 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, name, content]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    central.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), fields, rest, name]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(names.length, 8);
  end.writeUInt16LE(names.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}
