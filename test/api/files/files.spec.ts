import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { mongo } from 'mongoose';
import { days, minutes } from '../../../src/common/units/durations.js';
import { JobStarter } from '../../../src/jobs/job-starter.js';
import { JobWorker } from '../../../src/jobs/job-worker.js';
import type { ApiClient } from '../../support/api-client.js';
import { aMember, anOrg } from '../../support/people.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';

let app: AppUnderTest;
let admin: ApiClient;
let oid: string;
let base: string;

const put = (raw: RequestInit['body'], filename = 'seeds.txt') =>
  admin.call('PUT', `${base}/seedFile`, { query: { filename }, raw });
const aFile = async (text: string, filename = 'seeds.txt'): Promise<string> =>
  (await put(text, filename)).body.id as string;
const bytes = async (): Promise<number[]> => {
  const { body } = await admin.get(`/orgs/${oid}`);
  return [body.bytesStoredSeedFiles, body.bytesStored];
};
const total = async (): Promise<number> => (await admin.get(base)).body.total as number;

beforeAll(async () => {
  app = await startApp();
  admin = await app.admin();
  oid = await app.defaultOrgId();
  base = `/orgs/${oid}/files`;
});
afterAll(() => app.close());

describe('a seed file', () => {
  it('is stored as it was sent, counted and handed out again', async () => {
    const [files, all] = await bytes();
    const text = '# list\n\nhttps://specs.webrecorder.net\nhttps://example.com/ü\n';
    const { status, body } = await put(text, 'My Seeds.txt');
    expect([status, body]).toEqual([200, { added: true, id: expect.any(String) }]);
    const { body: file } = await admin.get(`${base}/${body.id}`);
    expect(file).toMatchObject({
      id: body.id,
      oid,
      type: 'seedFile',
      hash: createHash('sha256').update(text).digest('hex'),
      size: Buffer.byteLength(text),
      mime: 'text/plain',
      originalFilename: 'My Seeds.txt',
      firstSeed: 'https://specs.webrecorder.net',
      seedCount: 4,
      name: expect.stringMatching(new RegExp(`^${oid}/seedFiles/seedFile-${body.id}-[a-z2-7]{8}\\.txt$`)),
    });
    expect(file.path.startsWith(`${app.baseUrl}/data/`)).toBe(true);
    expect(await (await fetch(file.path as string)).text()).toBe(text);
    expect(await bytes()).toEqual([(files as number) + file.size, (all as number) + file.size]);
    const { body: again } = await admin.call('GET', `${base}/${body.id}`, {
      headers: { 'x-forwarded-proto': 'https' },
    });
    expect(again.path.startsWith(app.baseUrl.replace('http:', 'https:'))).toBe(true);
  });

  it('gives a workflow its first seed and count', async () => {
    const seedFileId = await aFile('https://a.org\nhttps://b.org');
    const workflows = `/orgs/${oid}/crawlconfigs`;
    const { body } = await admin.post(`${workflows}/`, { name: 'w', config: { seedFileId, scopeType: 'domain' } });
    expect((await admin.get(`${workflows}/${body.id}`)).body).toMatchObject({
      firstSeed: 'https://a.org',
      seedCount: 2,
      config: { seedFileId, scopeType: 'page', seeds: null },
    });
    const both = { name: 'w', config: { seedFileId, seeds: [{ url: 'https://a.org/' }] } };
    expect((await admin.post(`${workflows}/`, both)).body.detail).toBe('use_one_of_seeds_or_seedfile');
    expect((await admin.delete(`${base}/${seedFileId}`)).body.detail).toBe('seed_file_in_use');
    // A workflow that never ran goes with its file.
    await admin.delete(`${workflows}/${body.id}`);
    expect((await admin.get(`${base}/${seedFileId}`)).status).toBe(404);
  });

  it.each([
    ['https://a.org', 'seeds.csv', 'invalid_extension'],
    ['https://a.org', 'txt', 'invalid_extension'],
    ['https://a.org', '.txt', 'invalid_extension'],
    ['https://a.org', 'seeds.TXT', 'invalid_extension'],
    ['', 'seeds.txt', 'invalid_seed_file'],
    ['example.com\n/path\nmailto:a@b', 'seeds.txt', 'invalid_seed_file'],
    [Buffer.from([0xff, 0xfe, 0x00, 0x80]), 'seeds.txt', 'invalid_seed_file'],
  ])('%j named %s is refused and leaves nothing', async (text, filename, detail) => {
    const before = [await total(), await bytes()];
    const answer = await put(text as RequestInit['body'], filename);
    expect([answer.status, answer.body.detail]).toEqual([400, detail]);
    expect([await total(), await bytes()]).toEqual(before);
  });

  it('may have 25,000,000 bytes and not one more', async () => {
    const head = 'https://a.org\n';
    const [files] = await bytes();
    const fits = await put(head + 'x'.repeat(25_000_000 - head.length));
    expect(fits.status).toBe(200);
    const long = await put(head + 'x'.repeat(25_000_001 - head.length));
    expect([long.status, long.body.detail]).toEqual([400, 'max_size_25_mb_exceeded']);
    await admin.delete(`${base}/${fits.body.id}`);
    expect((await bytes())[0]).toBe(files);
  });

  it('that is broken off leaves nothing', async () => {
    const before = [await total(), await bytes()];
    const { hostname, port } = new URL(app.baseUrl);
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          `PUT /api${base}/seedFile?filename=a.txt HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${admin.token}\r\n` +
            'Content-Length: 1000\r\n\r\nhttps://a.org\n',
          () => setImmediate(() => socket.destroy()),
        );
      });
      socket.on('close', () => resolve());
    });
    expect([await total(), await bytes()]).toEqual(before);
  });

  it('is refused when the org may not write', async () => {
    const orgs = app.connection.collection('organizations');
    await orgs.updateOne({ default: true }, { $set: { readOnly: true } });
    expect((await put('https://a.org')).body).toEqual({ detail: 'org_set_to_read_only' });
    await orgs.updateOne({ default: true }, { $set: { readOnly: false, 'quotas.storageQuota': 1, bytesStored: 1 } });
    expect((await put('https://a.org')).body).toEqual({ detail: 'storage_quota_reached' });
    await orgs.updateOne(
      { default: true },
      { $set: { 'quotas.storageQuota': 0, bytesStored: 0, bytesStoredSeedFiles: 0 } },
    );
  });
});

describe('the list of seed files', () => {
  it('is sorted as asked for', async () => {
    app.clock.advance(minutes(1));
    await aFile('https://z.org', 'z.txt');
    app.clock.advance(minutes(1));
    await aFile('https://a.org\nb', 'a.txt');
    const seeds = async (query: Record<string, string>) =>
      ((await admin.get(base, { pageSize: '2', ...query })).body.items as { firstSeed: string }[]).map(
        ({ firstSeed }) => firstSeed,
      );
    expect(await seeds({})).toEqual(['https://a.org', 'https://z.org']);
    expect((await seeds({ sortBy: 'firstSeed', sortDirection: '-1' }))[0]).toBe('https://z.org');
    expect((await admin.get(base, { sortBy: 'name' })).body.detail).toBe('invalid_sort_by');
    expect((await admin.get(base, { sortDirection: '3' })).body.detail).toBe('invalid_sort_direction');
    expect((await admin.get(base, { page: '0' })).status).toBe(422);
  });
});

describe('who may do what with seed files', () => {
  it('lets viewers read and crawlers write, in their own org', async () => {
    const id = await aFile('https://a.org');
    const viewer = (await aMember(app, oid, 10)).api;
    expect((await viewer.get(`${base}/${id}`)).status).toBe(200);
    expect((await viewer.delete(`${base}/${id}`)).status).toBe(403);
    expect((await viewer.call('PUT', `${base}/seedFile`, { query: { filename: 'a.txt' }, raw: 'x' })).status).toBe(403);
    const other = `/orgs/${await anOrg(app)}/files/${id}`;
    expect(await admin.get(other)).toMatchObject({ status: 404, body: { detail: 'file_not_found' } });
    expect(await admin.delete(other)).toMatchObject({ status: 404, body: { detail: 'file_not_found' } });
    expect((await admin.get(`${base}/nonsense`)).status).toBe(422);
    expect((await admin.call('PUT', `${base}/seedFile`, { raw: 'x' })).status).toBe(422);
  });
});

describe('a seed file that is deleted while workflows take it', () => {
  it('is there for every workflow that was created', async () => {
    for (let round = 0; round < 5; round++) {
      const seedFileId = await aFile('https://a.org');
      const create = () => admin.post(`/orgs/${oid}/crawlconfigs/`, { name: 'w', config: { seedFileId } });
      const [created, deleted] = await Promise.all([create(), admin.delete(`${base}/${seedFileId}`)]);
      expect([created.status, deleted.status].sort()).not.toEqual([200, 200]);
      expect((await admin.get(`${base}/${seedFileId}`)).status).toBe(created.status === 200 ? 200 : 404);
    }
  });
});

describe('the clean-up', () => {
  it('deletes unused files of a day ago, with their objects', async () => {
    const used = await aFile('https://used.org');
    await admin.post(`/orgs/${oid}/crawlconfigs/`, { name: 'w', config: { seedFileId: used } });
    const unused = await aFile('https://unused.org');
    const { path } = (await admin.get(`${base}/${unused}`)).body;
    // More than one batch of them.
    const files = app.connection.collection('file_uploads');
    const one = (await files.findOne({})) as Record<string, unknown>;
    const many = Array.from({ length: 120 }, () => ({ ...one, _id: new mongo.UUID() }));
    await files.insertMany(many as never[]);
    app.clock.advance(days(1));
    app.clock.advance(minutes(1));
    const young = await aFile('https://young.org');
    const jobId = await app.app.get(JobStarter, { strict: false }).start('cleanup-seed-files', { oid: null });
    await app.app.get(JobWorker, { strict: false }).drain();
    const job = await app.connection.collection('jobs').findOne({ _id: jobId as never });
    expect(job).toMatchObject({ type: 'cleanup-seed-files', success: true, oid: null });
    expect((await admin.get(`${base}/${unused}`)).status).toBe(404);
    expect((await fetch(path as string)).status).toBe(404);
    expect((await admin.get(`${base}/${used}`)).status).toBe(200);
    expect((await admin.get(`${base}/${young}`)).status).toBe(200);
  });
});
