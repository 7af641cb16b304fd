import { createHash, randomBytes } from 'node:crypto';
import { request as httpRequest, type Server } from 'node:http';
import type { Socket } from 'node:net';

import { Invariants } from '../../../src/invariants/invariants.js';
import { FileRemover } from '../../../src/objects/file-remover.js';
import { ResumableUploads } from '../../../src/uploads/tus/resumable-uploads.js';
import type { ApiClient } from '../../support/api-client.js';
import { settled } from '../../support/archive.js';
import { eventually } from '../../support/eventually.js';
import { type AppUnderTest, startApp } from '../../support/start-app.js';
import { packedPerRecord, siteRecords } from '../../support/warc.js';
import { waczOf, zipOf } from '../../support/zip.js';

const TUS = { 'Tus-Resumable': '1.0.0' };

describe('resumable uploads', () => {
  let app: AppUnderTest;
  let other: AppUnderTest;
  let api: ApiClient;
  let elsewhere: ApiClient;
  let oid: string;
  let wacz: Buffer;

  beforeAll(async () => {
    app = await startApp();
    // A second process on the same database and files.
    other = await startApp({ like: app });
    api = await app.admin();
    elsewhere = other.api.as(api.token);
    oid = await app.defaultOrgId();
    wacz = await zipOf([
      { name: 'pages/pages.jsonl', content: '{"url":"https://a.example/","title":"A"}\n' },
      { name: 'archive/data.warc.gz', content: randomBytes(300_000) },
    ]);
  });
  afterAll(async () => {
    await other.stop();
    await app.close();
  });

  const settle = () => settled(app);
  const base = () => `/orgs/${oid}/uploads/tus`;
  const metadata = (fields: Record<string, string>) =>
    Object.entries(fields)
      .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
      .join(',');

  const create = (size: number, fields: Record<string, string> = { filename: 'a.wacz' }, as = api) =>
    as.fetch('POST', base(), {
      headers: { ...TUS, 'Upload-Length': String(size), 'Upload-Metadata': metadata(fields) },
    });
  async function begun(size: number, fields?: Record<string, string>): Promise<string> {
    const answer = await create(size, fields);
    expect(answer.status).toBe(201);
    const location = answer.headers.get('location') ?? '';
    expect(location).toMatch(new RegExp(`^${app.baseUrl}/api/orgs/${oid}/uploads/tus/[0-9a-f-]{36}$`));
    return location.slice(location.lastIndexOf('/') + 1);
  }
  const send = (id: string, bytes: Buffer, offset: number, as = api) =>
    as.fetch('PATCH', `${base()}/${id}`, {
      headers: { ...TUS, 'Upload-Offset': String(offset), 'Content-Type': 'application/offset+octet-stream' },
      raw: new Uint8Array(bytes),
    });
  const head = (id: string, as = api) => as.fetch('HEAD', `${base()}/${id}`, { headers: TUS });
  const offsetOf = async (id: string, as = api) => Number((await head(id, as)).headers.get('upload-offset'));

  /** Objects, records and counters agree, and nothing waits to be deleted. */
  afterEach(async () => {
    await settle();
    await app.app.get(FileRemover).drain();
    const found: unknown[] = [];
    await app.app
      .get(Invariants, { strict: false })
      .check((violation) => found.push(violation), { youngest: new Date(8e15) });
    expect(found).toEqual([]);
    expect(await app.connection.collection('file_deletions').countDocuments()).toBe(0);
  });

  it('says what it can', async () => {
    const answer = await api.fetch('OPTIONS', base());
    expect(answer.status).toBe(204);
    expect(answer.headers.get('tus-version')).toBe('1.0.0');
    expect(answer.headers.get('tus-extension')).toBe('creation,creation-with-upload,termination,expiration');
  });

  it('makes an item of what comes in several requests, at any process', async () => {
    const id = await begun(wacz.length, {
      filename: 'dir/My Site.wacz',
      name: 'Mein Name',
      tags: 'a,b',
      description: '100 %41',
    });
    const [a, b] = [100_000, 250_000];
    const first = await send(id, wacz.subarray(0, a), 0);
    expect([first.status, first.headers.get('upload-offset')]).toEqual([204, String(a)]);
    expect(first.headers.get('upload-expires')).toMatch(/ GMT$/);
    expect(await offsetOf(id, elsewhere)).toBe(a);
    expect((await send(id, wacz.subarray(a, b), a, elsewhere)).status).toBe(204);
    const last = await send(id, wacz.subarray(b), b);
    expect([last.status, last.headers.get('upload-item-id')]).toEqual([204, `upload-${id}`]);
    await settle();
    const { body } = await api.get(`/orgs/${oid}/uploads/upload-${id}/replay.json`);
    expect(body).toMatchObject({
      state: 'complete',
      name: 'Mein Name',
      tags: ['a', 'b'],
      description: '100 %41',
      pageCount: 1,
    });
    expect(body).toMatchObject({ fileCount: 1, fileSize: wacz.length });
    expect(body.resources[0]).toMatchObject({ originalFilename: 'My Site.wacz', size: wacz.length });
    const stored = await fetch(new URL(body.resources[0].path, app.baseUrl)).then((answer) => answer.arrayBuffer());
    expect(Buffer.from(stored).equals(wacz)).toBe(true);
    // A client that lost the last answer finds it complete, and is told the item again.
    const after = await head(id);
    expect([after.status, after.headers.get('upload-offset')]).toEqual([200, String(wacz.length)]);
    const again = await send(id, Buffer.alloc(0), wacz.length);
    expect([again.status, again.headers.get('upload-item-id')]).toEqual([204, `upload-${id}`]);
  });

  it('takes the bytes with the creation, and plain WARC files', async () => {
    const bytes = packedPerRecord(siteRecords());
    const answer = await api.fetch('POST', base(), {
      headers: {
        ...TUS,
        'Upload-Length': String(bytes.length),
        'Upload-Metadata': metadata({ filename: 'site.warc.gz' }),
        'Content-Type': 'application/offset+octet-stream',
      },
      raw: new Uint8Array(bytes),
    });
    expect([answer.status, answer.headers.get('upload-offset')]).toEqual([201, String(bytes.length)]);
    await settle();
    const item = answer.headers.get('upload-item-id');
    expect((await api.get(`/orgs/${oid}/uploads/${item}`)).body).toMatchObject({ state: 'complete', pageCount: 2 });
  });

  /** Begins to send a whole upload, and goes away when the service has taken this many bytes from the network. */
  async function goneAfter(id: string, bytes: Buffer): Promise<void> {
    let taken: Socket | undefined;
    const server = app.app.getHttpServer() as Server;
    server.once('request', ({ socket }) => (taken = socket));
    const headers = {
      ...TUS,
      'Upload-Offset': 0,
      'Content-Type': 'application/offset+octet-stream',
      'Content-Length': wacz.length,
      authorization: `Bearer ${api.token}`,
    };
    const client = httpRequest(new URL(`${app.baseUrl}/api${base()}/${id}`), { method: 'PATCH', headers });
    client.on('error', () => undefined);
    client.write(bytes);
    try {
      await eventually(async () => {
        expect(taken?.bytesRead).toBeGreaterThan(bytes.length);
        // The store was asked to take the first of them.
        expect(await app.connection.collection('file_deletions').countDocuments()).toBe(1);
      });
    } finally {
      client.destroy();
    }
  }

  it.each([10, 50, 99])('keeps what came before the client went away at %d %%', async (percent) => {
    const id = await begun(wacz.length);
    const sent = Math.floor((wacz.length * percent) / 100);
    await goneAfter(id, wacz.subarray(0, sent));
    const offset = await eventually(async () => {
      const at = await offsetOf(id);
      expect(at).toBeGreaterThan(0);
      return at;
    });
    expect(offset).toBeLessThanOrEqual(sent);
    expect((await send(id, wacz.subarray(offset), offset)).status).toBe(204);
    await settle();
    const { body } = await api.get(`/orgs/${oid}/uploads/upload-${id}/replay.json`);
    const hash = createHash('sha256').update(wacz).digest('hex');
    expect(body).toMatchObject({ state: 'complete', resources: [{ size: wacz.length, hash }] });
  });

  it('refuses bytes at another offset, and of two writers lets one on', async () => {
    const id = await begun(wacz.length);
    expect((await send(id, wacz.subarray(5), 5)).status).toBe(409);
    const answers = await Promise.all([
      send(id, wacz.subarray(0, 1000), 0),
      send(id, wacz.subarray(0, 1000), 0, elsewhere),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect(await offsetOf(id)).toBe(1000);
    expect((await send(id, Buffer.alloc(wacz.length), 1000)).status).toBe(413);
    expect(await offsetOf(id)).toBe(1000);
    expect((await api.fetch('DELETE', `${base()}/${id}`, { headers: TUS })).status).toBe(204);
    expect((await head(id)).status).toBe(404);
  });

  it('takes the place of another upload', async () => {
    const first = await begun(wacz.length);
    await send(first, wacz, 0);
    await settle();
    const next = await waczOf(['https://new.example/', 'https://new.example/2']);
    const id = await begun(next.length, { filename: 'b.wacz', replaceId: `upload-${first}` });
    const done = await send(id, next, 0);
    expect(done.headers.get('upload-item-id')).toBe(`upload-${first}`);
    await settle();
    expect((await api.get(`/orgs/${oid}/uploads/upload-${first}`)).body).toMatchObject({
      pageCount: 2,
      fileSize: next.length,
    });
  });

  it('names the version that it speaks, and takes bytes of the type of the protocol only', async () => {
    const id = await begun(wacz.length);
    const patch = (headers: Record<string, string>) =>
      api.fetch('PATCH', `${base()}/${id}`, { headers: { 'Upload-Offset': '0', ...headers }, raw: new Uint8Array(5) });
    const type = { 'Content-Type': 'application/offset+octet-stream' };
    for (const version of [{}, { 'Tus-Resumable': '0.2.2' }] as Record<string, string>[]) {
      const answer = await patch({ ...type, ...version });
      expect([answer.status, answer.headers.get('tus-version')]).toEqual([412, '1.0.0']);
    }
    expect((await patch({ ...TUS, 'Content-Type': 'application/octet-stream' })).status).toBe(415);
    expect(await offsetOf(id)).toBe(0);
  });

  it.each([
    ['Upload-Defer-Length', '1'],
    ['Upload-Concat', 'partial'],
  ])('refuses as bad input the extension of %s, which it does not say it has', async (name, value) => {
    const answer = await api.fetch('POST', base(), { headers: { ...TUS, [name]: value } });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('not (yet) supported')]);
  });

  it('takes PATCH and DELETE as POST where the network lets nothing else through', async () => {
    const id = await begun(wacz.length);
    const post = (method: string | null, headers: Record<string, string> = {}, raw?: Uint8Array<ArrayBuffer>) =>
      api.fetch('POST', `${base()}/${id}`, {
        headers: { ...TUS, ...(method === null ? {} : { 'X-HTTP-Method-Override': method }), ...headers },
        raw,
      });
    const headers = { 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' };
    const sent = await post('PATCH', headers, new Uint8Array(wacz.subarray(0, 1000)));
    expect([sent.status, sent.headers.get('upload-offset')]).toEqual([204, '1000']);
    for (const method of [null, 'POST', 'GET']) expect((await post(method, { 'Upload-Length': '5' })).status).toBe(405);
    expect(await offsetOf(id)).toBe(1000);
    expect((await post('DELETE')).status).toBe(204);
    expect((await head(id)).status).toBe(404);
  });

  it('refuses what other uploads are refused for', async () => {
    expect((await create(5, { name: 'no file name' })).status).toBe(422);
    expect((await create(5, { filename: 'a', collections: 'x' })).status).toBe(422);
    expect((await create(5, { filename: 'a', replaceId: 'x' })).status).toBe(422);
    const unknown = await create(5, { filename: 'a', collections: '4f1c6d0e-6d5e-4a53-9c39-6f2f6a8c4f0b' });
    expect([unknown.status, await unknown.json()]).toEqual([404, { detail: 'collection_not_found' }]);
    expect((await create(5, { filename: 'a' }, app.api)).status).toBe(401);
    expect((await api.fetch('POST', base(), { headers: { 'Upload-Length': '5' } })).status).toBe(412);
    expect((await head('4f1c6d0e-6d5e-4a53-9c39-6f2f6a8c4f0b')).status).toBe(404);
    expect((await head('x')).status).toBe(422);
    expect(
      (await api.fetch('HEAD', `/orgs/${'4f1c6d0e-6d5e-4a53-9c39-6f2f6a8c4f0b'}/uploads/tus/x`, { headers: TUS }))
        .status,
    ).toBe(404);
  });

  it('keeps to the storage quota, at the beginning and at the end', async () => {
    const { bytesStored } = (await api.get(`/orgs/${oid}`)).body;
    const quota = (storageQuota: number) => api.post(`/orgs/${oid}/quotas`, { storageQuota });
    const id = await begun(wacz.length);
    await send(id, wacz.subarray(0, 1000), 0);
    await quota(bytesStored + 10_000);
    try {
      const refused = await create(wacz.length);
      expect([refused.status, await refused.json()]).toEqual([403, { detail: 'storage_quota_reached' }]);
      const last = await send(id, wacz.subarray(1000), 1000);
      expect([last.status, await last.json()]).toEqual([403, { detail: 'storage_quota_reached' }]);
      expect((await head(id)).status).toBe(404);
    } finally {
      await quota(0);
    }
  });

  it('deletes what nobody goes on with', async () => {
    const id = await begun(wacz.length);
    await send(id, wacz.subarray(0, 1000), 0);
    await app.app.get(ResumableUploads).sweep();
    expect(await offsetOf(id)).toBe(1000);
    app.clock.advance(25 * 60 * 60_000);
    expect((await head(id)).status).toBe(410);
    expect(await app.app.get(ResumableUploads).sweep()).toBeGreaterThan(0);
    expect((await head(id)).status).toBe(404);
  });

  it('completes an upload whose process died between the last byte and the item', async () => {
    const id = await begun(wacz.length);
    await send(id, wacz.subarray(0, 1000), 0);
    await send(id, wacz.subarray(1000, 2000), 1000);
    // As it stands then: all bytes there, no item.
    await app.connection
      .collection('resumable_uploads')
      .updateOne({ offset: 2000, itemId: null }, { $set: { size: 2000 } });
    expect(await offsetOf(id)).toBe(2000);
    expect((await api.get(`/orgs/${oid}/uploads/upload-${id}`)).body).toMatchObject({ fileSize: 2000 });
  });

  it('goes when its org goes', async () => {
    const made = (await api.post('/orgs/create', { name: 'Short-lived' })).body.id as string;
    const answer = await api.fetch('POST', `/orgs/${made}/uploads/tus`, {
      headers: { ...TUS, 'Upload-Length': '9000', 'Upload-Metadata': metadata({ filename: 'a' }) },
    });
    const path = new URL(answer.headers.get('location') ?? '').pathname;
    const headers = { ...TUS, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' };
    expect((await api.fetch('PATCH', path, { headers, raw: new Uint8Array(500) })).status).toBe(204);
    await api.delete(`/orgs/${made}`);
    await settle();
    expect(await app.connection.collection('resumable_uploads').countDocuments({ size: 9000 })).toBe(0);
  });
});
