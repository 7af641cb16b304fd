import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import mongoose, { type Connection } from 'mongoose';
import { ApiClient } from '../support/api-client.js';
import { killApiProcess, startApiProcess, type ApiProcess } from '../support/api-process.js';
import { eventually } from '../support/eventually.js';
import { ReplicaSet } from '../support/replica-set.js';
import type { ResponseCheck } from '../support/response-check.js';
import { ADMIN } from '../support/start-app.js';
import { startReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';

const BOUND_MS = 180_000;
const CLIENTS = 4;
const CRAWLS = 4;
const STEP_DOWNS = 2;
/** Writes answered after each change of the primary before the next. */
const WRITES_BETWEEN = 15;
/** The models are checked by the API tests. */
const UNCHECKED = { check: () => undefined } as unknown as ResponseCheck;

interface Load {
  /** Names of workflows whose making was answered with yes. */
  readonly made: Set<string>;
  /** Other answers, by their status. */
  readonly refused: Map<number, number>;
  readonly isOver: () => boolean;
}

describe('a primary that steps down under load', () => {
  jest.setTimeout(600_000);
  let mongo: ReplicaSet;
  let connection: Connection;
  let receiver: WebhookReceiver;
  let dataDir: string;
  let service: ApiProcess;
  let api: ApiClient;
  let oid: string;

  beforeAll(async () => {
    mongo = await ReplicaSet.start();
    dataDir = await mkdtemp(join(tmpdir(), 'muniment-step-down-'));
    const env = { MONGO_DB_URL: mongo.url, MONGO_DB_NAME: 'service', DATA_DIR: dataDir };
    service = await startApiProcess({ ...env, ALLOW_PRIVATE_ADDRESSES: 'webhooks', OPERATOR_RESYNC_SECONDS: '1' });
    connection = await mongoose.createConnection(mongo.url, { dbName: 'service' }).asPromise();
    receiver = await startReceiver();
    const client = new ApiClient(service.baseUrl, UNCHECKED);
    const form = { username: ADMIN.email, password: ADMIN.password };
    api = client.as((await client.call('POST', '/auth/jwt/login', { form })).body.access_token as string);
    oid = (await api.get('/orgs')).body.items[0].id as string;
    await api.post(`/orgs/${oid}/event-webhook-urls`, { crawlFinished: `${receiver.url}finished` });
  });

  afterAll(async () => {
    await killApiProcess(service);
    await connection.close();
    await receiver.close();
    await mongo.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Makes workflows one after the other, each under a name of its own. */
  async function write(client: number, { made, refused, isOver }: Load): Promise<void> {
    for (let i = 0; !isOver(); i += 1) {
      const name = `Workflow ${String(client)}-${String(i)}`;
      const config = { seeds: [{ url: 'https://site.example/' }], scopeType: 'page' };
      const { status } = await api.post(`/orgs/${oid}/crawlconfigs/`, { name, config });
      if (status === 200) made.add(name);
      else refused.set(status, (refused.get(status) ?? 0) + 1);
    }
  }

  async function aCrawl(): Promise<string> {
    const config = { seeds: [{ url: 'https://crawled.example/' }], scopeType: 'prefix' };
    const { body } = await api.post(`/orgs/${oid}/crawlconfigs/`, { name: 'Crawled', config, runNow: true });
    return body.run_now_job as string;
  }

  it('loses and doubles nothing, and the service goes on by itself', async () => {
    const crawls: string[] = [];
    const [made, refused] = [new Set<string>(), new Map<number, number>()];
    let isOver = false;
    const load: Load = { made, refused, isOver: () => isOver };
    const clients = Array.from({ length: CLIENTS }, (_, client) => write(client, load));
    try {
      for (let i = 0; i < STEP_DOWNS; i += 1) {
        // Some end before the change, some while it goes on.
        for (let n = 0; n < CRAWLS / STEP_DOWNS; n += 1) crawls.push(await aCrawl());
        const before = made.size;
        await eventually(() => expect(made.size).toBeGreaterThan(before + WRITES_BETWEEN), BOUND_MS);
        await mongo.stepDown();
        const after = made.size;
        await eventually(() => expect(made.size).toBeGreaterThan(after + WRITES_BETWEEN), BOUND_MS);
      }
    } finally {
      isOver = true;
      await Promise.all(clients);
    }
    expect([...refused.keys()].filter((status) => status !== 503)).toEqual([]);
    expect(service.child.exitCode).toBeNull();

    const stored = await connection
      .collection('crawl_configs')
      .find({ name: /^Workflow/ })
      .toArray();
    const names = stored.map(({ name }) => name as string);
    expect(new Set(names).size).toBe(names.length);
    expect([...made].filter((name) => !names.includes(name))).toEqual([]);
    // One more than was answered for each that was not: its client can't know.
    expect(names.length - made.size).toBeLessThanOrEqual([...refused.values()].reduce((sum, n) => sum + n, 0));

    for (const id of crawls) {
      const crawl = async (): Promise<any> => (await api.get(`/orgs/${oid}/crawls/${id}`)).body;
      await eventually(async () => expect(await crawl()).toMatchObject({ state: 'complete', fileCount: 1 }), BOUND_MS);
      expect((await crawl()).stats).toMatchObject({ found: 3, done: 3 });
      expect(await connection.collection('pages').countDocuments({ crawl_id: id })).toBe(3);
      const told = (): number => receiver.received.filter(({ body }) => body.itemId === id).length;
      await eventually(() => expect(told()).toBeGreaterThan(0), BOUND_MS);
      const about = { 'body.itemId': id, event: 'crawlFinished' };
      expect(await connection.collection('webhooks').countDocuments(about)).toBe(1);
    }
  });
});
