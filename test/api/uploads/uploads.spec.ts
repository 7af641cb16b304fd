import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';

import { Storages } from '../../../src/storage/storages.js';
import type { ApiClient } from '../../support/api-client.js';
import { givenUp, settled } from '../../support/archive.js';
import { eventually } from '../../support/eventually.js';
import { type AppUnderTest, startApp } from '../../support/start-app.js';
import { waczOf, zipOf } from '../../support/zip.js';

describe('uploads', () => {
  let app: AppUnderTest;
  let api: ApiClient;
  let oid: string;
  let wacz: Buffer;

  beforeAll(async () => {
    app = await startApp();
    api = await app.admin();
    oid = await app.defaultOrgId();
    wacz = await waczOf(['https://a.example/', 'https://b.example/']);
  });
  afterAll(() => app.close());

  const base = () => `/orgs/${oid}/uploads`;
  const settle = () => settled(app);
  const usage = async () => {
    const org = await app.connection.collection('organizations').findOne({ slug: { $exists: true } });
    return { total: Number(org?.['bytesStored'] ?? 0), uploads: Number(org?.['bytesStoredUploads'] ?? 0) };
  };
  const keys = async () => {
    const { objects } = await app.app.get(Storages).resolveDefault({ name: 'default', custom: false }).list('');
    return objects.map(({ key }) => key);
  };
  const stream = (body: Buffer, query: Record<string, string | string[]> = {}, as = api) =>
    as.put(`${base()}/stream`, undefined, { query: { filename: 'My Test.wacz', ...query }, raw: new Uint8Array(body) });
  const setQuota = (storageQuota: number) => api.post(`/orgs/${oid}/quotas`, { storageQuota });

  /** What must be true after every test: objects, records and counters agree. */
  afterEach(async () => {
    await settle();
    const items = await app.connection.collection('crawls').find({ type: 'upload' }).toArray();
    const recorded = items.flatMap((item) => (item['files'] as { filename: string }[]).map((f) => f.filename));
    expect((await keys()).sort()).toEqual(recorded.sort());
    const bytes = items.reduce((sum, item) => sum + Number(item['fileSize']), 0);
    expect((await usage()).uploads).toBe(bytes);
    expect(await app.connection.collection('file_deletions').countDocuments()).toBe(0);
  });

  it('keeps a streamed file and lists its pages', async () => {
    const added = await stream(wacz, {
      name: 'My%20Upload',
      description: 'Testing%0AData',
      tags: ['one%2Ctwo', 'three'],
    });
    expect(added).toMatchObject({ status: 200, body: { added: true, storageQuotaReached: false } });
    const id = added.body.id as string;
    expect(id).toMatch(/^upload-[0-9a-f-]{36}$/);
    const before = await api.get(`${base()}/${id}/replay.json`);
    expect(before.body).toMatchObject({ id, type: 'upload', name: 'My Upload', description: 'Testing\nData' });
    expect(before.body.tags).toEqual(['one', 'two', 'three']);
    await settle();
    const { body } = await api.get(`${base()}/${id}/replay.json`);
    expect(body).toMatchObject({
      state: 'complete',
      fileSize: wacz.length,
      fileCount: 1,
      pageCount: 2,
      uniquePageCount: 2,
    });
    expect(body.resources).toHaveLength(1);
    const [resource] = body.resources;
    expect(resource).toMatchObject({
      hash: createHash('sha256').update(wacz).digest('hex'),
      size: wacz.length,
      crawlId: id,
      numReplicas: 0,
      fromDependency: false,
    });
    expect(resource.name).toMatch(/^upload-.*-my-test-[a-z2-7]{8}\.wacz$/);
    expect(resource).not.toHaveProperty('crc32');
    const bytes = await fetch(new URL(resource.path, app.baseUrl)).then((r) => r.arrayBuffer());
    expect(Buffer.from(bytes).equals(wacz)).toBe(true);
    expect(body.initialPages.map((page: { url: string }) => page.url)).toEqual([
      'https://a.example/',
      'https://b.example/',
    ]);
    expect(body.initialPages[0]).toMatchObject({ isSeed: true, filename: resource.name, mime: 'text/html' });
    // Of version 4, as if they were random.
    expect(body.initialPages[0].id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('keeps the files of a form as one item', async () => {
    const form = new FormData();
    form.append('note', 'not a file');
    form.append('uploads', new Blob([new Uint8Array(wacz)]), 'a.wacz');
    form.append('uploads', new Blob([new Uint8Array(await waczOf(['https://c.example/']))]), 'ü b.wacz');
    const added = await api.put(`${base()}/formdata`, undefined, { query: { name: 'Two' }, raw: form });
    expect(added.status).toBe(200);
    expect(added.body.id).toMatch(/^[0-9a-f-]{36}$/);
    await settle();
    const { body } = await api.get(`${base()}/${added.body.id}/replay.json`);
    expect(body).toMatchObject({ state: 'complete', fileCount: 2, pageCount: 3, name: 'Two' });
    expect(body.resources.map((r: { name: string }) => r.name.replace(/-[a-z2-7]{8}\./, '-R.'))).toEqual([
      `${added.body.id}-a-R.wacz`,
      `${added.body.id}-u-b-R.wacz`,
    ]);
  });

  it('refuses a form without files', async () => {
    const form = new FormData();
    form.append('other', new Blob(['x']), 'a.wacz');
    for (const raw of [form, 'no form']) {
      const answer = await api.put(`${base()}/formdata`, undefined, { raw });
      expect(answer.status).toBe(422);
      expect(answer.body.detail[0]).toMatchObject({ type: 'missing', loc: ['body', 'uploads'] });
    }
  });

  it('downloads what was uploaded as a package that uploads again', async () => {
    const { id } = (await stream(wacz, { name: 'Round' })).body;
    await settle();
    const response = await api.fetch('GET', `${base()}/${id}/download`);
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${id}.wacz"`);
    const packed = Buffer.from(await response.arrayBuffer());
    expect(packed.length).toBe(Number(response.headers.get('content-length')));
    const part = await api.fetch('GET', `${base()}/${id}/download`, { headers: { Range: 'bytes=100-199' } });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer()).equals(packed.subarray(100, 200))).toBe(true);
    const again = (await stream(packed)).body.id;
    await settle();
    const { body } = await api.get(`${base()}/${again}/replay.json`);
    expect(body).toMatchObject({ state: 'complete', fileCount: 1, fileSize: wacz.length, pageCount: 2 });
    expect(body.resources[0].hash).toBe(createHash('sha256').update(wacz).digest('hex'));
  });

  it('splits a compressed package into its WACZs', async () => {
    const children = [wacz, await waczOf(['https://x.example/'])];
    const packed = await zipOf(
      [
        { name: 'sub/../../one.wacz', content: children[0]!, compress: true },
        { name: 'two.wacz', content: children[1]! },
      ].map((m, i) => ({ ...m, name: i === 0 ? 'sub/one.wacz' : m.name })),
    );
    const { id } = (await stream(packed)).body;
    await settle();
    const { body } = await api.get(`${base()}/${id}/replay.json`);
    expect(body).toMatchObject({ state: 'complete', fileCount: 2, pageCount: 3 });
    expect(body.resources.map((r: { size: number }) => r.size)).toEqual(children.map((c) => c.length));
  });

  it.each([
    ['nothing', Buffer.alloc(0), '0 bytes are no ZIP file'],
    ['no ZIP', Buffer.from('just text, no archive'), '21 bytes are no ZIP file'],
    ['a truncated WACZ', null, 'no end of central directory'],
  ])('marks an upload of %s as failed, says why, and lists it', async (_label, bytes, reason) => {
    const added = await stream(bytes ?? wacz.subarray(0, wacz.length - 100));
    expect(added.status).toBe(200);
    await givenUp(app);
    const { body } = await api.get(`${base()}/${added.body.id}`);
    const failed = { state: 'failed', pageCount: 0, errors: [`The file can't be read: ${reason}`] };
    expect(body).toMatchObject(failed);
    for (const list of [base(), `/orgs/${oid}/all-crawls`]) {
      const { items } = (await api.get(list)).body as { items: { id: string }[] };
      expect(items.find(({ id }) => id === added.body.id)).toMatchObject(failed);
    }
    expect((await api.get(`${base()}/${added.body.id}/download`)).body).toEqual({ detail: 'no_crawl_resources' });
  });

  it('refuses wrong input before anything is stored', async () => {
    const bad = await stream(wacz, { collections: 'nope' });
    expect([bad.status, bad.body.detail[0]]).toMatchObject([
      422,
      { type: 'uuid_parsing', loc: ['query', 'collections'] },
    ]);
    const unknown = await stream(wacz, { collections: '4f1c6d0e-6d5e-4a53-9c39-6f2f6a8c4f0b' });
    expect([unknown.status, unknown.body]).toEqual([404, { detail: 'collection_not_found' }]);
    expect((await stream(wacz, { name: 'n'.repeat(1001) })).status).toBe(422);
    const made = (await api.post(`/orgs/${oid}/collections`, { name: 'Of uploads' })).body.id as string;
    expect((await stream(wacz, { collections: `${made},,${made}` })).status).toBe(422);
    expect((await stream(wacz, { name: '\u{1F600}'.repeat(1000), collections: ['', made] })).status).toBe(200);
    expect((await stream(wacz, { replaceId: 'nonsense' })).status).toBe(422);
    expect((await api.put(`${base()}/stream`, undefined, { raw: new Uint8Array(wacz) })).status).toBe(422);
  });

  it('stops at the storage quota and keeps nothing', async () => {
    await setQuota((await usage()).total + 1000);
    try {
      const known = await stream(Buffer.alloc(5000));
      expect([known.status, known.body]).toEqual([403, { detail: 'storage_quota_reached' }]);
      const body = Readable.toWeb(Readable.from([Buffer.alloc(900), Buffer.alloc(900)]));
      const chunked = await api.put(`${base()}/stream`, undefined, {
        query: { filename: 'a.wacz' },
        raw: body as never,
      });
      expect([chunked.status, chunked.body]).toEqual([403, { detail: 'storage_quota_reached' }]);
      const exact = await stream(Buffer.alloc(1000));
      expect(exact.body).toMatchObject({ added: true, storageQuotaReached: true });
      expect((await stream(Buffer.alloc(1))).body).toEqual({ detail: 'storage_quota_reached' });
    } finally {
      await setQuota(0);
    }
  });

  it('lets two uploads at once not pass the quota together', async () => {
    await setQuota((await usage()).total + 1000);
    try {
      const answers = await Promise.all([stream(Buffer.alloc(600)), stream(Buffer.alloc(600))]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
      const [refused] = answers.filter(({ status }) => status === 403);
      expect(refused?.body).toEqual({ detail: 'storage_quota_reached' });
    } finally {
      await setQuota(0);
    }
  });

  it('refuses an upload whose org became read-only while it came', async () => {
    const bytes = Buffer.alloc(2_000_000, 7);
    const headers = { authorization: `Bearer ${api.token}`, 'content-length': bytes.length };
    const url = new URL(`${app.baseUrl}/api${base()}/stream?filename=x.wacz`);
    const request = httpRequest(url, { method: 'PUT', headers });
    const answer = new Promise<number>((resolve, reject) =>
      request.once('response', (response) => resolve(response.resume().statusCode ?? 0)).once('error', reject),
    );
    request.write(bytes.subarray(0, 1_000_000));
    await eventually(async () => {
      expect(await app.connection.collection('file_deletions').countDocuments()).toBe(1);
    });
    const setReadOnly = (readOnly: boolean) => api.post(`/orgs/${oid}/read-only`, { readOnly, readOnlyReason: '' });
    expect((await setReadOnly(true)).status).toBe(200);
    try {
      request.end(bytes.subarray(1_000_000));
      expect(await answer).toBe(403);
    } finally {
      await setReadOnly(false);
    }
  });

  /** A body of two files: at 10 % a client is in the first one, later the first one is stored already. */
  function formOf(boundary: string): Buffer {
    const part = (filename: string, bytes: number) => {
      const disposition = `Content-Disposition: form-data; name="uploads"; filename="${filename}"`;
      return [`--${boundary}\r\n${disposition}\r\n\r\n`, Buffer.alloc(bytes, 7), '\r\n'];
    };
    const parts = [...part('a.wacz', 1_000_000), ...part('b.wacz', 2_000_000), `--${boundary}--\r\n`];
    return Buffer.concat(parts.map((piece) => Buffer.from(piece)));
  }

  it.each([
    ['stream?filename=x.wacz', 10, 1],
    ['stream?filename=x.wacz', 50, 1],
    ['stream?filename=x.wacz', 99, 1],
    ['formdata', 10, 1],
    ['formdata', 50, 2],
    ['formdata', 99, 2],
  ])('%s keeps nothing when the client goes away at %d %%', async (route, percent, begun) => {
    const before = (await api.get(base())).body.total;
    const plans = () => app.connection.collection('file_deletions').countDocuments();
    const type = route === 'formdata' ? { 'content-type': 'multipart/form-data; boundary=b0undary' } : {};
    const bytes = route === 'formdata' ? formOf('b0undary') : Buffer.alloc(3_000_000, 7);
    const headers = { authorization: `Bearer ${api.token}`, 'content-length': bytes.length, ...type };
    const request = httpRequest(new URL(`${app.baseUrl}/api${base()}/${route}`), { method: 'PUT', headers });
    const over = new Promise<void>((resolve) => request.once('error', () => resolve()).once('close', () => resolve()));
    request.write(bytes.subarray(0, (bytes.length * percent) / 100));
    await eventually(async () => expect(await plans()).toBe(begun));
    request.destroy();
    await over;
    await eventually(async () => expect(await plans()).toBe(0));
    expect((await api.get(base())).body.total).toBe(before);
  });

  it('lists, filters, changes and counts', async () => {
    const { id } = (await stream(wacz, { name: 'Findable', tags: 'rare' })).body;
    await settle();
    const { body } = await api.get(base(), { name: 'Findable', state: 'complete,failed', sortBy: 'fileSize' });
    expect([body.total, body.items[0].id]).toEqual([1, id]);
    expect(body.items[0]).not.toHaveProperty('resources');
    for (const state of ['', ['complete', 'failed'], ['failed', 'canceled,complete']])
      expect((await api.get(base(), { name: 'Findable', state })).body.total).toBe(1);
    expect((await api.get(base(), { sortBy: 'nope' })).body).toEqual({ detail: 'invalid_sort_by' });
    expect((await api.get(`${base()}/tagCounts`)).body.tags).toContainEqual({ tag: 'rare', count: 1 });
    expect((await api.patch(`${base()}/${id}`, { name: 'Renamed', tags: ['x'] })).body).toEqual({ updated: true });
    expect((await api.get(`${base()}/${id}`)).body).toMatchObject({ name: 'Renamed', tags: ['x'] });
    expect((await api.patch(`${base()}/${id}`, { tags: [] })).status).toBe(422);
    expect((await api.get(`${base()}/manual-1`)).body).toEqual({ detail: 'Crawl not found: manual-1' });
    expect((await api.get(`/orgs/all/uploads/${id}/replay.json`)).status).toBe(200);
  });

  it('deletes with everything of it', async () => {
    const { id } = (await stream(wacz)).body;
    await settle();
    expect((await api.post(`${base()}/delete`, { crawl_ids: [id] })).body).toEqual({
      deleted: true,
      storageQuotaReached: false,
    });
    expect((await api.get(`${base()}/${id}`)).status).toBe(404);
    expect((await api.post(`${base()}/delete`, { crawl_ids: [id] })).body).toEqual({
      detail: `Crawl not found: ${id}`,
    });
    expect((await api.post(`${base()}/delete`, { crawl_ids: [] })).body).toEqual({
      detail: 'uploaded_crawl_not_found',
    });
  });

  it.each(['processed', 'read again'])(
    'forgets the pages of an upload that is deleted while it is %s',
    async (when) => {
      const lines = Array.from({ length: 10_000 }, (_, i) => `{"url":"https://many.example/${i}"}`);
      const many = await zipOf([{ name: 'pages/pages.jsonl', content: lines.join('\n'), compress: true }]);
      const { id } = (await stream(many)).body;
      const pages = (filter = {}) => app.connection.collection('pages').countDocuments({ crawl_id: id, ...filter });
      if (when === 'read again') {
        await settle();
        await app.connection.collection('pages').deleteMany({ crawl_id: id });
        await api.post(`${base()}/${id}/pages/reAdd`);
      }
      const work = settle();
      await eventually(async () => expect(await pages()).toBeGreaterThan(0), 60_000, 5);
      expect((await api.post(`${base()}/delete`, { crawl_ids: [id] })).status).toBe(200);
      await work;
      await settle();
      expect(await pages()).toBe(0);
    },
  );

  it('takes up an upload whose processing was lost', async () => {
    const { id } = (await stream(wacz)).body;
    await settle();
    const crawls = app.connection.collection<{ _id: string }>('crawls');
    await crawls.updateOne({ _id: id }, { $set: { state: 'processing-upload' } });
    await app.connection.collection<{ _id: string }>('jobs').deleteOne({ _id: `postprocess-upload-${id}` });
    app.clock.advance(11 * 60_000);
    const { JobStarter } = await import('../../../src/jobs/job-starter.js');
    await app.app.get(JobStarter).start('retry-stuck-uploads', { oid: null });
    await settle();
    expect((await api.get(`${base()}/${id}`)).body.state).toBe('complete');
  });

  it('deletes what a dead process had begun to store', async () => {
    const store = app.app.get(Storages).resolveDefault({ name: 'default', custom: false });
    await store.put(`${oid}/uploads/orphan.wacz`, Buffer.from('x'));
    const { FileDeletionsRepository } = await import('../../../src/objects/data/file-deletions.repository.js');
    const { FileRemover } = await import('../../../src/objects/file-remover.js');
    const file = { filename: `${oid}/uploads/orphan.wacz`, hash: '', size: 0, replicas: [] };
    await app.app.get(FileDeletionsRepository).insert({
      _id: '4f1c6d0e-6d5e-4a53-9c39-6f2f6a8c4f0b',
      oid,
      files: [{ ...file, storage: { name: 'default', custom: false } }],
      created: app.clock.now(),
      attempts: 0,
      leaseUntil: new Date(app.clock.now().getTime() + 60_000),
    });
    await app.app.get(FileRemover).drain();
    expect(await store.exists(file.filename)).toBe(true);
    app.clock.advance(61_000);
    await app.app.get(FileRemover).drain();
    expect(await store.exists(file.filename)).toBe(false);
  });
});
