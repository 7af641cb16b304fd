import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import mongoose, { type Connection } from 'mongoose';
import { crawlerImage } from '../support/build-crawler.js';
import { DockerEngine } from '../support/docker-engine.js';
import { eventually } from '../support/eventually.js';
import { RedisServer } from '../support/redis-server.js';
import { startS3Server, storageEntry, type S3Server } from '../support/s3-server.js';
import { ServiceProcess } from '../support/service-process.js';
import { startReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';

const BOUND_MS = 180_000;
const PAGES = 30;

const redis = await RedisServer.start();
const s3 = await startS3Server();
afterAll(async () => {
  await redis?.stop();
  await s3?.stop();
});

/** What is missing was said loudly by its `start`. */
(redis && s3 ? describe : describe.skip)('three API processes on one database', () => {
  jest.setTimeout(600_000);
  let engine: DockerEngine;
  let folder: string;
  let processes: [ServiceProcess, ServiceProcess, ServiceProcess];
  let connection: Connection;
  let receiver: WebhookReceiver;
  let oid: string;

  beforeAll(async () => {
    engine = await DockerEngine.start(await crawlerImage());
    folder = await mkdtemp(join(tmpdir(), 'several-processes-'));
    const env = await environment(folder, s3!);
    // At once, as a cluster starts them: one does the start-up, the others wait for it.
    processes = await Promise.all([ServiceProcess.open(env), ServiceProcess.open(env), ServiceProcess.open(env)]);
    connection = await mongoose
      .createConnection(env['MONGO_DB_URL'] ?? '', { dbName: env['MONGO_DB_NAME'] })
      .asPromise();
    const orgs = await processes[0].call('GET', '/orgs?pageSize=5');
    oid = orgs.items[0].id as string;
    receiver = await startReceiver();
    const urls = { crawlStarted: `${receiver.url}started`, crawlFinished: `${receiver.url}finished` };
    await processes[0].call('POST', `/orgs/${oid}/event-webhook-urls`, urls);
  });

  afterAll(async () => {
    await Promise.all(processes.map((service) => service.close()));
    await connection.dropDatabase();
    await connection.close();
    await receiver.close();
    await engine.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function environment(dir: string, store: S3Server): Promise<Record<string, string>> {
    const storages = join(dir, 'storages.json');
    await writeFile(storages, JSON.stringify([storageEntry(store)]));
    return {
      MONGO_DB_URL: process.env['MUNIMENT_TEST_MONGO_URL'] ?? '',
      MONGO_DB_NAME: `t_${randomBytes(8).toString('hex')}`,
      CRAWL_DRIVER: 'docker',
      CRAWL_REDIS_URL: redis!.url,
      DOCKER_HOST: `unix://${engine.socketPath}`,
      STORAGES_JSON: storages,
      NUM_BROWSERS: '8',
      PASSWORD_SECRET: 'the-same-for-all-processes',
      URL_SIGNING_KEY: 'the-same-for-all-processes',
      ALLOW_PRIVATE_ADDRESSES: 'crawls,webhooks,storages',
      OPERATOR_RESYNC_SECONDS: '1',
      SHUTDOWN_DELAY_SECONDS: '2',
    };
  }

  async function workflow(by: ServiceProcess, changes: object = {}): Promise<{ id: string; run_now_job: string }> {
    const seeds = [{ url: `https://site.example/?pages=${String(PAGES)}&ms=500` }];
    const config = { seeds, scopeType: 'prefix' };
    return by.call('POST', `/orgs/${oid}/crawlconfigs/`, { name: 'One of many', config, ...changes });
  }

  const crawl = (by: ServiceProcess, id: string): Promise<any> => by.call('GET', `/orgs/${oid}/crawls/${id}`);
  const hooks = (path: string, itemId: string): unknown[] =>
    receiver.received.filter((each) => each.path === path && (each.body as { itemId: string }).itemId === itemId);

  it('finish a crawl when the one that started it is killed, and tell of it once', async () => {
    const [first, second, third] = processes;
    const { run_now_job: id } = await workflow(first, { runNow: true });
    await eventually(async () => expect((await crawl(second, id)).stats.done).toBeGreaterThan(1), BOUND_MS);
    await first.kill('SIGKILL');
    await eventually(async () => expect((await crawl(third, id)).state).toBe('complete'), BOUND_MS);
    const seen = await crawl(second, id);
    expect(seen).toMatchObject({ stats: { found: PAGES, done: PAGES }, fileCount: 1 });
    const pages = await second.call('GET', `/orgs/${oid}/crawls/${id}/pages?pageSize=100`);
    expect(pages.total).toBe(PAGES);
    await eventually(() => expect(hooks('/finished', id)).toHaveLength(1), BOUND_MS);
    expect(hooks('/started', id)).toHaveLength(1);
    first.spawn();
    await first.ready();
    expect(hooks('/finished', id)).toHaveLength(1);
  });

  it('fire a schedule once', async () => {
    const { id: cid } = await workflow(processes[1], { schedule: '0 0 1 1 *' });
    const due = new Date(Date.now() - 1_000);
    await connection
      .collection('crawl_configs')
      .updateOne({ name: 'One of many', schedule: '0 0 1 1 *' }, { $set: { nextRun: due } });
    const runs = (): Promise<any> => processes[0].call('GET', `/orgs/${oid}/crawls?cid=${cid}`);
    await eventually(async () => expect((await runs()).total).toBe(1), BOUND_MS);
    await eventually(async () => expect((await runs()).items[0].state).toBe('complete'), BOUND_MS);
    expect((await runs()).total).toBe(1);
    const [started] = hooks('/started', (await runs()).items[0].id as string) as { body: unknown }[];
    expect(started?.body).toMatchObject({ scheduled: true });
  });

  it('count failed logins together', async () => {
    const login = async (service: ServiceProcess, password: string): Promise<number> => {
      const body = new URLSearchParams({ username: 'nobody@example.com', password });
      return (await fetch(`${service.baseUrl}/api/auth/jwt/login`, { method: 'POST', body })).status;
    };
    const statuses: number[] = [];
    for (let i = 0; i < 6; i += 1) statuses.push(await login(processes[i % 3]!, `wrong-${String(i)}`));
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
  });

  it('are restarted one after the other without one failed request', async () => {
    const inRotation = new Set(processes);
    for (const service of processes) await service.call('GET', '/users/me');
    const statuses = new Map<string, number>();
    let isOver = false;
    const client = async (): Promise<void> => {
      for (let i = 0; !isOver; i += 1) {
        const service = [...inRotation][i % inRotation.size]!;
        const outcome = await service
          .call('GET', `/orgs/${oid}/crawlconfigs?pageSize=10`)
          .then(() => 'ok')
          .catch((error: Error) => `${error.message}: ${String(error.cause)}`);
        statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1);
      }
    };
    const clients = Array.from({ length: 6 }, client);
    for (const service of processes) {
      // As a load balancer: a leaving process gets nothing new, and answers what it has.
      inRotation.delete(service);
      await service.restart();
      inRotation.add(service);
    }
    isOver = true;
    await Promise.all(clients);
    expect([...statuses.keys()]).toEqual(['ok']);
    expect(statuses.get('ok')).toBeGreaterThan(10);
  });
});
