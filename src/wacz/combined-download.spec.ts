import { createHash, randomBytes, randomInt } from 'node:crypto';
import { mkdtemp, open, rm, truncate } from 'node:fs/promises';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';

import { BufferSource } from '../../test/support/byte-source.js';
import { LocalObjectStore } from '../storage/local/local-object-store.js';
import { UrlSigner } from '../storage/sigv4.js';
import { CombinedDownload, type CombinedMember, SingleDownload } from './combined-download.js';
import { readMember } from './member-reader.js';
import { contentDisposition, sendDownload } from './send-download.js';
import { uniqueNames } from './unique-names.js';
import { MemberUnavailable } from './wacz.errors.js';
import { readPages } from './wacz.js';
import { ZipArchive } from '../../formats/zip/zip-archive.js';
import { openArchive } from './object-byte-source.js';
import { directoryAndEnd, localHeader } from '../../formats/zip/zip-records.js';

const SOFTWARE = 'Muniment v1';

function member(name: string, bytes: Buffer, withCrc = true): CombinedMember {
  return {
    name,
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    ...(withCrc ? { crc32: crc32(bytes) } : {}),
    open: async (start) => Readable.from([bytes.subarray(start)], { objectMode: false }),
  };
}

async function bytesOf(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const inMemory = (bytes: Buffer) => ZipArchive.open(new BufferSource(bytes));

describe('CombinedDownload', () => {
  const parts = [randomBytes(100_000), Buffer.alloc(0), randomBytes(70_001)];
  const named = (withCrc: boolean) => parts.map((bytes, i) => member(`part-${i}-é.wacz`, bytes, withCrc));
  const metadata = { type: 'upload', id: 'upload-1', organization: 'default-org', title: 'Mÿ 😀' };

  it.each([true, false])(
    'is a ZIP of the announced length with every file unchanged (CRCs known: %s)',
    async (known) => {
      const download = new CombinedDownload(named(known), SOFTWARE, metadata);
      const bytes = await bytesOf(download.stream());
      expect(bytes.length).toBe(download.size);
      const archive = await inMemory(bytes);
      const entries = await archive.find(() => true);
      expect(entries.map((entry) => entry.name)).toEqual([...named(known).map((m) => m.name), 'datapackage.json']);
      for (const [i, entry] of entries.slice(0, -1).entries()) {
        expect((await bytesOf(archive.read(entry))).equals(parts[i]!)).toBe(true);
      }
    },
  );

  it('gives the same bytes whether CRCs were known or had to be computed', async () => {
    const known = await bytesOf(new CombinedDownload(named(true), SOFTWARE, metadata).stream());
    const computed = await bytesOf(new CombinedDownload(named(false), SOFTWARE, metadata).stream());
    expect(known.equals(computed)).toBe(true);
  });

  it('describes its resources as the reference does', async () => {
    const one = new CombinedDownload([member('a.wacz', Buffer.from('x'))], SOFTWARE, metadata);
    const archive = await inMemory(await bytesOf(one.stream()));
    const [entry] = await archive.find((name) => name === 'datapackage.json');
    expect((await bytesOf(archive.read(entry!))).toString()).toBe(
      `{
  "profile": "multi-wacz-package",
  "resources": [
    {
      "name": "a.wacz",
      "path": "a.wacz",
      "hash": "sha256:2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881",
      "bytes": 1
    }
  ],
  "software": "Muniment v1",
  "type": "upload",
  "id": "upload-1",
  "organization": "default-org",
  "title": "M\\u00ff \\ud83d\\ude00"
}`,
    );
  });

  it('writes headers as the contract fixes them', async () => {
    const bytes = await bytesOf(new CombinedDownload([member('a.wacz', Buffer.from('x'))], SOFTWARE, {}).stream());
    expect(bytes.readUInt16LE(4)).toBe(45); // version needed
    expect(bytes.readUInt16LE(6)).toBe(0x0808); // UTF-8 name, data descriptor
    expect(bytes.readUInt16LE(8)).toBe(0); // stored
    expect(bytes.readUInt32LE(14)).toBe(0); // CRC follows the data
    expect(bytes.readUInt32LE(18)).toBe(0xffffffff);
    expect(bytes.readUInt16LE(36)).toBe(0x0001); // ZIP64 extra behind the name
    expect(bytes.readUInt16LE(38)).toBe(16);
    expect(bytes.readUInt16LE(56)).toBe(0x5455);
    const second = bytes.indexOf('PK\x03\x04', 4, 'latin1');
    expect(bytes.readUInt16LE(second + 6)).toBe(0x0800);
    expect(bytes.readUInt32LE(second + 14)).not.toBe(0);
    const central = bytes.indexOf('PK\x01\x02', 0, 'latin1');
    expect((bytes.readUInt32LE(central + 38) >>> 16) & 0o777).toBe(0o664);
  });

  it('sends any part of itself', async () => {
    const download = new CombinedDownload(named(true), SOFTWARE, metadata);
    const whole = await bytesOf(download.stream());
    for (let round = 0; round < 100; round++) {
      const start = randomInt(download.size);
      const end = randomInt(start, download.size);
      const part = await bytesOf(download.stream(undefined, start, end));
      expect(part.equals(whole.subarray(start, end + 1))).toBe(true);
    }
  });

  it('is only a package description when there are no files', async () => {
    const archive = await inMemory(await bytesOf(new CombinedDownload([], SOFTWARE, {}).stream()));
    expect((await archive.find(() => true)).map((entry) => entry.name)).toEqual(['datapackage.json']);
  });

  it('changes its ETag with its content', () => {
    const etag = (title: string, content: string) =>
      new CombinedDownload([member('a', Buffer.from(content))], SOFTWARE, { title }).etag;
    expect(etag('t', 'x')).toBe(etag('t', 'x'));
    expect(new Set([etag('t', 'x'), etag('t', 'y'), etag('u', 'x')]).size).toBe(3);
  });
});

describe('readMember', () => {
  const bytes = randomBytes(50_000);

  it('goes on where a broken read stopped', async () => {
    const starts: number[] = [];
    const flaky = async (start: number): Promise<Readable> => {
      starts.push(start);
      return Readable.from(
        (function* () {
          yield bytes.subarray(start, start + 9_000);
          if (start + 9_000 < bytes.length) throw new Error('connection lost');
        })(),
        { objectMode: false },
      );
    };
    const read = await bytesOf(
      Readable.from(readMember({ name: 'm', open: flaky }, { from: 0, to: 50_000 }, undefined, 1)),
    );
    expect(read.equals(bytes)).toBe(true);
    expect(starts).toEqual([0, 9_000, 18_000, 27_000, 36_000, 45_000]);
  });

  it('gives up after five failures without progress', async () => {
    let tries = 0;
    const dead = async (): Promise<Readable> => {
      tries += 1;
      throw new Error('refused');
    };
    const reading = bytesOf(Readable.from(readMember({ name: 'm', open: dead }, { from: 0, to: 1 }, undefined, 1)));
    await expect(reading).rejects.toBeInstanceOf(MemberUnavailable);
    expect(tries).toBe(5);
  });

  it('counts an object that is too short as a failure', async () => {
    const short = async (start: number): Promise<Readable> =>
      Readable.from([bytes.subarray(start, 10)], { objectMode: false });
    const reading = bytesOf(Readable.from(readMember({ name: 'm', open: short }, { from: 0, to: 11 }, undefined, 1)));
    await expect(reading).rejects.toBeInstanceOf(MemberUnavailable);
  });
});

describe('sendDownload', () => {
  const content = randomBytes(200_000);
  async function withServer<T>(
    download: CombinedDownload | SingleDownload,
    use: (url: string) => Promise<T>,
  ): Promise<T> {
    const server = createServer((req, res) => {
      sendDownload(req, res, { download, filename: 'ärchiv.wacz' }).catch(() => res.writeHead(503).end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  it('tells the exact length and can be resumed', async () => {
    const download = new CombinedDownload([member('a.wacz', content)], SOFTWARE, {});
    await withServer(download, async (url) => {
      const whole = await fetch(url);
      expect(whole.headers.get('content-type')).toBe('application/wacz+zip');
      expect(Number(whole.headers.get('content-length'))).toBe(download.size);
      const bytes = Buffer.from(await whole.arrayBuffer());
      const etag = whole.headers.get('etag') ?? '';
      const rest = await fetch(url, { headers: { Range: 'bytes=150000-', 'If-Range': etag } });
      expect(rest.status).toBe(206);
      expect(Buffer.from(await rest.arrayBuffer()).equals(bytes.subarray(150_000))).toBe(true);
      expect((await fetch(url, { headers: { Range: 'bytes=1-2', 'If-Range': '"old"' } })).status).toBe(200);
      expect((await fetch(url, { headers: { Range: 'bytes=9999999-' } })).status).toBe(416);
    });
  });

  it('ignores ranges where a CRC is not known', async () => {
    const download = new CombinedDownload([member('a.wacz', content, false)], SOFTWARE, {});
    await withServer(download, async (url) => {
      const response = await fetch(url, { headers: { Range: 'bytes=1-2' } });
      expect([response.status, response.headers.get('etag')]).toEqual([200, null]);
      expect((await response.arrayBuffer()).byteLength).toBe(download.size);
    });
  });

  it('sends a single file as it is', async () => {
    await withServer(new SingleDownload(member('a.wacz', content)), async (url) => {
      expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(content)).toBe(true);
    });
  });

  it('stops reading when the client goes away', async () => {
    let body: Readable | undefined;
    const endless = { ...member('a', Buffer.alloc(0)), size: 1e12, crc32: 0 };
    endless.open = async () => {
      const made = new Readable({ read: () => void made.push(Buffer.alloc(65_536)) });
      body = made;
      return made;
    };
    await withServer(new SingleDownload(endless), async (url) => {
      const response = await new Promise<IncomingMessage>((resolve) => get(url, resolve));
      await new Promise((resolve) => response.once('data', resolve));
      response.destroy();
      while (!body?.destroyed) await new Promise((resolve) => setTimeout(resolve, 5));
    });
    expect(body?.destroyed).toBe(true);
  });

  it('names files in every script', () => {
    expect(contentDisposition('a b.wacz')).toBe('attachment; filename="a b.wacz"');
    expect(contentDisposition('Walk & Café.wacz')).toBe(
      `attachment; filename="Walk & Cafe.wacz"; filename*=UTF-8''Walk%20%26%20Caf%C3%A9.wacz`,
    );
    expect(contentDisposition('😀 it’s (1).wacz')).toBe(
      `attachment; filename="_ it_s (1).wacz"; filename*=UTF-8''%F0%9F%98%80%20it%E2%80%99s%20%281%29.wacz`,
    );
    expect(contentDisposition('\ud800.wacz')).toContain(`filename*=UTF-8''%EF%BF%BD.wacz`);
    expect(contentDisposition('日本.wacz')).toBe(
      `attachment; filename="__.wacz"; filename*=UTF-8''%E6%97%A5%E6%9C%AC.wacz`,
    );
    expect(contentDisposition('a"b\\c\r\nX: y')).toBe('attachment; filename="a\\"b\\\\c__X: y"');
  });
});

describe('uniqueNames', () => {
  it('puts the item before a name that is taken', () => {
    const files = ['a', 'b', 'a', 'a'].map((name, i) => ({ name: `${name}.wacz`, itemId: i < 3 ? `i${i}` : null }));
    expect(uniqueNames(files)).toEqual(['a.wacz', 'b.wacz', 'i2-a.wacz', '2-a.wacz']);
  });
});

describe('an archive of 50 GB', () => {
  it('is read by range: its pages are found in no time', async () => {
    const root = await mkdtemp(join(tmpdir(), 'muniment-sparse-'));
    try {
      const hole = 50_000_000_000;
      const pages = Buffer.from('{"url":"http://a.example/"}\n');
      const big = { name: 'archive/big.warc.gz', size: hole, crc32: 0, offset: 0, hasDescriptor: false };
      const pagesAt = localHeader(big).length + hole;
      const list = {
        name: 'pages/pages.jsonl',
        size: pages.length,
        crc32: crc32(pages),
        offset: pagesAt,
        hasDescriptor: false,
      };
      const tail = Buffer.concat([localHeader(list), pages]);
      const path = join(root, 'big.wacz');
      const file = await open(path, 'w');
      await file.write(localHeader(big), 0, undefined, 0);
      await truncate(path, pagesAt);
      await file.write(
        Buffer.concat([tail, directoryAndEnd([big, list], pagesAt + tail.length)]),
        0,
        undefined,
        pagesAt,
      );
      await file.close();
      const signer = new UrlSigner({ accessKey: 'a', secretKey: 'b', region: 'c' });
      const store = new LocalObjectStore({ root, signer, publicPath: '/data/', reserveBytes: 0 });
      let bytesRead = 0;
      const get = store.get.bind(store);
      store.get = async (key, options) => {
        const body = await get(key, options);
        bytesRead += body.length;
        return body;
      };
      const found: string[] = [];
      for await (const page of readPages(await openArchive(store, 'big.wacz'))) found.push(page.url);
      expect(found).toEqual(['http://a.example/']);
      expect(bytesRead).toBeLessThan(1_000_000);
    } finally {
      await rm(root, { recursive: true });
    }
  });
});
