import { request as httpRequest } from 'node:http';
import { ApiClient } from '../../support/api-client.js';
import { killApiProcess, startApiProcess, type ApiProcess } from '../../support/api-process.js';
import { eventually } from '../../support/eventually.js';
import { expectInvariants } from '../../support/invariants.js';
import type { ResponseCheck } from '../../support/response-check.js';
import { type AppUnderTest, startApp } from '../../support/start-app.js';
import { JobWorker } from '../../../src/jobs/job-worker.js';
import { Storages } from '../../../src/storage/storages.js';
import { packedPerRecord, response } from '../../support/warc.js';
import { zipOf } from '../../support/zip.js';

/** A loaded machine starts the service in half a minute. */
const STEP_MS = 300_000;
/** The models are checked by the API tests; these are about what is left after a kill. */
const UNCHECKED = { check: () => undefined } as unknown as ResponseCheck;

describe('kill -9 of the service', () => {
  /** The process that is left: it does nothing by itself, and takes over when it is told to. */
  let app: AppUnderTest;
  let oid: string;
  let token: string;
  let mortal: ApiProcess | null = null;
  let api: ApiClient;

  beforeAll(async () => {
    app = await startApp({ today: true });
    oid = await app.defaultOrgId();
    token = (await app.admin()).token ?? '';
  }, STEP_MS);
  afterAll(async () => {
    if (mortal) await killApiProcess(mortal);
    await app?.close();
  });

  /** A process of its own on the same database and files, as it runs in production. */
  async function start(): Promise<void> {
    const url = process.env['MUNIMENT_TEST_MONGO_URL'] ?? '';
    const env = { MONGO_DB_URL: url, MONGO_DB_NAME: app.connection.name, DATA_DIR: app.dataDir };
    mortal = await startApiProcess({ ...env, JWT_TOKEN_LIFETIME_MINUTES: '1000000' });
    const login = await new ApiClient(mortal.baseUrl, UNCHECKED, null).call('POST', '/auth/jwt/login', {
      form: { username: 'admin@example.com', password: 'PASSW0RD!of-tests' },
    });
    api = new ApiClient(mortal.baseUrl, UNCHECKED, login.body.access_token as string);
  }
  async function kill(): Promise<void> {
    if (mortal) await killApiProcess(mortal);
    mortal = null;
  }

  /** What time would do in half an hour: leases of the dead end, and what they left is taken up. */
  async function expectRecovered(): Promise<void> {
    // What this process does is not what the dead one left: time does not run out for it.
    await app.app.get(JobWorker, { strict: false }).drain();
    app.clock.set(new Date(Date.now()));
    await expectInvariants(app);
    const docs = await app.connection.collection('crawls').find({}).toArray();
    const recorded = docs.flatMap((doc) => (doc['files'] as { filename: string }[]).map(({ filename }) => filename));
    const store = app.app.get(Storages, { strict: false }).resolveDefault({ name: 'default', custom: false });
    expect((await store.list('')).objects.map(({ key }) => key).sort()).toEqual(recorded.sort());
    expect(await app.connection.collection('file_deletions').countDocuments()).toBe(0);
  }

  const count = (name: string, filter: object) => app.connection.collection(name).countDocuments(filter);
  const stream = (bytes: Buffer, filename: string) =>
    api.put(`/orgs/${oid}/uploads/stream`, undefined, { query: { filename }, raw: new Uint8Array(bytes) });
  const stateOf = async (id: string) =>
    (await new ApiClient(app.baseUrl, UNCHECKED, token).get(`/orgs/${oid}/uploads/${id}`)).body;

  it.each(['stream?filename=a.wacz', 'formdata'])(
    'during an upload to %s leaves nothing of it',
    async (route) => {
      await start();
      const before = await count('crawls', {});
      const boundary = 'b0undary';
      const isForm = route === 'formdata';
      const headers = {
        authorization: `Bearer ${api.token}`,
        'content-length': 50_000_000,
        ...(isForm ? { 'content-type': `multipart/form-data; boundary=${boundary}` } : {}),
      };
      const url = new URL(`${api.baseUrl}/api/orgs/${oid}/uploads/${route}`);
      const upload = httpRequest(url, { method: 'PUT', headers });
      const over = new Promise<void>((resolve) => upload.once('error', () => resolve()).once('close', () => resolve()));
      if (isForm) {
        const part = 'Content-Disposition: form-data; name="uploads"; filename="a.wacz"\r\n\r\n';
        upload.write(`--${boundary}\r\n${part}`);
      }
      upload.write(Buffer.alloc(20_000_000, 1));
      await eventually(async () => expect(await count('file_deletions', {})).toBe(1), STEP_MS);
      await kill();
      await over;
      await expectRecovered();
      expect(await count('crawls', {})).toBe(before);
    },
    STEP_MS,
  );

  it(
    'during a resumable upload keeps what was counted, for another process to go on with',
    async () => {
      await start();
      const wacz = await zipOf([{ name: 'pages/pages.jsonl', content: '{"url":"https://a.example/"}\n' }]);
      const path = `/orgs/${oid}/uploads/tus`;
      const tus = { 'Tus-Resumable': '1.0.0' };
      const metadata = `filename ${Buffer.from('a.wacz').toString('base64')}`;
      const begun = await api.fetch('POST', path, {
        headers: { ...tus, 'Upload-Length': String(wacz.length), 'Upload-Metadata': metadata },
      });
      const location = new URL(begun.headers.get('location') ?? '').pathname;
      const append = (to: ApiClient, bytes: Buffer, offset: number) =>
        to.fetch('PATCH', location, {
          headers: { ...tus, 'Upload-Offset': String(offset), 'Content-Type': 'application/offset+octet-stream' },
          raw: new Uint8Array(bytes),
        });
      expect((await append(api, wacz.subarray(0, 50), 0)).status).toBe(204);
      const rest = httpRequest(new URL(location, api.baseUrl), {
        method: 'PATCH',
        headers: {
          ...tus,
          authorization: `Bearer ${api.token}`,
          'Upload-Offset': 50,
          'Content-Type': 'application/offset+octet-stream',
          'Content-Length': wacz.length - 50,
        },
      });
      const over = new Promise<void>((resolve) => rest.once('error', () => resolve()).once('close', () => resolve()));
      rest.write(wacz.subarray(50, 90));
      await eventually(async () => expect(await count('file_deletions', {})).toBe(1), STEP_MS);
      await kill();
      await over;
      app.clock.set(new Date(Date.now() + 5 * 60_000));
      const left = new ApiClient(app.baseUrl, UNCHECKED, token);
      const head = await left.fetch('HEAD', location, { headers: tus });
      expect(head.headers.get('upload-offset')).toBe('50');
      expect((await append(left, wacz.subarray(50), 50)).status).toBe(204);
      await expectRecovered();
      expect(await stateOf(`upload-${location.split('/').at(-1) ?? ''}`)).toMatchObject({
        state: 'complete',
        pageCount: 1,
      });
    },
    STEP_MS,
  );

  it(
    'during post-processing leaves an upload that another process completes',
    async () => {
      await start();
      const lines = Array.from({ length: 20_000 }, (_, i) => `{"url":"https://many.example/${i}","title":"Page ${i}"}`);
      const { body } = await stream(
        await zipOf([{ name: 'pages/pages.jsonl', content: lines.join('\n'), compress: true }]),
        'many.wacz',
      );
      await eventually(async () => expect(await count('pages', { crawl_id: body.id })).toBeGreaterThan(0), STEP_MS, 5);
      await kill();
      await expectRecovered();
      expect(await stateOf(body.id)).toMatchObject({ state: 'complete', pageCount: 20_000, uniquePageCount: 20_000 });
      expect(await count('pages', { crawl_id: body.id })).toBe(20_000);
    },
    STEP_MS,
  );

  it(
    'while a WARC is packaged leaves the WARC, which another process packages',
    async () => {
      await start();
      const records = Array.from({ length: 3_000 }, (_, i) =>
        response(`https://warc.example/${i}`, 'text/html', `<title>Page ${i}</title>`),
      );
      const { body } = await stream(packedPerRecord(records), 'many.warc.gz');
      // The package is announced for deletion until it is in the WARC's place; a fast machine may be done already.
      await eventually(
        async () => {
          const done = await count('crawls', { _id: body.id, state: 'complete' });
          expect((await count('file_deletions', {})) + done).toBeGreaterThan(0);
        },
        STEP_MS,
        5,
      );
      await kill();
      await expectRecovered();
      expect(await stateOf(body.id)).toMatchObject({ state: 'complete', pageCount: 3_000, fileCount: 1 });
    },
    STEP_MS,
  );

  it(
    'during deletion and the figures of a collection leaves neither halves nor wrong counts',
    async () => {
      await start();
      const ids: string[] = [];
      for (let i = 0; i < 12; i++) {
        const wacz = await zipOf([{ name: 'pages/pages.jsonl', content: `{"url":"https://a.example/${i}"}\n` }]);
        ids.push((await stream(wacz, `${i}.wacz`)).body.id as string);
      }
      await eventually(
        async () => expect(await count('crawls', { _id: { $in: ids }, state: 'complete' } as never)).toBe(12),
        STEP_MS,
      );
      const made = await api.post(`/orgs/${oid}/collections`, { name: 'Half', crawlIds: ids });
      const deletion = api.post(`/orgs/${oid}/uploads/delete`, { crawl_ids: ids }).catch(() => undefined);
      await eventually(
        async () =>
          expect(await count('crawls', { _id: { $in: ids }, deleted: { $ne: true } } as never)).toBeLessThan(12),
        STEP_MS,
        5,
      );
      await kill();
      await deletion;
      await expectRecovered();
      const left = await count('crawls', { _id: { $in: ids } } as never);
      const { body } = await new ApiClient(app.baseUrl, UNCHECKED, token).get(
        `/orgs/${oid}/collections/${made.body.id as string}`,
      );
      expect(body).toMatchObject({ crawlCount: left, pageCount: left });
    },
    STEP_MS,
  );
});
