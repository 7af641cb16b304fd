import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { JobWorker } from '../../../src/jobs/job-worker.js';
import { Storages } from '../../../src/storage/storages.js';
import type { ApiClient } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { FaultyS3 } from '../../support/faulty-s3.js';
import { expectInvariants } from '../../support/invariants.js';
import { startS3Server } from '../../support/s3-server.js';
import { type AppUnderTest, startApp } from '../../support/start-app.js';
import { waczOf } from '../../support/zip.js';

const server = await startS3Server();
const suite = server ? describe : describe.skip;

suite('copies that a replica storage stores late', () => {
  let way: FaultyS3;
  let folder: string;
  let env: Record<string, string>;
  let app: AppUnderTest;
  let api: ApiClient;
  let oid: string;
  let wacz: Buffer;
  /** Lets go what is held back. */
  let release: () => void;

  beforeAll(async () => {
    way = await FaultyS3.before(server!.port);
    folder = await mkdtemp(join(tmpdir(), 'muniment-storages-'));
    const { accessKey: access_key, secretKey: secret_key, bucket, url } = server!;
    const entry = (name: string, host: string, more: object) => ({
      ...{ type: 's3', name, access_key, secret_key, endpoint_url: `${host}${bucket}/${name}/`, ...more },
    });
    const main = entry('main', url, { is_default_primary: true });
    const copy = entry('copy', way.url, { is_default_replica: true });
    env = { STORAGES_JSON: join(folder, 'storages.json'), STORAGE_TIMEOUT_SECONDS: '300' };
    await writeFile(env['STORAGES_JSON']!, JSON.stringify([main, copy]));
    app = await startApp({ today: true, env });
    api = await app.admin();
    oid = await app.defaultOrgId();
    wacz = await waczOf(['https://a.example/']);
  });
  afterAll(async () => {
    release?.();
    await app?.close();
    await way?.close();
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  beforeEach(() => {
    way.held = { taken: 0, answered: 0 };
    way.hits = ({ method }) => method === 'PUT';
    way.heldBack = new Promise<void>((resolve) => (release = resolve));
  });
  afterEach(() => {
    release();
    way.heal();
  });

  const worker = (of: AppUnderTest) => of.app.get(JobWorker);
  const keysIn = async (name: string) => {
    const { objects } = await app.app.get(Storages).resolveDefault({ name, custom: false }).list('');
    return objects.map(({ key }) => key);
  };
  const upload = async (by: ApiClient, query: Record<string, string> = {}): Promise<string> => {
    const raw = new Uint8Array(wacz);
    const answer = await by.put(`/orgs/${oid}/uploads/stream`, undefined, {
      query: { filename: 'a.wacz', ...query },
      raw,
    });
    expect(answer.status).toBe(200);
    return answer.body.id as string;
  };
  const copyIsSent = () => eventually(() => expect(way.held.taken).toBe(1));
  const deleted = async (id: string): Promise<void> => {
    expect((await api.post(`/orgs/${oid}/uploads/delete`, { crawl_ids: [id] })).status).toBe(200);
    expect(await keysIn('main')).toEqual([]);
    expect(await app.connection.collection('crawls').countDocuments()).toBe(0);
  };

  it('are deleted by the process that made them when their item went meanwhile', async () => {
    const id = await upload(api);
    const drained = worker(app).drain();
    await copyIsSent();
    await deleted(id);
    release();
    await drained;
    expect(await keysIn('copy')).toEqual([]);
    await expectInvariants(app);
    expect(await keysIn('copy')).toEqual([]);
  });

  it('are deleted when nobody waits for them any longer', async () => {
    const other = await startApp({ like: app, env });
    let id = '';
    let drained: Promise<unknown> = Promise.resolve();
    try {
      id = await upload(await other.admin());
      drained = worker(other).drain();
      await copyIsSent();
      await deleted(id);
    } finally {
      await other.stop();
      await drained;
    }
    // Once its lease is over the job is somebody else's, who finds nothing to copy.
    app.clock.advance(60_000);
    await worker(app).drain();
    const { items } = (await api.get(`/orgs/${oid}/jobs`, { jobType: 'create-replica' })).body;
    expect(items.find((job: { object_id: string }) => job.object_id === id)).toMatchObject({ success: true });
    expect(await keysIn('copy')).toEqual([]);
    release();
    await eventually(() => expect(way.held.answered).toBe(1));
    expect(await keysIn('copy')).toHaveLength(1);
    await expectInvariants(app);
    expect(await keysIn('copy')).toEqual([]);
    expect(await app.connection.collection('file_deletions').countDocuments()).toBe(0);
  });

  it('go with the file that is replaced while they are made', async () => {
    const id = await upload(api);
    const drained = worker(app).drain();
    await copyIsSent();
    // What replaces it has begun before the copy of the old file is recorded, and ends after it.
    let finish!: () => void;
    const isCopied = new Promise<void>((resolve) => (finish = resolve));
    const raw = new ReadableStream<Uint8Array>({
      async start(sender) {
        sender.enqueue(new Uint8Array(wacz.subarray(0, 100)));
        await isCopied;
        sender.enqueue(new Uint8Array(wacz.subarray(100)));
        sender.close();
      },
    });
    const query = { filename: 'b.wacz', replaceId: id };
    const sent = api.put(`/orgs/${oid}/uploads/stream`, undefined, { query, raw });
    try {
      const plans = () => app.connection.collection('file_deletions').countDocuments();
      await eventually(async () => expect(await plans()).toBe(1));
      way.heldBack = null;
      release();
      await drained;
      expect(await keysIn('copy')).toHaveLength(1);
    } finally {
      finish();
    }
    expect((await sent).body).toMatchObject({ added: true, id });
    await expectInvariants(app);
    expect((await keysIn('copy')).sort()).toEqual((await keysIn('main')).sort());
  });
});
