import { createHmac } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { ConfigProblem, loadConfig } from '../../../src/config/load-config.js';
import { hours, minutes } from '../../../src/common/units/durations.js';
import { AuditOutboxRepository } from '../../../src/ledger/data/audit-outbox.repository.js';
import { AuditSending } from '../../../src/ledger/sending/audit-sending.js';
import { eventually } from '../../support/eventually.js';
import { anOrg } from '../../support/people.js';
import { selfSigned } from '../../support/self-signed.js';
import { type AppUnderTest, startApp } from '../../support/start-app.js';
import { startReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** A receiver of syslog over TCP that keeps messages by their counted octets. */
async function startSyslog() {
  let bytes = Buffer.alloc(0);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('data', (chunk) => (bytes = Buffer.concat([bytes, chunk]))).on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    messages: (): string[] => {
      const found: string[] = [];
      for (let at = 0; at < bytes.length;) {
        const space = bytes.indexOf(' ', at);
        const length = Number(bytes.subarray(at, space).toString());
        found.push(bytes.subarray(space + 1, space + 1 + length).toString());
        at = space + 1 + length;
      }
      return found;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

describe('receivers of the audit log', () => {
  let on: AppUnderTest;
  let webhook: WebhookReceiver;
  let syslog: Awaited<ReturnType<typeof startSyslog>>;

  beforeAll(async () => {
    [webhook, syslog] = [await startReceiver(), await startSyslog()];
    on = await startApp({
      env: {
        AUDIT_SYSLOG_URL: `tcp://127.0.0.1:${String(syslog.port)}`,
        AUDIT_WEBHOOK_URL: `${webhook.url}audit`,
        AUDIT_WEBHOOK_SECRET: SECRET,
      },
    });
    await sendAll();
  });
  afterAll(async () => {
    await on.close();
    await Promise.all([webhook.close(), syslog.close()]);
  });
  beforeEach(() => {
    webhook.received.length = 0;
    webhook.answer = (_, response) => void response.end('ok');
  });

  const sending = () => on.app.get(AuditSending, { strict: false });
  async function sendAll(): Promise<void> {
    on.clock.advance(minutes(6));
    await sending().drain();
  }
  const posted = (): { action: string; oid: string | null }[] =>
    webhook.received.flatMap(({ body }) => body.items as { action: string; oid: string | null }[]);
  const unsent = () => on.connection.collection('audit_events').countDocuments({ sendAt: { $exists: true } });

  it('get every entry once it is settled, in order: the webhook signed, syslog with its octets counted', async () => {
    const before = syslog.messages().length;
    const oid = await anOrg(on);
    await (await on.admin()).post(`/orgs/${oid}/rename`, { name: 'Renamed' });
    await sendAll();
    const ofOrg = posted().filter((line) => line.oid === oid);
    expect(ofOrg.map(({ action }) => action)).toEqual(['createOrg', 'renameOrg']);
    const [first] = webhook.received;
    expect(first?.path).toBe('/audit');
    expect(first?.body.event).toBe('auditLines');
    const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature } = first?.headers ?? {};
    const signed = `${String(id)}.${String(time)}.${first?.text ?? ''}`;
    const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
    expect(signature).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
    const messages = syslog.messages().slice(before);
    expect(messages).toHaveLength(posted().length);
    const told = messages.find((message) => message.includes('renameOrg')) ?? '';
    expect(told).toMatch(/^<110>1 \S+Z \S+ muniment - renameOrg \[muniment@32473 id="\w{24}" oid="[^"]+" actor=/);
    expect(JSON.parse(told.slice(told.indexOf('] ') + 2))).toEqual(ofOrg.find(({ action }) => action === 'renameOrg'));
    expect(await unsent()).toBe(0);
    webhook.received.length = 0;
    await sendAll();
    expect(posted()).toEqual([]);
  });

  it('are tried again when they are away, without holding up the others or whoever makes entries', async () => {
    webhook.answer = (_, response) => void response.writeHead(503).end();
    const before = syslog.messages().length;
    const oid = await anOrg(on);
    await sendAll();
    expect(
      syslog
        .messages()
        .slice(before)
        .some((message) => message.includes(oid)),
    ).toBe(true);
    expect(webhook.received).toHaveLength(1);
    expect(await unsent()).toBe(1);
    // Not again before its time, which gets longer.
    await sending().drain();
    expect(webhook.received).toHaveLength(1);
    const other = await anOrg(on);
    webhook.answer = (_, response) => void response.end('ok');
    webhook.received.length = 0;
    await sendAll();
    expect(posted().flatMap((line) => (line.oid === oid || line.oid === other ? [line.oid] : []))).toEqual([
      oid,
      other,
    ]);
    expect(syslog.messages().filter((message) => message.includes(`oid="${oid}"`))).toHaveLength(1);
    expect(await unsent()).toBe(0);
  });

  it('get a batch again, under the same id, after a death between sending and its record', async () => {
    const outbox = on.app.get(AuditOutboxRepository, { strict: false });
    const real = outbox.sent.bind(outbox);
    outbox.sent = () => Promise.reject(new Error('killed'));
    await anOrg(on);
    await sendAll();
    outbox.sent = real;
    on.clock.advance(hours(1));
    await sendAll();
    const ids = webhook.received.map(({ headers }) => headers['webhook-id']);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
    expect(await unsent()).toBe(0);
  });

  it('are sent to by one of several processes', async () => {
    const other = await startApp({
      like: on,
      env: { AUDIT_WEBHOOK_URL: `${webhook.url}audit`, AUDIT_WEBHOOK_SECRET: SECRET },
    });
    try {
      const oid = await anOrg(on);
      on.clock.advance(minutes(6));
      await Promise.all([sending().drain(), other.app.get(AuditSending, { strict: false }).drain()]);
      expect(posted().filter((line) => line.oid === oid)).toHaveLength(1);
    } finally {
      await other.stop();
    }
  });
});

describe('a receiver by', () => {
  async function withSyslog(url: string, work: (on: AppUnderTest) => Promise<void>): Promise<void> {
    const on = await startApp({ env: { AUDIT_SYSLOG_URL: url } });
    try {
      await work(on);
    } finally {
      await on.close();
    }
  }

  it('UDP gets one datagram for each entry', async () => {
    const socket = createSocket('udp4');
    const got: string[] = [];
    socket.on('message', (message) => got.push(message.toString()));
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    await withSyslog(`udp://127.0.0.1:${String(socket.address().port)}`, async (on) => {
      const oid = await anOrg(on);
      await on.app.get(AuditSending, { strict: false }).drain();
      await eventually(() => expect(got.filter((message) => message.includes(oid))).toHaveLength(1));
    });
    socket.close();
  });

  it('TLS gets nothing with a certificate that nobody vouches for', async () => {
    let bytes = 0;
    const server = createTlsServer(selfSigned(), (socket) => {
      socket.on('data', (chunk) => (bytes += chunk.length)).on('error', () => undefined);
    });
    server.on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await withSyslog(`tls://127.0.0.1:${String((server.address() as AddressInfo).port)}`, async (on) => {
      await anOrg(on);
      await on.app.get(AuditSending, { strict: false }).drain();
      const receivers = on.connection.collection<{ _id: string; failures: number }>('audit_receivers');
      expect((await receivers.findOne({ _id: 'syslog' }))?.failures).toBe(1);
      expect(bytes).toBe(0);
    });
    server.close();
  });
});

describe('settings of receivers', () => {
  it.each([
    { AUDIT_SYSLOG_URL: 'logs.example.org' },
    { AUDIT_SYSLOG_URL: 'http://logs.example.org' },
    { AUDIT_WEBHOOK_URL: 'https://logs.example.org' },
    { AUDIT_WEBHOOK_URL: 'https://logs.example.org', AUDIT_WEBHOOK_SECRET: 'secret' },
    { AUDIT_WEBHOOK_URL: 'ftp://logs.example.org', AUDIT_WEBHOOK_SECRET: SECRET },
  ])('refuse %j', (env) => {
    expect(() => loadConfig({ DATA_DIR: '/nowhere', ...env })).toThrow(ConfigProblem);
  });
});
