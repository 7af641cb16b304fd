import { setTimeout as delay } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import mongoose, { type Connection } from 'mongoose';
import { MainProcess } from '../../support/main-process.js';
import { eventually } from '../../support/eventually.js';
import { temporaryDataDir } from '../../support/product.js';
import { startReceiver, type Received, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { waczOf } from '../../support/zip.js';

const ITEMS = 10;
/** `SOAK_KILLS=50` for the whole of it, which takes minutes: most of them go into starting what is killed. */
const KILLS = Number(process.env['SOAK_KILLS'] ?? 12);
const EVENTS_PER_ITEM = 2 * KILLS;
/** Two processes on one database, so that while one starts the other works, and is killed too. */
const PROCESSES = 2;
/** A process that answers is killed after so many further events at most, and so much later, both at random. */
const LONGEST_LIFE_EVENTS = 60;
const LATER_MS = 100;
/** Share of the processes that are killed while they start, after this time at most. */
const STILLBORN = 0.3;
const STILLBORN_MS = 2_000;

const credentials = { username: 'admin@example.com', password: 'PASSW0RD!of-tests' };

let data: Awaited<ReturnType<typeof temporaryDataDir>>;
let receiver: WebhookReceiver;
let connection: Connection;
let env: Record<string, string>;
const processes: MainProcess[] = [];
/** The ones that answer now. */
const alive = new Set<MainProcess>();
let kills = 0;
let acknowledged = 0;
let isOver = false;
const refusals: string[] = [];

beforeAll(async () => {
  const mongo = process.env['MUNIMENT_TEST_MONGO_URL'] ?? '';
  const dbName = `t_${randomBytes(8).toString('hex')}`;
  connection = await mongoose.createConnection(mongo, { dbName }).asPromise();
  [data, receiver] = [await temporaryDataDir(), await startReceiver()];
  env = {
    MONGO_DB_URL: mongo,
    MONGO_DB_NAME: dbName,
    DATA_DIR: data.dir,
    SUPERUSER_EMAIL: credentials.username,
    SUPERUSER_PASSWORD: credentials.password,
    JWT_TOKEN_LIFETIME_MINUTES: '600',
    CRAWL_DRIVER: 'fake',
    ALLOW_PRIVATE_ADDRESSES: 'webhooks',
  };
});
afterAll(async () => {
  isOver = true;
  await Promise.all(processes.map((one) => one.kill()));
  await connection?.dropDatabase();
  await connection?.close();
  await receiver?.close();
  await data?.remove();
});

/** The API as the administrator; any process that answers. @throws when it doesn't */
class Administrator {
  token = '';
  oid = '';

  async call<T = any>(method: string, route: string, body?: RequestInit['body']): Promise<T> {
    const [api] = [...alive].sort(() => Math.random() - 0.5);
    if (!api) throw new Error('no process answers');
    const headers: Record<string, string> = this.token ? { authorization: `Bearer ${this.token}` } : {};
    if (typeof body === 'string') headers['content-type'] = 'application/json';
    // A process that is killed ends its connections. One that lives may wait a minute for a document that a dead one's
    // transaction holds; asked again meanwhile, it would apply the same review late, behind others.
    const signal = AbortSignal.timeout(150_000);
    const response = await fetch(`${api.baseUrl}/api${route}`, { method, headers, body, signal });
    if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }

  async login(): Promise<void> {
    const form = new URLSearchParams(credentials);
    this.token = (await this.call<{ access_token: string }>('POST', '/auth/jwt/login', form)).access_token;
    this.oid = (await this.call<{ items: { id: string }[] }>('GET', '/orgs')).items[0]?.id ?? '';
  }
}

async function launch(): Promise<MainProcess> {
  const api = await MainProcess.launch(env);
  processes.push(api);
  return api;
}

/** Starts a process again and again, and kills it at random, until all kills are made; then lets it live. */
async function torment(): Promise<void> {
  while (!isOver) {
    const api = await launch();
    const ready = api.ready();
    if (kills >= KILLS) return void ((await ready) && alive.add(api));
    kills++;
    if (Math.random() < STILLBORN) await delay(Math.random() * STILLBORN_MS);
    else if (await ready) {
      alive.add(api);
      const end = acknowledged + Math.random() * LONGEST_LIFE_EVENTS;
      while (acknowledged < Math.min(end, ITEMS * EVENTS_PER_ITEM) && !isOver) await delay(10);
      await delay(Math.random() * LATER_MS);
      alive.delete(api);
    }
    await api.kill();
    await ready;
  }
}

/** Reviews an item a number of times, each until it is acknowledged; the description is the number. */
async function review(admin: Administrator, itemId: string): Promise<void> {
  for (let n = 0; n < EVENTS_PER_ITEM; n++) {
    const body = JSON.stringify({ name: 'reviewed', reviewStatus: (n % 5) + 1, description: String(n) });
    const ask = () =>
      admin.call('PATCH', `/orgs/${admin.oid}/uploads/${itemId}`, body).catch((error: Error) => {
        if (/: 4\d\d /.test(error.message)) refusals.push(error.message);
        else throw error;
      });
    await eventually(ask, 400_000, 20);
    acknowledged++;
  }
}

const idOf = ({ headers }: Received): string => String(headers['webhook-id']);
const numberOf = ({ body }: Received): number => Number(body.description);

/** What came first under each id, in the order of coming. */
const firstArrivals = (received: readonly Received[]): Received[] =>
  [...new Map([...received].reverse().map((one) => [idOf(one), one])).values()].sort(
    (a, b) => received.indexOf(a) - received.indexOf(b),
  );

describe('webhooks while the service is killed again and again', () => {
  it(`loses none of ${ITEMS * EVENTS_PER_ITEM} events in ${KILLS} kills, and keeps the order of each item`, async () => {
    const admin = new Administrator();
    const first = await launch();
    await first.ready();
    alive.add(first);
    await admin.login();
    const org = `/orgs/${admin.oid}`;
    await admin.call('POST', `${org}/event-webhook-urls`, JSON.stringify({ crawlReviewed: receiver.url }));
    const wacz = new Uint8Array(await waczOf(['https://a.example/']));
    const itemIds: string[] = [];
    for (let i = 0; i < ITEMS; i++)
      itemIds.push((await admin.call('PUT', `${org}/uploads/stream?filename=${i}.wacz`, wacz)).id);
    await eventually(async () => {
      const { items } = await admin.call('GET', `${org}/uploads`);
      expect(items.map(({ state }: { state: string }) => state)).toEqual(Array(ITEMS).fill('complete'));
    }, 60_000);
    alive.delete(first);
    await first.kill();

    const tormented = Promise.all(Array.from({ length: PROCESSES }, torment));
    await Promise.all([tormented, ...itemIds.map((itemId) => review(admin, itemId))]);
    expect([kills, refusals]).toEqual([KILLS, []]);

    const [webhooks, facts] = [connection.collection('webhooks'), connection.collection('domain_events')];
    await eventually(async () => {
      const pending = await webhooks.countDocuments({ 'plan.dueAt': { $exists: true } });
      expect([pending, await facts.countDocuments({ pending: 'webhooks' })]).toEqual([0, 0]);
    }, 120_000);

    // Every notification was delivered, under its own id and with its own body, repeats included.
    const stored = new Map((await webhooks.find().toArray()).map((one) => [one._id.toString(), one['body']]));
    const { received } = receiver;
    expect([...new Set(received.map(idOf))].sort()).toEqual([...stored.keys()].sort());
    for (const one of received) expect(one.body).toEqual(stored.get(idOf(one)));
    for (const itemId of itemIds) {
      const numbers = firstArrivals(received.filter(({ body }) => body.itemId === itemId)).map(numberOf);
      // Every acknowledged one has come. One that a kill left unanswered was asked for again, so it may be there twice.
      expect([...new Set(numbers)]).toEqual(Array.from({ length: EVENTS_PER_ITEM }, (_, n) => n));
      expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    }
  }, 1_200_000);
});
