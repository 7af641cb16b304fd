import { ReadableStream } from 'node:stream/web';

import { Fixity } from '../../../src/objects/fixity.js';
import { JobWorker } from '../../../src/jobs/job-worker.js';
import { Storages } from '../../../src/storage/storages.js';
import type { ApiClient } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { expectInvariants } from '../../support/invariants.js';
import { type AppUnderTest, startApp } from '../../support/start-app.js';
import { waczOf } from '../../support/zip.js';

describe('an upload in the place of another', () => {
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
  afterAll(() => app?.close());

  const base = () => `/orgs/${oid}/uploads`;
  const settle = () => app.app.get(JobWorker).drain();
  const put = (raw: RequestInit['body'], query: Record<string, string>) =>
    api.put(`${base()}/stream`, undefined, { query: { filename: 'My Test.wacz', ...query }, raw });
  const stream = (body: Buffer, query: Record<string, string> = {}) => put(new Uint8Array(body), query);

  /** Records, counters and objects agree. */
  afterEach(async () => {
    await settle();
    await expectInvariants(app);
    const items = await app.connection.collection('crawls').find({}).toArray();
    const recorded = items.flatMap((item) => (item['files'] as { filename: string }[]).map((f) => f.filename));
    const store = app.app.get(Storages).resolveDefault({ name: 'default', custom: false });
    expect((await store.list('')).objects.map(({ key }) => key).sort()).toEqual(recorded.sort());
    expect(await app.connection.collection('file_deletions').countDocuments()).toBe(0);
  });

  it('replaces an upload by another one', async () => {
    const { id } = (await stream(wacz, { name: 'First', tags: 'old' })).body;
    await settle();
    for await (const { result } of app.app.get(Fixity, { strict: false }).verifySince(oid, app.clock.now()))
      expect(result).toBe('ok');
    expect((await api.get(`${base()}/${id}`)).body.fixity.result).toBe('ok');
    const next = await waczOf(['https://new.example/']);
    const replaced = await stream(next, { replaceId: id, name: 'Second' });
    expect(replaced.body.id).toBe(id);
    expect((await stream(next, { replaceId: id })).body).toEqual({ detail: 'upload_still_processing' });
    await settle();
    const { body } = await api.get(`${base()}/${id}/replay.json`);
    expect(body).toMatchObject({ name: 'Second', tags: [], pageCount: 1, fileCount: 1 });
    expect(body.initialPages[0].url).toBe('https://new.example/');
    // What was found of the old file says nothing about the new one.
    expect(body.fixity).toBeNull();
  });

  it('lets only one of two uploads take one place', async () => {
    const { id } = (await stream(wacz)).body;
    await settle();
    const answers = await Promise.all([stream(wacz, { replaceId: id }), stream(wacz, { replaceId: id })]);
    expect(answers.map((a) => a.status).sort()).toEqual([200, 400]);
  });

  it('makes a new item where there is nothing to replace', async () => {
    const wanted = 'upload-4f1c6d0e-6d5e-4a53-9c39-6f2f6a8c4f0b';
    expect((await stream(wacz, { replaceId: wanted })).body.id).not.toBe(wanted);
  });

  it('becomes an item of its own when the other is deleted while it is sent', async () => {
    const { id } = (await stream(wacz, { name: 'First' })).body;
    await settle();
    let rest!: () => void;
    const isDeleted = new Promise<void>((resolve) => (rest = resolve));
    const body = new ReadableStream<Uint8Array>({
      async start(sender) {
        sender.enqueue(new Uint8Array(wacz.subarray(0, 100)));
        await isDeleted;
        sender.enqueue(new Uint8Array(wacz.subarray(100)));
        sender.close();
      },
    });
    const sent = put(body as RequestInit['body'], { replaceId: id, name: 'Second' });
    try {
      // The object's first byte: by now the place was looked up.
      await eventually(async () =>
        expect(await app.connection.collection('file_deletions').countDocuments()).toBeGreaterThan(0),
      );
      expect((await api.post(`${base()}/delete`, { crawl_ids: [id] })).status).toBe(200);
    } finally {
      rest();
    }
    const answer = await sent;
    expect([answer.status, answer.body.added]).toEqual([200, true]);
    expect(answer.body.id).not.toBe(id);
    await settle();
    expect((await api.get(`${base()}/${id}`)).status).toBe(404);
    const found = (await api.get(`${base()}/${answer.body.id}/replay.json`)).body;
    expect(found).toMatchObject({ name: 'Second', state: 'complete', pageCount: 2, fileSize: wacz.length });
  });
});
