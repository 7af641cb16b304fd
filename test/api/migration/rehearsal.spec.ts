import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose, { type Connection } from 'mongoose';
import { runCli } from '../../../src/cli/cli.js';
import { JobWorker } from '../../../src/jobs/job-worker.js';
import type { ApiClient } from '../../support/api-client.js';
import { CrawlStage } from '../../support/crawl-stage.js';
import { fillReference, type Bucket } from '../../support/reference-database.js';
import { LATER, REFERENCE } from '../../support/reference-documents.js';
import { startS3Server } from '../../support/s3-server.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';
import { aToken } from '../../support/tokens.js';

/** The secret of the old deployment: logins outlive the move with it. */
const PASSWORD_SECRET = 'of-the-old-deployment'.padEnd(32, '.');
const server = await startS3Server();

/** Without an S3 server there is no bucket to take over; `startS3Server` has said so loudly. */
(server ? describe : describe.skip)('moving from Browsertrix, step by step as docs/migrate-from-browsertrix.md', () => {
  const { oid } = REFERENCE;
  let folder: string;
  let connection: Connection;
  let env: Record<string, string>;
  let bucket: Bucket;
  let under: AppUnderTest;
  let owner: ApiClient;

  /** Every document and index, by collection, as text. */
  async function everything(): Promise<Map<string, string[]>> {
    const found = new Map<string, string[]>();
    for (const { name } of await connection.db!.listCollections().toArray()) {
      const docs = await connection.collection(name).find().sort({ _id: 1 }).toArray();
      if (docs.length > 0)
        found.set(
          name,
          docs.map((doc) => mongoose.mongo.BSON.EJSON.stringify(doc)),
        );
      found.set(
        `indexes of ${name}`,
        (await connection.collection(name).indexes()).map((index) => JSON.stringify(index)),
      );
    }
    return found;
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muniment-move-'));
    const dbName = `t_${randomBytes(8).toString('hex')}`;
    const url = process.env['MUNIMENT_TEST_MONGO_URL'] ?? '';
    connection = await mongoose.createConnection(url, { dbName }).asPromise();
    bucket = await fillReference(connection, server!);
    // As the chart of Browsertrix writes `storages`.
    const storages = [
      {
        name: 'default',
        type: 's3',
        access_key: server!.accessKey,
        secret_key: server!.secretKey,
        endpoint_url: server!.url,
        bucket_name: server!.bucket,
        is_default_primary: true,
      },
    ];
    await writeFile(join(folder, 'storages.json'), JSON.stringify(storages));
    env = {
      MONGO_DB_NAME: dbName,
      STORAGES_JSON: join(folder, 'storages.json'),
      PASSWORD_SECRET,
      DEFAULT_ORG: 'Of the reference',
      INVITE_EXPIRE_SECONDS: '604800',
      SUPERUSER_EMAIL: 'operator@example.org',
      SUPERUSER_PASSWORD: REFERENCE.password,
    };
  });

  afterAll(async () => {
    await under?.stop();
    await connection?.dropDatabase();
    await connection?.close();
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('is looked at first: check recounts, finds nothing wrong and changes nothing', async () => {
    const before = await everything();
    const printed: string[] = [];
    const code = await runCli(['check'], {
      launcher: {
        up: () => Promise.resolve(1),
        chromiumOnThisMachine: () => process.env['CHROMIUM_PATH'] ?? '',
        withDatabase: (work) => work({}),
      },
      terminal: { print: (line) => void printed.push(line), complain: (line) => void printed.push(line) },
      variables: {
        ...env,
        MONGO_DB_URL: process.env['MUNIMENT_TEST_MONGO_URL'] ?? '',
        DATA_DIR: join(folder, 'check'),
        CRAWL_DRIVER: 'fake',
      },
      exitCode: 0,
    });
    expect(printed.filter((line) => !line.startsWith('ok'))).toEqual([]);
    expect([code, printed.at(-1)]).toEqual([0, expect.stringContaining('4 items')]);
    expect(await everything()).toEqual(before);
  });

  it('starts on the database, also twice at once and again after that, and alters nothing but what it adds', async () => {
    const before = await everything();
    const [first, second] = await Promise.all([startApp({ today: true, env }), startApp({ today: true, env })]);
    await second.stop();
    const once = await everything();
    await first.stop();
    under = await startApp({ today: true, env });
    expect(await everything()).toEqual(once);
    for (const [name, docs] of before) {
      const now = once.get(name)!.map((text) => JSON.parse(text) as Record<string, unknown>);
      for (const text of docs) {
        const { created, ...doc } = JSON.parse(text) as Record<string, unknown>;
        // An org that had no date has that of its first workflow (accounts §15.3, migration 0031).
        const expected =
          name === 'organizations' && created === null ? doc : { ...doc, ...(created ? { created } : {}) };
        expect(now).toContainEqual(expect.objectContaining(expected));
      }
    }
    expect(await connection.collection('version').find().toArray()).toMatchObject([{ version: '0058' }]);
  });

  it('lets people in with their passwords, and with the logins that they had', async () => {
    owner = await under.login(REFERENCE.email, REFERENCE.password);
    const claims = { sub: REFERENCE.owner, aud: 'btrix:auth', exp: Math.floor(under.clock.nowMs() / 1000) + 3600 };
    const kept = under.api.as(aToken(claims, { secret: PASSWORD_SECRET }));
    for (const client of [owner, kept]) {
      const { body } = await client.get('/users/me');
      expect(body).toMatchObject({ email: REFERENCE.email, orgs: [{ id: oid, role: 40, slug: 'of-the-reference' }] });
    }
    const operator = await under.login('operator@example.org', REFERENCE.password);
    expect((await operator.get('/orgs')).body).toMatchObject({
      total: 1,
      items: [{ created: '2023-02-01T00:00:00Z' }],
    });
  });

  it.each([
    ['crawlconfigs', ['Old site']],
    ['crawls', [REFERENCE.failedCrawl, REFERENCE.crawl, REFERENCE.legacyCrawl]],
    ['uploads', [REFERENCE.upload]],
    ['all-crawls', [REFERENCE.failedCrawl, REFERENCE.crawl, REFERENCE.upload, REFERENCE.legacyCrawl]],
    ['collections', ['All of it']],
    ['profiles', ['Logged in']],
    [`crawls/${REFERENCE.crawl}/qa`, [REFERENCE.qaRun]],
    [`crawls/${REFERENCE.crawl}/errors`, ['Page load failed']],
    ['jobs', ['create-replica-0123456789']],
    ['webhooks', ['crawlFinished']],
    [`crawlconfigs/${REFERENCE.workflow}/revs`, [0]],
  ])('lists %s', async (path, expected) => {
    const { status, body } = await owner.get(`/orgs/${oid}/${path}`);
    const rows = (Array.isArray(body) ? body : body.items) as Record<string, unknown>[];
    const named = rows.map((row) => {
      if (path === 'crawlconfigs' || path === 'collections' || path === 'profiles') return row['name'];
      if (path.endsWith('errors')) return row['message'];
      if (path === 'webhooks') return row['event'];
      return path.endsWith('revs') ? row['rev'] : row['id'];
    });
    expect([status, named.sort()]).toEqual([200, [...expected].sort()]);
  });

  it('counts what is stored as Browsertrix did, and shows pages with their checks', async () => {
    const bytes = [...bucket.values()].reduce((sum, { length }) => sum + length, 0);
    expect((await owner.get(`/orgs/${oid}/metrics`)).body).toMatchObject({
      storageUsedBytes: bytes,
      archivedItemCount: 3,
      crawlCount: 2,
      uploadCount: 1,
      profileCount: 1,
      collectionsCount: 1,
    });
    const { body } = await owner.get(`/orgs/${oid}/crawls/${REFERENCE.crawl}/pages`);
    expect(body.total).toBe(3);
    const checked = await owner.get(`/orgs/${oid}/crawls/${REFERENCE.crawl}/qa/${REFERENCE.qaRun}/pages`);
    expect(checked.body.items).toMatchObject([{ url: 'https://old.example/', qa: { screenshotMatch: 0.95 } }]);
  });

  it.each([
    [`crawls/${REFERENCE.crawl}`, 1],
    [`crawls/${REFERENCE.legacyCrawl}`, 1],
    [`uploads/${REFERENCE.upload}`, 1],
    [`collections/${REFERENCE.collection}`, 2],
  ])('replays %s from the bucket, by links that open', async (path, count) => {
    const { body } = await owner.get(`/orgs/${oid}/${path}/replay.json`);
    expect(body.resources).toHaveLength(count);
    for (const { path: link, hash } of body.resources as { path: string; hash: string }[]) {
      const response = await fetch(link);
      expect(response.status).toBe(200);
      const bytes = Buffer.from(await response.arrayBuffer());
      expect([...bucket.values()].some((stored) => stored.equals(bytes))).toBe(true);
      expect(hash.replace('sha256:', '')).toMatch(/^[0-9a-f]{64}$/);
    }
  });

  it('reads the pages of crawls from before pages were stored, when the operator asks for it, once', async () => {
    const operator = await under.login('operator@example.org', REFERENCE.password);
    const worker = under.app.get(JobWorker, { strict: false });
    for (let run = 0; run < 2; run += 1) {
      expect((await operator.post('/orgs/all/jobs/migrateCrawls')).status).toBe(200);
      await worker.drain();
      const { body } = await owner.get(`/orgs/${oid}/crawls/${REFERENCE.legacyCrawl}/pages`);
      expect(body.items).toMatchObject([{ url: 'https://older.example/' }]);
      expect((await owner.get(`/orgs/${oid}/crawls/${REFERENCE.legacyCrawl}/replay.json`)).body.version).toBe(2);
    }
  });

  it('crawls an old workflow anew, into the same bucket and the same collection', async () => {
    const { body } = await owner.post(`/orgs/${oid}/crawlconfigs/${REFERENCE.workflow}/run`);
    const crawlId = body.started as string;
    const stage = await CrawlStage.of(under);
    await stage.until(crawlId, 'complete');
    await under.app.get(JobWorker, { strict: false }).drain();
    const { body: crawl } = await owner.get(`/orgs/${oid}/crawls/${crawlId}/replay.json`);
    expect(crawl).toMatchObject({
      state: 'complete',
      profileid: REFERENCE.profile,
      collectionIds: [REFERENCE.collection],
    });
    expect((await fetch(crawl.resources[0].path as string)).status).toBe(200);
    expect((await owner.get(`/orgs/${oid}/crawlconfigs/${REFERENCE.workflow}`)).body).toMatchObject({
      crawlAttemptCount: 4,
      crawlCount: 4,
      crawlSuccessfulCount: 3,
      lastCrawlId: crawlId,
      lastCrawlState: 'complete',
    });
    expect((await owner.get(`/orgs/${oid}/collections/${REFERENCE.collection}`)).body.crawlCount).toBe(3);
    expect(await connection.collection('crawl_configs').findOne()).toMatchObject({ later: LATER });
  });

  it('goes on as its own: an old item is deleted with its file', async () => {
    const { status } = await owner.post(`/orgs/${oid}/uploads/delete`, { crawl_ids: [REFERENCE.upload] });
    expect(status).toBe(200);
    await under.app.get(JobWorker, { strict: false }).drain();
    expect((await owner.get(`/orgs/${oid}/uploads/${REFERENCE.upload}`)).status).toBe(404);
    expect((await owner.get(`/orgs/${oid}/metrics`)).body.storageUsedUploads).toBe(0);
  });
});
