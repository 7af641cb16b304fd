import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { eventually } from '../../test/support/eventually.js';
import { UrlSigner } from './sigv4.js';
import { DataServer } from './data-server.js';
import { LocalObjectStore } from './local/local-object-store.js';

const SIGNED_AT = new Date('2025-01-02T03:04:05Z');
const KEY = 'org/uploads/té st-k3q5zr7a.wacz';

describe('DataServer', () => {
  const signer = new UrlSigner({ accessKey: 'local', secretKey: 'secret', region: 'local' });
  const bytes = randomBytes(300_000);
  let root: string;
  let store: LocalObjectStore;
  let server: Server;
  let base: string;
  let now: Date;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'muniment-data-'));
    store = new LocalObjectStore({ root, signer, publicPath: '/data/', reserveBytes: 0 });
    await store.prepare(SIGNED_AT);
    await store.put(KEY, bytes);
    await store.put('empty', Buffer.alloc(0));
    await store.put('page.html', Buffer.from('<script>alert(1)</script>'));
    const data = new DataServer({ stores: [{ store, ...store.scope }], publicPath: '/data/', now: () => now });
    server = createServer((req, res) => void data.handle(req, res));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(root, { recursive: true });
  });
  beforeEach(() => {
    now = new Date(SIGNED_AT.getTime() + 1000);
  });

  const urlOf = (key = KEY): string => base + store.presignGet(key, { signedAt: SIGNED_AT, expiresInSeconds: 3600 });
  const fetchWith = (headers: Record<string, string>, method = 'GET'): Promise<Response> =>
    fetch(urlOf(), { method, headers });
  const bodyOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());

  it('serves the whole object with what a player needs to seek in it', async () => {
    const response = await fetch(urlOf());
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': expect.stringContaining('Content-Range'),
      'cache-control': 'private, max-age=3599',
      'content-length': '300000',
      'content-type': 'application/wacz+zip',
      etag: expect.stringMatching(/^".+"$/),
      'x-content-type-options': 'nosniff',
    });
    expect((await bodyOf(response)).equals(bytes)).toBe(true);
  });

  it.each([
    ['bytes=0-99', 0, 99],
    ['bytes=299999-', 299_999, 299_999],
    ['bytes=-10', 299_990, 299_999],
    ['bytes=100-999999', 100, 299_999],
  ])('answers %s in part', async (range, start, end) => {
    const response = await fetchWith({ Range: range });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end}/300000`);
    expect(response.headers.get('content-length')).toBe(String(end - start + 1));
    expect((await bodyOf(response)).equals(bytes.subarray(start, end + 1))).toBe(true);
  });

  it.each(['bytes=1-2,4-5', 'bytes=x', 'items=0-1'])('answers %s in full', async (range) => {
    const response = await fetchWith({ Range: range });
    expect(response.status).toBe(200);
    expect((await bodyOf(response)).length).toBe(300_000);
  });

  it('tells the size when the range lies outside', async () => {
    const response = await fetchWith({ Range: 'bytes=300000-' });
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe('bytes */300000');
  });

  it('answers HEAD like GET without a body', async () => {
    const response = await fetchWith({}, 'HEAD');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe('300000');
    expect((await bodyOf(response)).length).toBe(0);
  });

  it('serves an empty object', async () => {
    const response = await fetch(urlOf('empty'));
    expect([response.status, (await bodyOf(response)).length]).toEqual([200, 0]);
  });

  it('continues a range only of the same version', async () => {
    const etag = (await fetchWith({}, 'HEAD')).headers.get('etag') ?? '';
    const modified = (await fetchWith({}, 'HEAD')).headers.get('last-modified') ?? '';
    const status = async (validator: string): Promise<number> =>
      (await fetchWith({ Range: 'bytes=5-9', 'If-Range': validator })).status;
    expect(await status(etag)).toBe(206);
    expect(await status(modified)).toBe(206);
    expect(await status('"other"')).toBe(200);
    expect(await status(`W/${etag}`)).toBe(200);
    expect(await status(new Date(0).toUTCString())).toBe(200);
  });

  it('answers conditions', async () => {
    const etag = (await fetchWith({}, 'HEAD')).headers.get('etag') ?? '';
    const status = async (headers: Record<string, string>, method?: string): Promise<number> =>
      (await fetchWith(headers, method)).status;
    expect(await status({ 'If-None-Match': `"x", ${etag}` })).toBe(304);
    expect(await status({ 'If-None-Match': `W/${etag}` }, 'HEAD')).toBe(304);
    expect(await status({ 'If-None-Match': '"x"' })).toBe(200);
    expect(await status({ 'If-Match': '"x"' })).toBe(412);
    expect(await status({ 'If-Modified-Since': new Date(Date.now() + 60_000).toUTCString() })).toBe(304);
  });

  it('refuses an expired URL and says so', async () => {
    now = new Date(SIGNED_AT.getTime() + 3600_000);
    const response = await fetch(urlOf());
    expect(response.status).toBe(403);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({ detail: 'signature_expired' });
  });

  it('accepts a URL from a clock that is slightly ahead, not from the future', async () => {
    now = new Date(SIGNED_AT.getTime() - 60_000);
    expect((await fetchWith({}, 'HEAD')).status).toBe(200);
    now = new Date(SIGNED_AT.getTime() - 3600_000);
    expect((await fetchWith({}, 'HEAD')).status).toBe(403);
  });

  it.each<[string, (url: string) => string]>([
    ['no query', (url) => url.replace(/\?.*/, '')],
    ['another key', (url) => url.replace('k3q5zr7a', 'k3q5zr7b')],
    ['a longer life', (url) => url.replace('Expires=3600', 'Expires=360000')],
    ['a life beyond the limit', (url) => url.replace('Expires=3600', 'Expires=9999999')],
    ['another moment', (url) => url.replace('T030405Z', 'T030406Z')],
    ['an impossible moment', (url) => url.replace('20250102T', '20251302T')],
    ['another signer', (url) => url.replace('Credential=local', 'Credential=other')],
    ['a cut signature', (url) => url.replace(/Signature=\w{4}/, 'Signature=')],
    ['a climbing path', (url) => url.replace('/data/org', '/data/..%2F..%2Forg')],
    ['broken encoding', (url) => url.replace('/data/org', '/data/%E0%A4%A')],
  ])('refuses a URL with %s', async (_label, change) => {
    const response = await fetch(change(urlOf()));
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({ detail: 'invalid_signature' });
  });

  it('tells a valid URL of a missing object apart from an invalid one', async () => {
    const response = await fetch(urlOf('org/none.wacz'));
    expect([response.status, await response.json()]).toEqual([404, { detail: 'file_not_found' }]);
  });

  it('names the methods it knows', async () => {
    const response = await fetchWith({}, 'PUT');
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  it('answers the preflight of a player on another site', async () => {
    const response = await fetchWith(
      { Origin: 'https://x.example', 'Access-Control-Request-Method': 'GET' },
      'OPTIONS',
    );
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-headers')).toContain('Range');
  });

  it('never serves archived bytes as something a browser would run', async () => {
    const response = await fetch(urlOf('page.html'));
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(response.headers.get('content-security-policy')).toContain('sandbox');
  });

  it('closes the file when the client goes away', async () => {
    await store.put('big', randomBytes(30_000_000));
    for (let i = 0; i < 5; i++) {
      const response = await new Promise<IncomingMessage>((resolve) => get(urlOf('big'), resolve));
      response.once('data', () => response.destroy());
      await new Promise((resolve) => response.once('close', resolve));
    }
    await eventually(async () => expect((await openFiles()).filter((path) => path.endsWith('/big'))).toEqual([]));
  });
});

async function openFiles(): Promise<string[]> {
  const fds = await readdir('/proc/self/fd');
  return Promise.all(fds.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
}
