import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { DataServer } from '../../src/storage/data-server.js';
import type { AddressingStyle } from '../../src/storage/s3/s3-location.js';
import { S3ObjectStore } from '../../src/storage/s3/s3-object-store.js';
import { StorageDenied, StorageUnavailable } from '../../src/storage/storage.errors.js';
import { freePort } from '../support/free-port.js';
import { startS3Server } from '../support/s3-server.js';

const KEY = "org/uploads/té st's-k3q5zr7a.wacz";
const server = await startS3Server();

if (server) {
  describe('presigned URLs of an S3 server', () => {
    const endpointUrl = `${server.url}${server.bucket}/pre fix/`.replace(' ', '%20');
    const make = (
      accessEndpointUrl = endpointUrl,
      accessAddressingStyle: AddressingStyle = 'path',
      more: object = {},
    ) =>
      new S3ObjectStore({
        endpointUrl,
        accessEndpointUrl,
        accessAddressingStyle,
        accessKey: server.accessKey,
        secretKey: server.secretKey,
        region: 'us-east-1',
        ...more,
      });
    const moment = () => ({ signedAt: new Date(Math.floor(Date.now() / 1000) * 1000), expiresInSeconds: 60 });
    const servers: Server[] = [];

    beforeAll(async () => {
      await make().put(KEY, Buffer.from('0123456789'));
    });
    afterAll(async () => {
      for (const s of servers) {
        s.closeAllConnections();
        await new Promise((resolve) => s.close(resolve));
      }
      await server.stop();
    });

    async function listen(s: Server): Promise<string> {
      servers.push(s);
      await new Promise<void>((resolve) => s.listen(0, '127.0.0.1', resolve));
      return `http://127.0.0.1:${(s.address() as AddressInfo).port}`;
    }

    /** A reverse proxy as archive.md §2.4 describes it: `/data/` → the storage, Host restored, query kept. */
    async function proxyTo(host: string, path: string): Promise<string> {
      const proxy = createServer((req, res) => {
        const target = `${path}${(req.url ?? '').slice('/data/'.length)}`;
        const headers = { ...(req.headers.range ? { range: req.headers.range } : {}), host };
        request({ host: '127.0.0.1', port: server?.port, path: target, method: req.method, headers }, (answer) => {
          res.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(res);
        }).end();
      });
      return listen(proxy);
    }

    async function expectRange(url: string): Promise<void> {
      const response = await fetch(url, { headers: { Range: 'bytes=2-4' } });
      expect([response.status, await response.text()]).toEqual([206, '234']);
    }

    it('work in path style on the endpoint itself', async () => {
      await expectRange(make().presignGet(KEY, moment()));
    });

    it('work through a proxy that addresses the bucket by path', async () => {
      const origin = await proxyTo(`127.0.0.1:${server.port}`, `/${server.bucket}/pre%20fix/`);
      const path = make('/data/', 'path').presignGet(KEY, moment());
      expect(path).toMatch(/^\/data\/org\/uploads\//);
      await expectRange(origin + path);
    });

    it('work through a proxy that addresses the bucket by host name', async () => {
      const origin = await proxyTo(`${server.bucket}.127.0.0.1:${server.port}`, '/pre%20fix/');
      const store = make(`${origin}/data/`, 'virtual');
      await expectRange(store.presignGet(KEY, moment()));
    });

    it('stay on the endpoint for our own use', async () => {
      const url = make('/data/', 'path').presignGet(KEY, { ...moment(), audience: 'internal' });
      expect(url.startsWith(server.url)).toBe(true);
      await expectRange(url);
    });

    it('work where no proxy stands in front: this service verifies and serves them itself', async () => {
      const store = make('/data/', 'path');
      const data = new DataServer({ stores: [{ store, ...store.scope }], publicPath: '/data/', now: () => new Date() });
      const origin = await listen(createServer((req, res) => void data.handle(req, res)));
      const path = store.presignGet(KEY, moment());
      await expectRange(origin + path);
      expect((await fetch(origin + path.replace('k3q5', 'k3q6'))).status).toBe(403);
    });

    it('are refused when they expired or were changed', async () => {
      const old = { signedAt: new Date(Date.now() - 3600_000), expiresInSeconds: 60 };
      expect((await fetch(make().presignGet(KEY, old))).status).toBe(403);
      expect((await fetch(make().presignGet(KEY, moment()).replace('k3q5', 'k3q6'))).status).toBe(403);
    });

    it('wrong credentials are named', async () => {
      const store = make(endpointUrl, 'path', { secretKey: 'wrong' });
      await expect(store.put('x', Buffer.from('x'))).rejects.toBeInstanceOf(StorageDenied);
      await expect(store.get(KEY)).rejects.toBeInstanceOf(StorageDenied);
      await expect(store.ping()).rejects.toBeInstanceOf(StorageDenied);
    });

    it('a bucket that does not exist is named', async () => {
      const store = make(endpointUrl, 'path', { endpointUrl: `${server.url}nobucket/` });
      await expect(store.put('x', Buffer.from('x'))).rejects.toBeInstanceOf(StorageDenied);
    });
  });
}

describe('an S3 server in trouble', () => {
  let broken: Server;
  let answer: Parameters<typeof createServer>[1];
  let store: S3ObjectStore;

  beforeAll(async () => {
    broken = createServer((req, res) => {
      req.resume();
      answer?.(req, res);
    });
    await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve));
    store = at((broken.address() as AddressInfo).port);
  });
  afterAll(async () => {
    broken.closeAllConnections();
    await new Promise((resolve) => broken.close(resolve));
  });

  function at(port: number): S3ObjectStore {
    const endpointUrl = `http://127.0.0.1:${port}/bucket/`;
    const keys = { accessKey: 'a', secretKey: 's', region: 'us-east-1' };
    return new S3ObjectStore(
      { endpointUrl, accessEndpointUrl: endpointUrl, accessAddressingStyle: 'path', ...keys },
      { connectMs: 300, requestMs: 300, idleMs: 300, firstPartMs: 300 },
    );
  }

  it.each([500, 503])('that answers %d is unavailable', async (status) => {
    answer = (_req, res) => res.writeHead(status).end();
    await expect(store.put('x', Buffer.from('x'))).rejects.toBeInstanceOf(StorageUnavailable);
    await expect(store.get('x')).rejects.toBeInstanceOf(StorageUnavailable);
    await expect(store.delete('x')).rejects.toBeInstanceOf(StorageUnavailable);
    await expect(store.list('')).rejects.toBeInstanceOf(StorageUnavailable);
  });

  it('that never answers is unavailable within its time limit', async () => {
    answer = () => undefined;
    await expect(store.put('x', Buffer.from('x'))).rejects.toBeInstanceOf(StorageUnavailable);
    await expect(store.head('x')).rejects.toBeInstanceOf(StorageUnavailable);
  });

  it('that is not there is unavailable', async () => {
    await expect(at(await freePort()).ping()).rejects.toBeInstanceOf(StorageUnavailable);
  });

  it('that stops in the middle of a body does not pass for the whole object', async () => {
    answer = (_req, res) => {
      res.writeHead(200, { 'Content-Length': '100', ETag: '"e"' });
      res.write('only this', () => setTimeout(() => res.destroy(), 20));
    };
    await expect(drain(store)).rejects.toBeInstanceOf(StorageUnavailable);
  });

  it('that falls silent in the middle of a body does not hang its reader', async () => {
    answer = (_req, res) => {
      res.writeHead(200, { 'Content-Length': '100', ETag: '"e"' });
      res.write('only this');
    };
    await expect(drain(store)).rejects.toBeInstanceOf(StorageUnavailable);
  });

  it('that ignores ranges is found out', async () => {
    answer = (_req, res) => res.writeHead(200, { 'Content-Length': '3', ETag: '"e"' }).end('abc');
    await expect(store.get('x', { range: { start: 1, end: 1 } })).rejects.toBeInstanceOf(StorageUnavailable);
  });

  it('that confirms a delete with anything but 204 has not deleted', async () => {
    answer = (_req, res) => res.writeHead(200).end();
    await expect(store.delete('x')).rejects.toBeInstanceOf(StorageUnavailable);
  });
});

async function drain(store: S3ObjectStore): Promise<number> {
  let bytes = 0;
  for await (const chunk of (await store.get('x')).body) bytes += (chunk as Buffer).length;
  return bytes;
}
