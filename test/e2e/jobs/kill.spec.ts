import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import mongoose, { type Connection } from 'mongoose';
import { eventually } from '../../support/eventually.js';
import { MainProcess } from '../../support/main-process.js';
import { temporaryDataDir } from '../../support/product.js';
import { waczOf } from '../../support/zip.js';

const UPLOADS = 30;
const PAGES = 3;
const KILLS = 3;

const credentials = { username: 'admin@example.com', password: 'PASSW0RD!of-tests' };

describe('background jobs while the service is killed', () => {
  let data: Awaited<ReturnType<typeof temporaryDataDir>>;
  let connection: Connection;
  let api: MainProcess;
  let env: Record<string, string>;
  let token = '';

  beforeAll(async () => {
    const mongo = process.env['MUNIMENT_TEST_MONGO_URL'] ?? '';
    const dbName = `t_${randomBytes(8).toString('hex')}`;
    connection = await mongoose.createConnection(mongo, { dbName }).asPromise();
    data = await temporaryDataDir();
    env = {
      ...{ MONGO_DB_URL: mongo, MONGO_DB_NAME: dbName, DATA_DIR: data.dir, CRAWL_DRIVER: 'fake' },
      ...{ SUPERUSER_EMAIL: credentials.username, SUPERUSER_PASSWORD: credentials.password },
    };
    await startAgain();
  });
  afterAll(async () => {
    await api?.kill();
    await connection?.dropDatabase();
    await connection?.close();
    await data?.remove();
  });

  const startAgain = async () => {
    api = await MainProcess.launch(env);
    await api.ready();
  };
  const call = async <T = any>(method: string, route: string, body?: RequestInit['body']): Promise<T> => {
    const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
    const response = await fetch(`${api.baseUrl}/api${route}`, { method, headers, body });
    if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };

  it('every job is run again from a safe point: all uploads are processed, each page is there once', async () => {
    token = (await call('POST', '/auth/jwt/login', new URLSearchParams(credentials))).access_token;
    const oid = (await call('GET', '/orgs')).items[0].id;
    const urls = Array.from({ length: PAGES }, (_, n) => `https://a.example/${n}`);
    const wacz = new Uint8Array(await waczOf(urls));
    const jobs = connection.collection('jobs');
    const unfinished = () => jobs.countDocuments({ type: 'postprocess-upload', finished: null });
    const ids: string[] = [];
    let kills = 0;
    while (ids.length < UPLOADS || kills < KILLS) {
      ids.push((await call('PUT', `/orgs/${oid}/uploads/stream?filename=${ids.length}.wacz`, wacz)).id);
      // A kill in the middle of the work: some jobs are under way at this moment.
      if (ids.length < (UPLOADS / KILLS) * (kills + 1) || (await unfinished()) === 0) continue;
      await delay(Math.random() * 20);
      await api.kill();
      kills++;
      await startAgain();
    }
    await eventually(async () => expect(await unfinished()).toBe(0), 120_000);
    expect(await jobs.countDocuments({ type: 'postprocess-upload', success: true })).toBe(ids.length);
    const items = await connection
      .collection<{ _id: string }>('crawls')
      .find({ _id: { $in: ids } })
      .toArray();
    expect(items.map(({ state, pageCount }: any) => [state, pageCount])).toEqual(ids.map(() => ['complete', PAGES]));
    expect(await connection.collection('pages').countDocuments({ crawl_id: { $in: ids } })).toBe(ids.length * PAGES);
    // What they start in turn runs as well.
    const running = () => jobs.countDocuments({ finished: null });
    await eventually(async () => expect(await running()).toBe(0));
    expect(await jobs.countDocuments({ success: false })).toBe(0);
  }, 600_000);
});
