import { createServer as createHttpsServer } from 'node:https';
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { uuid } from '../../../src/database/uuid-codec.js';
import { DomainEvents } from '../../../src/events/domain-events.js';
import { DeliveryWorker } from '../../../src/webhooks/delivery-worker.js';
import type { ApiClient } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { selfSigned } from '../../support/self-signed.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';
import { startReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { minutes, seconds } from '../../../src/common/units/durations.js';

/** Longer than a busy machine takes to answer. */
const TRY_TIMEOUT_MS = 60_000;
/** Of a process whose tries are to end without an answer: short enough for a test to wait for. */
const SHORT_TRY_MS = 5_000;
const MB = 1 << 20;

interface Tried {
  success: boolean;
  attempts: number;
  tries: { status: number | null; latencyMs: number; answer: string }[];
}

describe('receivers that misbehave', () => {
  let t: AppUnderTest;
  let impatient: AppUnderTest;
  let owner: ApiClient;
  let oid: string;
  let receiver: WebhookReceiver;
  const closing: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    const env = (timeoutMs: number) => ({
      ALLOW_PRIVATE_ADDRESSES: 'webhooks',
      WEBHOOK_TIMEOUT_MS: String(timeoutMs),
    });
    t = await startApp({ env: env(TRY_TIMEOUT_MS) });
    impatient = await startApp({ like: t, env: env(SHORT_TRY_MS) });
    owner = await t.admin();
    oid = await t.defaultOrgId();
  });
  afterAll(async () => {
    await impatient?.stop();
    await t?.close();
  });
  beforeEach(async () => {
    receiver = await startReceiver();
    await t.connection.collection('webhooks').deleteMany({});
  });
  afterEach(async () => {
    await receiver.close();
    await Promise.all(closing.splice(0).map((close) => close()));
  });

  /** A raw TCP or TLS server on loopback. @returns its port */
  const listening = async (server: Server): Promise<number> => {
    const sockets = new Set<Socket>();
    server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    });
    return (server.address() as AddressInfo).port;
  };
  const worker = (by = t) => by.app.get(DeliveryWorker, { strict: false });
  const publish = (by = t) =>
    by.app.get(DomainEvents, { strict: false }).publish('crawl.started', {
      oid,
      crawlId: `manual-20201121080000-${randomUUID().slice(0, 12)}`,
      scheduled: false,
    });
  const configure = (url: string) => owner.post(`/orgs/${oid}/event-webhook-urls`, { crawlStarted: url });
  const only = async (): Promise<Tried> => (await owner.get(`/orgs/${oid}/webhooks`)).body.items[0];
  /** One try of a notification to this URL. */
  const tryOnce = async (url: string, by = t): Promise<Tried> => {
    await configure(url);
    await publish(by);
    await worker(by).drain();
    return only();
  };

  it('refuse the connection: a failed try, told why', async () => {
    const port = await listening(createServer());
    await closing.pop()?.();
    const { success, attempts, tries } = await tryOnce(`http://127.0.0.1:${port}/`);
    expect([success, attempts, tries]).toEqual([false, 1, [expect.objectContaining({ status: null })]]);
    expect(tries[0]?.answer).toContain('ECONNREFUSED');
  });

  it('hang without a word: the try ends when its time is over', async () => {
    const port = await listening(createServer(() => {}));
    const { success, tries } = await tryOnce(`http://127.0.0.1:${port}/`, impatient);
    expect([success, tries]).toEqual([false, [expect.objectContaining({ status: null })]]);
    expect(tries[0]?.latencyMs).toBeGreaterThanOrEqual(SHORT_TRY_MS - 50);
  });

  it('answer byte by byte: each byte buys no further time', async () => {
    let sent = 0;
    const server = createServer((socket) => {
      const head = `HTTP/1.1 200 OK\r\nx-slow: ${'z'.repeat(10_000)}\r\n\r\n`;
      const timer = setInterval(() => socket.write(head.charAt(sent++)), 50);
      socket.on('close', () => clearInterval(timer)).on('error', () => clearInterval(timer));
    });
    const port = await listening(server);
    const { success, tries } = await tryOnce(`http://127.0.0.1:${port}/`, impatient);
    expect([success, tries[0]?.status]).toEqual([false, null]);
    expect(sent).toBeGreaterThanOrEqual(1);
  });

  it('say 200 and never come to the end: delivered, with what came of the answer', async () => {
    receiver.answer = (_, response) => {
      response.writeHead(200).write('so far');
    };
    const { success, tries } = await tryOnce(receiver.url, impatient);
    expect([success, tries]).toEqual([true, [expect.objectContaining({ status: 200, answer: 'so far' })]]);
  });

  it('answer 500 four times, then 200: delivered in one overall attempt', async () => {
    let calls = 0;
    receiver.answer = (_, response) => void response.writeHead(++calls < 5 ? 500 : 200).end();
    await tryOnce(receiver.url);
    for (let round = 0; round < 5; round++) {
      t.clock.advance(seconds(15));
      await worker().drain();
    }
    const { success, attempts, tries } = await only();
    expect([success, attempts, tries.map(({ status }) => status)]).toEqual([true, 1, [500, 500, 500, 500, 200]]);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it.each([410, 404, 301, 302, 307, 308])('answer %i: a failed try; no redirect is followed', async (status) => {
    const elsewhere = await startReceiver();
    closing.push(() => elsewhere.close());
    receiver.answer = (_, response) => void response.writeHead(status, { location: elsewhere.url }).end();
    expect(await tryOnce(receiver.url)).toMatchObject({ success: false, tries: [{ status }] });
    expect([receiver.received.length, elsewhere.received.length]).toEqual([1, 0]);
  });

  it('answer with 100 MB: the connection is closed after what is kept', async () => {
    const total = 100 * MB;
    let sent = 0;
    let closed = false;
    receiver.answer = (_, response) => {
      response.writeHead(200, { 'content-length': String(total) });
      response.on('close', () => (closed = true));
      const chunk = Buffer.alloc(64 * 1024, 'x');
      const pump = () => {
        while (sent < total && !response.destroyed) {
          sent += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', pump);
        }
      };
      pump();
    };
    const { success, tries } = await tryOnce(receiver.url);
    expect([success, tries[0]?.answer.length]).toEqual([true, 1000]);
    await eventually(() => expect(closed).toBe(true));
    // What fits into the buffers of two sockets, and no more.
    expect(sent).toBeLessThan(30 * MB);
  });

  it('have a certificate that nobody signed: a failed try, told why', async () => {
    const port = await listening(createHttpsServer(selfSigned(), (_, response) => void response.end()));
    const { success, tries } = await tryOnce(`https://127.0.0.1:${port}/`);
    expect([success, tries]).toEqual([false, [expect.objectContaining({ status: null })]]);
    expect(tries[0]?.answer).toMatch(/certificate/i);
  });

  it('speak no TLS where TLS is expected: a failed try', async () => {
    const port = await listening(createServer((socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\n')));
    const { success, tries } = await tryOnce(`https://127.0.0.1:${port}/`);
    expect([success, tries]).toEqual([false, [expect.objectContaining({ status: null })]]);
  });

  it('send something that is no HTTP: a failed try', async () => {
    const port = await listening(createServer((socket) => void socket.end('\0\x01 hello\r\n\r\n')));
    expect(await tryOnce(`http://127.0.0.1:${port}/`)).toMatchObject({ success: false, tries: [{ status: null }] });
  });

  it('hang with 10,000 notifications for them: those of another host are sent meanwhile', async () => {
    let hanging = 0;
    const port = await listening(createServer(() => void hanging++));
    await configure(`http://127.0.0.1:${port}/`);
    await publish(impatient);
    await eventually(() => expect(hanging).toBe(1));
    const [one] = await t.connection.collection('webhooks').find().toArray();
    const plan = { ...one?.['plan'], leaseUntil: new Date(0), claim: null, tries: 0 };
    const backlog = Array.from({ length: 10_000 }, (_, n) => ({
      ...one,
      ...{ _id: uuid(randomUUID()) as never, body: { itemId: `dead-${n}` }, success: false, attempts: 0, tries: [] },
      plan: { ...plan, orderKey: `dead-${n}`, seq: n },
    }));
    await t.connection.collection('webhooks').insertMany(backlog);
    t.clock.advance(minutes(1));
    worker(impatient).wake();
    await eventually(() => expect(hanging).toBeGreaterThan(10));
    const made = await owner.post('/orgs/create', { name: 'Another org', slug: 'another-org' });
    const other = made.body.id as string;
    await owner.post(`/orgs/${other}/event-webhook-urls`, { crawlStarted: receiver.url });
    await impatient.app
      .get(DomainEvents, { strict: false })
      .publish('crawl.started', { oid: other, crawlId: 'manual-20201121080000-otherorg-one', scheduled: true });
    await eventually(() => expect(receiver.received).toHaveLength(1));
    // It came while the dead host still had nearly all of its own before it.
    const waiting = { oid: uuid(oid) as never, 'plan.tries': 0 };
    expect(await t.connection.collection('webhooks').countDocuments(waiting)).toBeGreaterThan(9_000);
    await t.connection.collection('webhooks').deleteMany({});
  });
});
