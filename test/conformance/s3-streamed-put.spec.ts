import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

import { S3ObjectStore, type S3Timeouts } from '../../src/storage/s3/s3-object-store.js';
import { StorageUnavailable } from '../../src/storage/storage.errors.js';
import { FaultyS3 } from '../support/faulty-s3.js';
import { startS3Server } from '../support/s3-server.js';

const SIZE = 15_000_000;
/** Generous, so that a busy machine changes nothing; a test that waits for one of them shortens it. */
const TIMEOUTS: S3Timeouts = { connectMs: 20_000, requestMs: 60_000, idleMs: 60_000, firstPartMs: 60_000 };
const bytes = randomBytes(SIZE);
const sha256 = (data: Buffer) => createHash('sha256').update(data).digest('hex');
const server = await startS3Server();

function storeAt(url: string, timeouts: Partial<S3Timeouts> = {}): S3ObjectStore {
  const endpointUrl = `${url}archive/`;
  const keys = { accessKey: server?.accessKey ?? 'a', secretKey: server?.secretKey ?? 's', region: 'us-east-1' };
  const config = { endpointUrl, accessEndpointUrl: endpointUrl, accessAddressingStyle: 'path' as const, ...keys };
  return new S3ObjectStore(config, { ...TIMEOUTS, ...timeouts });
}

function* inPieces(data: Buffer): Generator<Buffer> {
  for (let at = 0; at < data.length; at += 65_536) yield data.subarray(at, at + 65_536);
}
const bodyOf = (data: Buffer): Readable => Readable.from(inPieces(data), { objectMode: false });

afterAll(() => server?.stop());

if (server) {
  describe('a body of known size, to an S3 server', () => {
    let way: FaultyS3;
    const seen: string[] = [];

    beforeAll(async () => {
      way = await FaultyS3.before(server.port);
      way.hits = ({ method, url = '' }) => {
        seen.push(`${method} ${url}`);
        return false;
      };
    });
    beforeEach(() => seen.splice(0));
    afterAll(() => way.close());

    it('is passed on in one request', async () => {
      const store = storeAt(way.url);
      const stored = await store.put('one', bodyOf(bytes), { exactSize: SIZE });
      expect(stored).toMatchObject({ size: SIZE, sha256: sha256(bytes) });
      expect(seen).toHaveLength(1);
      expect(seen[0]).toMatch(/^PUT \/archive\/one\?X-Amz-Algorithm=.*&x-id=PutObject$/);
      expect(await store.head('one')).toMatchObject({ size: SIZE });
      await store.close();
    });

    it('is sent in parts when its sender is slow', async () => {
      const store = storeAt(way.url, { firstPartMs: -1 });
      await store.put('slow', bodyOf(bytes), { exactSize: SIZE });
      expect(seen.filter((request) => request.includes('partNumber='))).toHaveLength(2);
      expect(await store.head('slow')).toMatchObject({ size: SIZE });
      await store.close();
    });

    it('may take longer than any other request while bytes move', async () => {
      const store = storeAt(way.url, { requestMs: 300 });
      const body = new PassThrough();
      const putting = store.put('long', body, { exactSize: SIZE });
      const begun = performance.now();
      body.write(bytes.subarray(0, 11_000_000));
      for (let at = 11_000_000; at < SIZE; at += 500_000) {
        await sleep(50);
        body.write(bytes.subarray(at, at + 500_000));
      }
      expect(performance.now() - begun).toBeGreaterThan(300);
      body.end();
      expect(await putting).toMatchObject({ sha256: sha256(bytes) });
      await store.close();
    });
  });
}

describe('a body of known size, to an S3 server in trouble', () => {
  let broken: Server;
  let url: string;
  /** Before the body is asked for. */
  let onHeaders: (req: IncomingMessage, res: ServerResponse) => void;
  let requests = 0;

  beforeAll(async () => {
    broken = createServer();
    broken.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => {
      requests += 1;
      onHeaders(req, res);
    });
    await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(broken.address() as AddressInfo).port}/`;
  });
  beforeEach(() => (requests = 0));
  afterAll(async () => {
    broken.closeAllConnections();
    await new Promise((resolve) => broken.close(resolve));
  });

  const busy = (res: ServerResponse) => res.writeHead(503, { Connection: 'close' }).end();

  it('is offered again, whole, while nothing of it was asked for', async () => {
    let received = '';
    onHeaders = (req, res) => {
      if (requests < 3) return busy(res);
      res.writeContinue();
      const hash = createHash('sha256');
      req.on('data', (chunk: Buffer) => hash.update(chunk));
      return req.on('end', () => {
        received = hash.digest('hex');
        res.writeHead(200, { ETag: '"e"' }).end();
      });
    };
    const stored = await storeAt(url).put('x', bodyOf(bytes), { exactSize: SIZE });
    expect([requests, received]).toEqual([3, sha256(bytes)]);
    expect(stored.sha256).toBe(received);
  });

  it('fails after the third refusal', async () => {
    onHeaders = (_req, res) => busy(res);
    const putting = storeAt(url).put('x', bodyOf(bytes), { exactSize: SIZE });
    await expect(putting).rejects.toBeInstanceOf(StorageUnavailable);
    expect(requests).toBe(3);
  });

  it('fails when it is refused halfway, because it cannot be sent twice', async () => {
    onHeaders = (req, res) => {
      res.writeContinue();
      req.once('data', () => busy(res));
    };
    const body = bodyOf(bytes);
    await expect(storeAt(url).put('x', body, { exactSize: SIZE })).rejects.toBeInstanceOf(StorageUnavailable);
    expect(requests).toBe(1);
    expect(body.destroyed).toBe(false);
    body.destroy();
  });

  it('is not read far ahead of a server that stops reading, and fails', async () => {
    onHeaders = (_req, res) => res.writeContinue();
    let taken = 0;
    const size = 400_000_000;
    function* endless(): Generator<Buffer> {
      for (const chunk = Buffer.alloc(1_000_000); taken < size; taken += chunk.length) yield chunk;
    }
    const body = Readable.from(endless(), { objectMode: false });
    const putting = storeAt(url, { idleMs: 1000 }).put('x', body, { exactSize: size });
    await expect(putting).rejects.toBeInstanceOf(StorageUnavailable);
    expect(taken).toBeLessThan(100_000_000);
    body.destroy();
  });

  it('fails when its end is never answered', async () => {
    onHeaders = (req, res) => {
      res.writeContinue();
      req.resume();
    };
    const putting = storeAt(url, { idleMs: 1000 }).put('x', bodyOf(bytes), { exactSize: SIZE });
    await expect(putting).rejects.toBeInstanceOf(StorageUnavailable);
  });
});
