import { readdir, writeFile, mkdtemp, rm } from 'node:fs/promises';
import { request, type ClientRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { FileDeletionsRepository } from '../../../src/objects/data/file-deletions.repository.js';
import { FileRemover } from '../../../src/objects/file-remover.js';
import { Storages } from '../../../src/storage/storages.js';
import type { ApiClient } from '../../support/api-client.js';
import { givenUp, settled } from '../../support/archive.js';
import { eventually } from '../../support/eventually.js';
import { FaultyS3, type Fault } from '../../support/faulty-s3.js';
import { expectInvariants } from '../../support/invariants.js';
import { OneConnection } from '../../support/one-connection.js';
import { startS3Server } from '../../support/s3-server.js';
import { type AppUnderTest, startApp } from '../../support/start-app.js';
import { waczOf } from '../../support/zip.js';

const server = await startS3Server();
const suite = server ? describe : describe.skip;

suite('uploads to a storage that fails', () => {
  let way: FaultyS3;
  let app: AppUnderTest;
  /** Another process, that waits for the storage no longer than a test can; the other one waits for a busy machine. */
  let impatient: AppUnderTest;
  let api: ApiClient;
  let oid: string;
  let wacz: Buffer;
  let folder: string;

  beforeAll(async () => {
    way = await FaultyS3.before(server!.port);
    folder = await mkdtemp(join(tmpdir(), 'muniment-storages-'));
    const storages = join(folder, 'storages.json');
    const { accessKey: access_key, secretKey: secret_key, bucket: bucket_name } = server!;
    const s3 = { name: 'faulty', type: 's3', access_key, secret_key, endpoint_url: way.url, bucket_name };
    await writeFile(storages, JSON.stringify([s3]));
    app = await startApp({ today: true, env: { STORAGES_JSON: storages, STORAGE_TIMEOUT_SECONDS: '60' } });
    impatient = await startApp({ like: app, env: { STORAGES_JSON: storages, STORAGE_TIMEOUT_SECONDS: '2' } });
    api = await app.admin();
    oid = await app.defaultOrgId();
    wacz = await waczOf(['https://a.example/']);
  });
  afterAll(async () => {
    await impatient?.stop();
    await app?.close();
    await way?.close();
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const settle = () => settled(app);
  const stream = (bytes: Buffer, query: Record<string, string> = {}, by = api) =>
    by.put(`/orgs/${oid}/uploads/stream`, undefined, {
      query: { filename: 'a.wacz', ...query },
      raw: new Uint8Array(bytes),
    });
  const clientFor = async (fault: Fault): Promise<ApiClient> => (fault === 'hang' ? impatient.admin() : api);
  const items = async () => (await api.get(`/orgs/${oid}/uploads`)).body.total as number;

  /** What really lies in the folder behind the bucket, parts of multipart uploads included. */
  async function stored(): Promise<string[]> {
    const entries = await readdir(server!.folder, { recursive: true, withFileTypes: true });
    return entries.filter((one) => one.isFile()).map(({ name }) => name);
  }

  /** After the storage has come back: what was left is deleted, and everything agrees. */
  async function expectClean(): Promise<void> {
    way.heal();
    await expectInvariants(app);
    const docs = await app.connection.collection('crawls').find({}).toArray();
    const recorded = docs.flatMap((doc) =>
      (doc['files'] as { filename: string }[]).map(({ filename }) => filename.split('/').at(-1)),
    );
    expect((await stored()).sort()).toEqual(recorded.sort());
    expect(await app.connection.collection('file_deletions').countDocuments()).toBe(0);
  }
  afterEach(expectClean);

  it.each<[string, Fault, number]>([
    ['answers 500', 500, 5_000],
    ['answers 503', 503, 5_000],
    ['hangs', 'hang', 5_000],
    ['answers 500, to a body that is passed on as it comes', 500, 21_000_000],
    ['hangs, with a body that is passed on as it comes', 'hang', 21_000_000],
  ])('are refused and keep nothing when it %s', async (_label, fault, size) => {
    const [before, client] = [await items(), await clientFor(fault)];
    way.fault = fault;
    const answer = await stream(Buffer.alloc(size, 1), {}, client);
    expect([answer.status, answer.body]).toEqual([400, { detail: 'upload_failed' }]);
    expect(await items()).toBe(before);
  });

  it.each<[string, Fault]>([
    ['500', 500],
    ['503', 503],
    ['nothing', 'hang'],
  ])('of unknown length keep nothing when a later part is answered with %s', async (_label, fault) => {
    const client = await clientFor(fault);
    way.hits = ({ url = '' }) => /partNumber=2\b/i.test(url);
    way.fault = fault;
    const body = new Blob([new Uint8Array(21_000_000)]).stream();
    const answer = await client.put(`/orgs/${oid}/uploads/stream`, undefined, {
      query: { filename: 'a.wacz' },
      raw: body,
    });
    expect([answer.status, answer.body]).toEqual([400, { detail: 'upload_failed' }]);
    // The parts that came before are gone without anybody's help.
    expect((await stored()).filter((name) => !name.endsWith('.wacz'))).toEqual([]);
  });

  it('by tus leave their connection to the next request, and can be gone on with', async () => {
    const connection = new OneConnection(app.baseUrl, api);
    const tus = { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream' };
    const bytes = Buffer.alloc(21_000_000, 3);
    const about = { 'upload-length': bytes.length, 'upload-metadata': `filename ${btoa('a.wacz')}` };
    try {
      const begun = await connection.send('POST', `/orgs/${oid}/uploads/tus`, { ...tus, ...about });
      const path = `/orgs/${oid}/uploads/tus/${begun.headers.location?.split('/').at(-1)}`;
      way.fault = 500;
      const broken = await connection.send('PATCH', path, { ...tus, 'upload-offset': 0 }, bytes);
      expect([broken.status, broken.body]).toEqual([503, { detail: 'upload_interrupted' }]);
      const kept = await connection.send('HEAD', path, tus);
      expect(kept).toMatchObject({ status: 200, headers: { 'upload-offset': '0' } });
      way.heal();
      const half = await connection.send('PATCH', path, { ...tus, 'upload-offset': 0 }, bytes.subarray(0, 11_000_000));
      expect(half).toMatchObject({ status: 204, headers: { 'upload-offset': '11000000' } });
      expect(await connection.send('DELETE', path, tus)).toMatchObject({ status: 204 });
    } finally {
      connection.close();
    }
  });

  const clients: ClientRequest[] = [];
  /** Sends that much of an upload of 30 MB. */
  async function begun(percent: number, isSizeTold = true): Promise<ClientRequest> {
    const bytes = Buffer.alloc(30_000_000, 7);
    const url = new URL(`${app.baseUrl}/api/orgs/${oid}/uploads/stream?filename=x.wacz`);
    const length = isSizeTold ? { 'content-length': bytes.length } : {};
    const headers = { authorization: `Bearer ${api.token}`, ...length };
    const client = request(url, { method: 'PUT', headers });
    clients.push(client);
    client.on('error', () => undefined);
    await new Promise<void>((resolve) => {
      client.write(bytes.subarray(0, (bytes.length * percent) / 100), () => resolve());
    });
    const plans = () => app.connection.collection('file_deletions').countDocuments();
    await eventually(async () => expect(await plans()).toBe(1));
    return client;
  }
  // One that a failed test has left open would keep the service from ending.
  afterEach(() => clients.splice(0).forEach((client) => client.destroy()));
  const answersTo = (asked: string) => way.answered.filter((method) => method === asked).length;

  it.each([10, 50, 99])('keep nothing when the client goes away at %d %%', async (percent) => {
    let puts = 0;
    way.hits = ({ method }) => {
      if (method === 'PUT') puts += 1;
      return false;
    };
    const [deleted, before] = [answersTo('DELETE'), await stored()];
    const client = await begun(percent);
    await eventually(() => expect(puts).toBe(percent === 10 ? 0 : 1));
    client.destroy();
    await eventually(async () => expect([answersTo('DELETE'), await stored()]).toEqual([deleted + 1, before]));
  });

  it.each([
    [10, 0],
    [50, 1],
    [99, 2],
  ])('of unknown length keep nothing when the client goes away at %d %%', async (percent, parts) => {
    const [put, deleted, before] = [answersTo('PUT'), answersTo('DELETE'), await stored()];
    const client = await begun(percent, false);
    await eventually(() => expect(answersTo('PUT')).toBe(put + parts));
    client.destroy();
    // The upload in parts, where there is one, and the object.
    const last = deleted + (parts > 0 ? 2 : 1);
    await eventually(async () => expect([answersTo('DELETE'), await stored()]).toEqual([last, before]));
  });

  it('keep nothing when the storage hears of a client that went away after it was told to delete', async () => {
    let reach = (): void => undefined;
    const reached = new Promise<void>((resolve) => (reach = resolve));
    way.endOfBroken = () => reached;
    const [deleted, drains, ended] = [answersTo('DELETE'), way.drains, way.brokenEnded];
    const client = await begun(50);
    await eventually(() => expect(way.drains).toBeGreaterThan(drains));
    client.destroy();
    await eventually(() => expect(answersTo('DELETE')).toBe(deleted + 1));
    reach();
    await eventually(() => expect(way.brokenEnded).toBe(ended + 1));
  });

  it('of a form keep none of its files when the second cannot be stored', async () => {
    let puts = 0;
    way.hits = ({ method }) => method === 'PUT' && (puts += 1) > 1;
    way.fault = 500;
    const form = new FormData();
    for (const name of ['a.wacz', 'b.wacz']) form.append('uploads', new Blob([new Uint8Array(wacz)]), name);
    const answer = await api.put(`/orgs/${oid}/uploads/formdata`, undefined, { raw: form });
    expect([answer.status, answer.body]).toEqual([400, { detail: 'upload_failed' }]);
  });

  it('leave the upload that was to be replaced as it is', async () => {
    const { id } = (await stream(wacz)).body;
    await settle();
    const before = (await api.get(`/orgs/${oid}/uploads/${id}`)).body;
    way.fault = 503;
    expect((await stream(wacz, { replaceId: id })).status).toBe(400);
    way.heal();
    expect((await api.get(`/orgs/${oid}/uploads/${id}`)).body).toEqual(before);
  });

  it.each<[string, Fault]>([
    ['breaks off in the middle of reads', 'short'],
    ['answers reads with 500', 500],
  ])('are processed later when it %s', async (_label, fault) => {
    way.hits = ({ method }) => method === 'GET';
    way.fault = fault;
    const { id } = (await stream(wacz)).body;
    await settle();
    expect((await api.get(`/orgs/${oid}/uploads/${id}`)).body.state).toBe('processing-upload');
    way.heal();
    app.clock.advance(60_000);
    await settle();
    expect((await api.get(`/orgs/${oid}/uploads/${id}`)).body).toMatchObject({ state: 'complete', pageCount: 1 });
  });

  it('fail when it never comes back, and are processed when the job is asked for again', async () => {
    way.hits = ({ method }) => method === 'GET';
    way.fault = 500;
    const { id } = (await stream(wacz)).body;
    await givenUp(app);
    expect((await api.get(`/orgs/${oid}/uploads/${id}`)).body.state).toBe('failed');
    way.heal();
    expect((await api.post(`/orgs/${oid}/jobs/postprocess-upload-${id}/retry`)).body).toEqual({ success: true });
    await settle();
    expect((await api.get(`/orgs/${oid}/uploads/${id}`)).body).toMatchObject({ state: 'complete', pageCount: 1 });
  });

  it('are deleted when it cannot delete, and their objects when it can', async () => {
    const { id } = (await stream(wacz)).body;
    await settle();
    way.hits = ({ method }) => method === 'DELETE';
    way.fault = 500;
    const answer = await api.post(`/orgs/${oid}/uploads/delete`, { crawl_ids: [id] });
    expect([answer.status, answer.body]).toEqual([400, { detail: 'file_deletion_error' }]);
    expect((await api.get(`/orgs/${oid}/uploads/${id}`)).status).toBe(404);
  });

  it('are deleted by the next process at once when one stops between two objects', async () => {
    const storage = { name: 'faulty', custom: false };
    const store = app.app.get(Storages).resolveDefault(storage);
    const names = ['a', 'b'].map((name) => `${oid}/stopped/${name}.wacz`);
    const left = async () => (await store.list(`${oid}/stopped/`)).objects.map(({ key }) => key);
    for (const name of names) await store.put(name, Buffer.from(name));
    const files = names.map((filename) => ({ filename, storage, hash: 'seen', size: 1, replicas: [] }));
    await app.app.get(FileDeletionsRepository).plan({ oid, files, attempts: 1 }, { isDue: true });
    let release = (): void => {};
    way.held = { taken: 0, answered: 0 };
    way.hits = ({ method }) => method === 'DELETE';
    way.heldBack = new Promise<void>((resolve) => (release = resolve));
    const other = await startApp({ like: app, env: { STORAGES_JSON: join(folder, 'storages.json') } });
    const remover = other.app.get(FileRemover);
    await remover.look();
    await eventually(() => expect(way.held.taken).toBe(1));
    const stopped = other.stop();
    await eventually(() => expect(Reflect.get(remover, 'stopping')).toHaveProperty('aborted', true));
    release();
    await stopped;
    expect(await left()).toEqual(names.slice(1));
    expect(await app.app.get(FileRemover).drain()).toBe(1);
    expect(await left()).toEqual([]);
  });

  it('leave no parts behind when the process that sent them dies', async () => {
    const { S3Client, CreateMultipartUploadCommand, UploadPartCommand } = await import('@aws-sdk/client-s3');
    const { accessKey, secretKey, bucket, url } = server!;
    const credentials = { accessKeyId: accessKey, secretAccessKey: secretKey };
    const client = new S3Client({ endpoint: url, region: 'us-east-1', forcePathStyle: true, credentials });
    const filename = `${oid}/uploads/dead.wacz`;
    const target = { Bucket: bucket, Key: filename };
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(target));
    await client.send(new UploadPartCommand({ ...target, UploadId, PartNumber: 1, Body: Buffer.alloc(1000) }));
    client.destroy();
    expect((await stored()).length).toBeGreaterThan(0);
    // What the dead process had stored before its first byte.
    const file = { filename, hash: '', size: 0, storage: { name: 'faulty', custom: false }, replicas: [] };
    const plan = { _id: crypto.randomUUID(), oid, files: [file], created: app.clock.now(), attempts: 0 };
    await app.app.get(FileDeletionsRepository).insert({ ...plan, leaseUntil: app.clock.now() });
    await app.app.get(FileRemover).drain();
  });
});
