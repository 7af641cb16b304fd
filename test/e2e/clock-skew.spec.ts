import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose, { type Connection } from 'mongoose';
import { minutes } from '../../src/common/units/durations.js';
import { ApiClient } from '../support/api-client.js';
import { killApiProcess, startApiProcess, type ApiProcess } from '../support/api-process.js';
import { eventually } from '../support/eventually.js';
import type { ResponseCheck } from '../support/response-check.js';
import { ADMIN } from '../support/start-app.js';

const { UUID } = mongoose.mongo;
const BOUND_MS = 110_000;
/** The models are checked by the API tests. */
const UNCHECKED = { check: () => undefined } as unknown as ResponseCheck;
const SKEW = join(import.meta.dirname, '..', 'support', 'skewed-time.mjs');

describe.each([
  ['ahead', minutes(5)],
  ['behind', -minutes(5)],
])('a process whose clock is five minutes %s', (_how, skewMs) => {
  let connection: Connection;
  let process_: ApiProcess;
  let dataDir: string;
  let api: ApiClient;
  let oid: string;

  beforeAll(async () => {
    const url = process.env['MUNIMENT_TEST_MONGO_URL'] ?? '';
    connection = await mongoose.createConnection(url, { dbName: `t_${randomBytes(8).toString('hex')}` }).asPromise();
    dataDir = await mkdtemp(join(tmpdir(), 'muniment-skew-'));
    const env = { MONGO_DB_URL: url, MONGO_DB_NAME: connection.name, DATA_DIR: dataDir, SKEW_MS: String(skewMs) };
    process_ = await startApiProcess(env, ['--import', SKEW]);
    const client = new ApiClient(process_.baseUrl, UNCHECKED);
    const form = { username: ADMIN.email, password: ADMIN.password };
    const login = await client.call('POST', '/auth/jwt/login', { form });
    api = client.as(login.body.access_token as string);
    oid = (await api.get('/orgs')).body.items[0].id as string;
  });

  afterAll(async () => {
    await killApiProcess(process_);
    await connection.dropDatabase();
    await connection.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  const inMinutes = (count: number): Date => new Date(Date.now() + minutes(count));

  async function scheduled(nextRun: Date): Promise<string> {
    const config = { seeds: [{ url: 'https://site.example/' }], scopeType: 'page' };
    const made = await api.post(`/orgs/${oid}/crawlconfigs/`, { name: 'By schedule', config, schedule: '0 0 1 1 *' });
    const id = made.body.id as string;
    await connection.collection('crawl_configs').updateOne({ _id: new UUID(id) as never }, { $set: { nextRun } });
    return id;
  }

  /** A job whose crawl is gone: whoever claims it forgets it. */
  async function leftover(leaseUntil: Date): Promise<string> {
    const _id = `manual-${randomUUID()}`;
    await connection.collection('crawl_jobs').insertOne({
      ...{ _id: _id as never, kind: 'crawl', crawlId: _id, active: false, created: inMinutes(-60) },
      ...{ oid: new UUID(), cid: new UUID(), userid: new UUID(), instances: [], filesAdded: 0, filesAddedSize: 0 },
      ...{ dueAt: inMinutes(-30), leaseUntil, leaseId: randomUUID() },
    });
    return _id;
  }

  it('dates what it makes as the others do', async () => {
    const made = await api.post('/orgs/create', { name: 'Dated', slug: 'dated' });
    const { body } = await api.get(`/orgs/${String(made.body.id)}`);
    expect(Math.abs(new Date(`${String(body.created)}`).getTime() - Date.now())).toBeLessThan(minutes(2));
  });

  it('fires no schedule before its time, and none late', async () => {
    const early = await scheduled(inMinutes(4));
    const crawlsOf = async (cid: string): Promise<number> =>
      (await api.get(`/orgs/${oid}/crawls`, { cid })).body.total as number;
    // When two that are due have fired, one after the other, the first was passed over.
    for (let i = 0; i < 2; i += 1) {
      const due = await scheduled(inMinutes(-1));
      await eventually(async () => expect(await crawlsOf(due)).toBe(1), BOUND_MS);
    }
    expect(await crawlsOf(early)).toBe(0);
  });

  it('takes over no crawl that is held, and each whose lease is over', async () => {
    const held = await leftover(inMinutes(4));
    const free = await leftover(inMinutes(-1));
    const jobs = connection.collection('crawl_jobs');
    await eventually(async () => expect(await jobs.countDocuments({ _id: free as never })).toBe(0), BOUND_MS);
    expect(await jobs.countDocuments({ _id: held as never })).toBe(1);
    await jobs.deleteOne({ _id: held as never });
  });
});
