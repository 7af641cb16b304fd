import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ApiClient } from '../../support/api-client.js';
import { killApiProcess, startApiProcess, type ApiProcess } from '../../support/api-process.js';
import { eventually } from '../../support/eventually.js';
import { FaultyS3 } from '../../support/faulty-s3.js';
import { expectInvariants } from '../../support/invariants.js';
import type { ResponseCheck } from '../../support/response-check.js';
import { startS3Server, storageEntry } from '../../support/s3-server.js';
import { ADMIN, type AppUnderTest, startApp } from '../../support/start-app.js';

/** A loaded machine starts the service in half a minute. */
const STEP_MS = 300_000;
/** The models are checked by the API tests. */
const UNCHECKED = { check: () => undefined } as unknown as ResponseCheck;
const server = await startS3Server();
const suite = server ? describe : describe.skip;

suite('kill -9 of the service during an upload to an S3 server', () => {
  let way: FaultyS3;
  let folder: string;
  let storages: string;
  /** The process that is left: it does nothing by itself, and takes over when it is told to. */
  let app: AppUnderTest;
  let oid: string;
  let mortal: ApiProcess | null = null;

  beforeAll(async () => {
    way = await FaultyS3.before(server!.port);
    folder = await mkdtemp(join(tmpdir(), 'muniment-s3-kill-'));
    storages = join(folder, 'storages.json');
    await writeFile(storages, JSON.stringify([storageEntry({ ...server!, url: way.url })]));
    app = await startApp({ today: true, env: { STORAGES_JSON: storages } });
    oid = await app.defaultOrgId();
  }, STEP_MS);
  afterAll(async () => {
    if (mortal) await killApiProcess(mortal);
    await app?.close();
    await way?.close();
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** What really lies in the folder behind the bucket, parts of multipart uploads included. */
  async function stored(): Promise<string[]> {
    const entries = await readdir(server!.folder, { recursive: true, withFileTypes: true });
    return entries.filter((one) => one.isFile()).map(({ name }) => name);
  }

  it.each([
    ['whose size it was told', { 'content-length': 50_000_000 }],
    ['of unknown size', {}],
  ])(
    '%s leaves nothing of it',
    async (_label, length) => {
      const env = { MONGO_DB_NAME: app.connection.name, DATA_DIR: app.dataDir, STORAGES_JSON: storages };
      mortal = await startApiProcess({ ...env, MONGO_DB_URL: process.env['MUNIMENT_TEST_MONGO_URL'] ?? '' });
      const form = { username: ADMIN.email, password: ADMIN.password };
      const { body: login } = await new ApiClient(mortal.baseUrl, UNCHECKED).call('POST', '/auth/jwt/login', { form });
      // The kernel ends the connections of a process that was killed, in good order where nothing was left unread.
      way.endOfBroken = () => Promise.resolve();
      const [drains, broken] = [way.drains, way.brokenEnded];
      const url = new URL(`${mortal.baseUrl}/api/orgs/${oid}/uploads/stream?filename=a.wacz`);
      const headers = { authorization: `Bearer ${login.access_token as string}`, ...length };
      const upload = request(url, { method: 'PUT', headers });
      const over = new Promise((resolve) => upload.once('error', resolve).once('close', resolve));
      upload.write(Buffer.alloc(35_000_000, 1));
      const isInParts = !('content-length' in length);
      await eventually(() => {
        if (isInParts) expect(way.answered).toContain('PUT');
        else expect(way.drains).toBeGreaterThan(drains);
      }, STEP_MS);
      await killApiProcess(mortal);
      await over;
      if (!isInParts) await eventually(() => expect(way.brokenEnded).toBe(broken + 1), STEP_MS);
      expect(await app.connection.collection('file_deletions').countDocuments()).toBe(1);
      app.clock.set(new Date(Date.now()));
      await expectInvariants(app);
      expect(await stored()).toEqual([]);
      expect(await app.connection.collection('file_deletions').countDocuments()).toBe(0);
      expect(await app.connection.collection('crawls').countDocuments()).toBe(0);
    },
    STEP_MS,
  );
});
