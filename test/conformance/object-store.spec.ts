import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { crc32 } from 'node:zlib';

import { LocalObjectStore } from '../../src/storage/local/local-object-store.js';
import type { ByteRange, ObjectStore } from '../../src/storage/object-store.js';
import { S3ObjectStore } from '../../src/storage/s3/s3-object-store.js';
import { UrlSigner } from '../../src/storage/sigv4.js';
import {
  InvalidObjectKey,
  ObjectNotFound,
  ObjectSizeDiffers,
  ObjectTooLarge,
  RangeNotSatisfiable,
} from '../../src/storage/storage.errors.js';
import { eventually } from '../support/eventually.js';
import { startS3Server } from '../support/s3-server.js';

interface Subject {
  store: ObjectStore;
  /** Files that the store keeps besides the listed objects: temporary names, open multipart uploads. */
  leftovers(): Promise<string[]>;
  stop(): Promise<void>;
}

async function makeLocal(): Promise<Subject> {
  const root = await mkdtemp(join(tmpdir(), 'muniment-store-'));
  const signer = new UrlSigner({ accessKey: 'local', secretKey: 'secret', region: 'local' });
  const store = new LocalObjectStore({ root, signer, publicPath: '/data/', reserveBytes: 0 });
  await store.prepare(new Date());
  return {
    store,
    leftovers: () => readdir(join(root, '.tmp')),
    stop: () => rm(root, { recursive: true, force: true }),
  };
}

const server = await startS3Server();

async function makeS3(): Promise<Subject> {
  if (!server) throw new Error('no S3 server');
  const endpointUrl = `${server.url}${server.bucket}/some/prefix/`;
  const { accessKey, secretKey } = server;
  const store = new S3ObjectStore({
    endpointUrl,
    accessEndpointUrl: endpointUrl,
    accessAddressingStyle: 'path',
    accessKey,
    secretKey,
    region: 'us-east-1',
  });
  return {
    store,
    leftovers: async () => {
      const files = await readdir(server.folder, { recursive: true, withFileTypes: true });
      return files.filter((f) => f.isFile() && f.parentPath.includes('.sgwtmp')).map((f) => f.name);
    },
    stop: () => store.close(),
  };
}

const BAD_KEYS = [
  ['empty', ''],
  ['absolute', '/abs'],
  ['with an empty segment', 'a//b'],
  ['climbing inside', 'a/../b'],
  ['climbing at once', '..'],
  ['with a dot segment', './a'],
  ['a folder', 'a/'],
  ['with a backslash', 'a\\b'],
  ['with a NUL', 'a\0b'],
  ['too long for a file name', `a/${'n'.repeat(300)}`],
  ['too long for S3', 'x/'.repeat(550) + 'x'],
] as const;

describeObjectStore('local', makeLocal);
if (server) describeObjectStore('s3', makeS3);

afterAll(async () => {
  await server?.stop();
});

function describeObjectStore(name: string, make: () => Promise<Subject>): void {
  describe(`ObjectStore: ${name}`, () => {
    let subject: Subject;
    let store: ObjectStore;
    let n = 0;
    const key = (): string => `org/uploads/file-${++n}.wacz`;

    beforeAll(async () => {
      subject = await make();
      store = subject.store;
    });
    afterAll(() => subject.stop());

    async function read(k: string, range?: ByteRange): Promise<Buffer> {
      const { body } = await store.get(k, { range });
      const chunks: Buffer[] = [];
      for await (const chunk of body) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks);
    }

    async function expectNothingLeft(k: string): Promise<void> {
      expect(await store.head(k)).toBeNull();
      // A server notices a little later that the connection broke.
      await eventually(async () => expect(await subject.leftovers()).toEqual([]));
    }

    const SIZES: [string, number][] = [
      ['no bytes', 0],
      ['one byte', 1],
      ['exactly one part', 10_000_000],
      ['one part and a byte', 10_000_001],
      ['several parts', 23_456_789],
    ];

    it.each([
      ...SIZES.map(([label, size]) => [label, size, undefined] as const),
      ...SIZES.map(([label, size]) => [`${label}, as announced,`, size, size] as const),
    ])('keeps a body of %s and tells its size and digests', async (_label, size, exactSize) => {
      const bytes = randomBytes(size);
      const k = key();
      const body = Readable.from(inPieces(bytes, 65_521), { objectMode: false });
      const stored = await store.put(k, body, { exactSize });
      expect(stored).toEqual({ size, sha256: createHash('sha256').update(bytes).digest('hex'), crc32: crc32(bytes) });
      expect(await store.head(k)).toMatchObject({ size });
      expect((await read(k)).equals(bytes)).toBe(true);
      expect(await subject.leftovers()).toEqual([]);
    });

    it('takes a buffer as a body', async () => {
      const k = key();
      await store.put(k, Buffer.from('hello'), { contentType: 'text/plain' });
      expect((await read(k)).toString()).toBe('hello');
    });

    it('replaces an object and changes its ETag', async () => {
      const k = key();
      await store.put(k, Buffer.from('first'));
      const before = await store.head(k);
      await store.put(k, Buffer.from('other'));
      const after = await store.head(k);
      expect(after?.etag).not.toBe(before?.etag);
      expect(after?.etag).toMatch(/^".+"$/);
      expect((await read(k)).toString()).toBe('other');
    });

    it.each<[ByteRange, string]>([
      [{ start: 0, end: 0 }, '0'],
      [{ start: 3, end: 5 }, '345'],
      [{ start: 7 }, '789'],
      [{ start: 7, end: 5000 }, '789'],
      [{ suffix: 2 }, '89'],
      [{ suffix: 5000 }, '0123456789'],
    ])('reads the range %j', async (range, expected) => {
      const k = key();
      await store.put(k, Buffer.from('0123456789'));
      const got = await store.get(k, { range });
      got.body.destroy();
      expect(got).toMatchObject({ size: 10, length: expected.length, start: '0123456789'.indexOf(expected) });
      expect((await read(k, range)).toString()).toBe(expected);
    });

    it('names a range behind the end', async () => {
      const k = key();
      await store.put(k, Buffer.from('0123456789'));
      await expect(store.get(k, { range: { start: 10 } })).rejects.toBeInstanceOf(RangeNotSatisfiable);
    });

    it('names a missing object', async () => {
      await expect(store.get(key())).rejects.toBeInstanceOf(ObjectNotFound);
      expect(await store.head(key())).toBeNull();
      expect(await store.exists(key())).toBe(false);
    });

    it('deletes, and deletes again', async () => {
      const k = key();
      await store.put(k, Buffer.from('x'));
      await store.delete(k);
      await store.delete(k);
      expect(await store.exists(k)).toBe(false);
    });

    it.each(BAD_KEYS)('refuses a key that is %s', async (_label, bad) => {
      await expect(store.put(bad, Buffer.from('x'))).rejects.toBeInstanceOf(InvalidObjectKey);
      await expect(store.get(bad)).rejects.toBeInstanceOf(InvalidObjectKey);
      await expect(store.delete(bad)).rejects.toBeInstanceOf(InvalidObjectKey);
    });

    it('keeps keys apart that look alike to a shell or a URL', async () => {
      const keys = ["odd/é!'()*~+&=?#日 %41.gz", 'odd/A', 'odd/-thumbnail-%2F.png', 'odd/.hidden'];
      for (const k of keys) await store.put(k, Buffer.from(k));
      for (const k of keys) expect((await read(k)).toString()).toBe(k);
      const { objects } = await store.list('odd/');
      expect(objects.map((o) => o.key).sort()).toEqual([...keys].sort());
    });

    it.each([
      [10, undefined],
      [12_000_000, undefined],
      [12_000_000, 13_000_000],
    ])('stops at the size limit of %d of %s bytes and leaves nothing', async (maxBytes, exactSize) => {
      const k = key();
      // More than is read ahead: a body that was read to its end is destroyed by itself.
      const body = Readable.from(inPieces(randomBytes(maxBytes + 1_000_000), 65_536), { objectMode: false });
      await expect(store.put(k, body, { maxBytes, exactSize })).rejects.toBeInstanceOf(ObjectTooLarge);
      expect(body.destroyed).toBe(false);
      body.destroy();
      await expectNothingLeft(k);
    });

    it.each([
      [1000, 1001],
      [1000, 999],
      [15_000_000, 15_000_001],
      [15_000_000, 14_999_999],
    ])('refuses a body of %d bytes that was announced with %d, leaving nothing', async (size, exactSize) => {
      const k = key();
      const body = Readable.from(inPieces(randomBytes(size), 65_536), { objectMode: false });
      await expect(store.put(k, body, { exactSize })).rejects.toBeInstanceOf(ObjectSizeDiffers);
      await expectNothingLeft(k);
    });

    const BROKEN_OFF: [number, number | undefined][] = [
      [1000, undefined],
      [1000, 2000],
      [15_000_000, undefined],
      [15_000_000, 20_000_000],
    ];

    it.each(BROKEN_OFF)(
      'passes on the failure of a body after %d bytes of %s, leaving nothing',
      async (size, exactSize) => {
        const k = key();
        const failure = new Error('connection lost');
        const body = Readable.from(failing(randomBytes(size), failure), { objectMode: false });
        await expect(store.put(k, body, { exactSize })).rejects.toBe(failure);
        await expectNothingLeft(k);
      },
    );

    it.each(BROKEN_OFF)(
      'can be aborted while a body stalls after %d bytes of %s, leaving nothing',
      async (size, exactSize) => {
        const k = key();
        const stalled = new PassThrough();
        const abort = new AbortController();
        const reason = new Error('the client went away');
        const putting = store.put(k, stalled, {
          exactSize,
          signal: abort.signal,
          onProgress: (bytes) => bytes >= size && abort.abort(reason),
        });
        const rejected = expect(putting).rejects.toBe(reason);
        for (const piece of inPieces(randomBytes(size), 65_536)) stalled.write(piece);
        await rejected;
        await expectNothingLeft(k);
      },
    );

    it('keeps the old object when replacing it fails', async () => {
      const k = key();
      await store.put(k, Buffer.from('old'));
      const body = Readable.from(failing(randomBytes(11_000_000), new Error('lost')), { objectMode: false });
      await expect(store.put(k, body)).rejects.toThrow('lost');
      expect((await read(k)).toString()).toBe('old');
    });

    it('serves readers of an object that is being replaced with one version or the other', async () => {
      const k = key();
      const versions = ['a', 'b'].map((c) => Buffer.alloc(3_000_000, c));
      await store.put(k, versions[0]!);
      const writing = (async () => {
        for (let i = 0; i < 4; i++) await store.put(k, versions[(i + 1) % 2]!);
      })();
      for (let i = 0; i < 6; i++) {
        const seen = await read(k);
        expect(versions.some((v) => v.equals(seen))).toBe(true);
      }
      await writing;
    });

    it('lists by prefix in byte order, page by page', async () => {
      const keys = ['l/a-b', 'l/a/1', 'l/a/2/x', 'l/a0', 'l/b', 'l/é', 'lx', 'l/B'];
      for (const k of keys) await store.put(k, Buffer.from('x'));
      const expected = keys
        .filter((k) => k.startsWith('l/'))
        .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      const seen: string[] = [];
      let after: string | undefined;
      do {
        const page = await store.list('l/', { after, limit: 2 });
        expect(page.objects.length).toBeLessThanOrEqual(2);
        seen.push(...page.objects.map((o) => o.key));
        after = page.next ?? undefined;
      } while (after !== undefined);
      expect(seen).toEqual(expected);
      const partial = await store.list('l/a');
      expect(partial.objects.map((o) => o.key)).toEqual(expected.filter((k) => k.startsWith('l/a')));
      expect(partial.objects[0]?.size).toBe(1);
      expect(partial.objects[0]?.lastModified.getTime()).toBeGreaterThan(Date.parse('2020-01-01'));
      expect((await store.list('nothing/')).objects).toEqual([]);
    });

    it('frees a body that is destroyed half-read', async () => {
      const k = key();
      await store.put(k, randomBytes(5_000_000));
      for (let i = 0; i < 60; i++) {
        const { body } = await store.get(k);
        for await (const chunk of body) {
          expect((chunk as Buffer).length).toBeGreaterThan(0);
          break;
        }
        expect(body.destroyed).toBe(true);
      }
      expect((await read(k)).length).toBe(5_000_000);
    });

    it('ends a read that is aborted', async () => {
      const k = key();
      await store.put(k, randomBytes(20_000_000));
      const abort = new AbortController();
      const { body } = await store.get(k, { signal: abort.signal });
      const reading = (async () => {
        for await (const chunk of body) if ((chunk as Buffer).length) abort.abort();
      })();
      await expect(reading).rejects.toThrow();
      expect(body.destroyed).toBe(true);
    });

    it('answers pings', async () => {
      await store.ping();
    });

    it('presigns the same URL for the same moment', () => {
      const options = { signedAt: new Date('2025-01-02T03:04:05Z'), expiresInSeconds: 60 };
      expect(store.presignGet('a/b c', options)).toBe(store.presignGet('a/b c', options));
      expect(store.presignGet('a/b c', options)).toContain('a/b%20c?X-Amz-Algorithm=');
    });
  });
}

function* inPieces(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function* failing(bytes: Buffer, failure: Error): Generator<Buffer> {
  yield* inPieces(bytes, 65_536);
  throw failure;
}
