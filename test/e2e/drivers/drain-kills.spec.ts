import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { Redis } from 'ioredis';
import mongoose, { type Connection } from 'mongoose';
import { ApiClient } from '../../support/api-client.js';
import { killApiProcess, startApiProcess, type ApiProcess } from '../../support/api-process.js';
import { dockerStage, type DockerStage } from '../../support/container-driver.js';
import { eventually } from '../../support/eventually.js';
import { RedisServer } from '../../support/redis-server.js';
import type { ResponseCheck } from '../../support/response-check.js';
import { ADMIN } from '../../support/start-app.js';
import { sweepSize } from '../../support/sweep-size.js';

const PAGES = sweepSize(40_000, 100_000);
const PUSHED_AT_ONCE = 5_000;
/** With so many pages written the process is killed. */
const KILLED_AT = [PAGES / 10, PAGES / 4, (PAGES / 10) * 4];
const BOUND_MS = 180_000;
/** The models are checked by the API tests. */
const UNCHECKED = { check: () => undefined } as unknown as ResponseCheck;

const redis = await RedisServer.start();
afterAll(() => redis?.stop());

/** Without a Redis there is nothing to drain; `RedisServer.start` has said so loudly. */
(redis ? describe : describe.skip)('the service, killed with -9 while it drains 100,000 pages', () => {
  jest.setTimeout(600_000);
  let stage: DockerStage;
  let client: Redis;
  let connection: Connection;
  let dataDir: string;
  let env: Record<string, string>;
  let service: ApiProcess;

  beforeAll(async () => {
    stage = await dockerStage(redis!);
    client = new Redis(redis!.url);
    const url = process.env['MUNIMENT_TEST_MONGO_URL'] ?? '';
    connection = await mongoose.createConnection(url, { dbName: `t_${randomBytes(8).toString('hex')}` }).asPromise();
    dataDir = await mkdtemp(join(tmpdir(), 'muniment-drain-'));
    const storages = join(dataDir, 'storages.json');
    const keys = { access_key: 'key', secret_key: 'secret', bucket_name: 'bucket', is_default_primary: true };
    const endpoint_url = stage.s3.endpointUrl.replace(/bucket\/$/, '');
    await writeFile(storages, JSON.stringify([{ name: 'default', type: 's3', endpoint_url, ...keys }]));
    env = {
      MONGO_DB_URL: url,
      MONGO_DB_NAME: connection.name,
      DATA_DIR: dataDir,
      CRAWL_DRIVER: 'docker',
      CRAWL_REDIS_URL: redis!.url,
      DOCKER_HOST: `unix://${stage.engine.socketPath}`,
      STORAGES_JSON: storages,
      ALLOW_PRIVATE_ADDRESSES: 'crawls,storages',
      OPERATOR_RESYNC_SECONDS: '1',
    };
    service = await startApiProcess(env);
  });

  afterAll(async () => {
    await killApiProcess(service);
    client.disconnect();
    await stage.close();
    await connection.dropDatabase();
    await connection.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** A crawl whose only page takes longer than the test. */
  async function aCrawl(): Promise<string> {
    const api = new ApiClient(service.baseUrl, UNCHECKED);
    const form = { username: ADMIN.email, password: ADMIN.password };
    const { body } = await api.call('POST', '/auth/jwt/login', { form });
    const admin = api.as(body.access_token as string);
    const oid = (await admin.get('/orgs')).body.items[0].id as string;
    const config = { seeds: [{ url: 'https://site.example/?pages=1&ms=3600000' }], scopeType: 'prefix' };
    const made = await admin.post(`/orgs/${oid}/crawlconfigs/`, { name: 'Large', config, runNow: true });
    const id = made.body.run_now_job as string;
    const crawl = async (): Promise<any> => (await admin.get(`/orgs/${oid}/crawls/${id}`)).body;
    await eventually(async () => expect((await crawl()).state).toBe('running'), BOUND_MS);
    return id;
  }

  it('loses and doubles none', async () => {
    const id = await aCrawl();
    const pages = connection.collection('pages');
    const ids: string[] = [];
    for (let from = 0; from < PAGES; from += PUSHED_AT_ONCE) {
      const batch = Array.from({ length: PUSHED_AT_ONCE }, () => randomUUID());
      await client.lpush(`${id}:pages`, ...batch.map((each, i) => pageMessage(each, from + i)));
      ids.push(...batch);
    }
    for (const count of KILLED_AT) {
      await eventually(async () => expect(await pages.estimatedDocumentCount()).toBeGreaterThan(count), BOUND_MS, 20);
      await killApiProcess(service);
      expect(await client.llen(`${id}:pages`)).toBeGreaterThan(0);
      // What its time would do in eight seconds.
      await connection.collection('crawl_jobs').updateMany({}, { $set: { leaseUntil: new Date(0) } });
      service = await startApiProcess(env);
    }
    const left = async (): Promise<number> =>
      (await client.llen(`${id}:pages`)) + (await client.llen(`${id}:pages:taking`));
    await eventually(async () => expect(await left()).toBe(0), BOUND_MS);
    const stored = await pages.find({ crawl_id: id }, { projection: { url: 1, title: 1 } }).toArray();
    expect(stored).toHaveLength(PAGES);
    expect(new Set(stored.map(({ url }) => String(url))).size).toBe(PAGES);
    const storedIds = new Set(stored.map(({ _id }) => String(_id)));
    expect(ids.filter((each) => !storedIds.has(each))).toEqual([]);
  });
});

function pageMessage(id: string, n: number): string {
  const url = `https://site.example/page-${String(n)}`;
  const filename = 'crawl-0.wacz';
  return JSON.stringify({
    id,
    url,
    title: `Page ${String(n)}`,
    loadState: 4,
    status: 200,
    mime: 'text/html',
    filename,
  });
}
