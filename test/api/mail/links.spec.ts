import { request } from 'node:http';
import { JobWorker } from '../../../src/jobs/job-worker.js';
import { DeliveryWorker } from '../../../src/webhooks/delivery-worker.js';
import { aMember, anEmail, forgetMails, PASSWORD, sentMails } from '../../support/people.js';
import { ADMIN, startApp, type AppUnderTest } from '../../support/start-app.js';
import { startReceiver } from '../../support/webhook-receiver.js';
import { waczOf } from '../../support/zip.js';

const FORGED = { 'x-forwarded-proto': 'https', host: 'evil.example' };

/** A request whose Host header is what the test says, which `fetch` would not let it say. */
function send(under: AppUnderTest, path: string, body: unknown, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const isForm = body instanceof URLSearchParams;
    const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
    const sent = request(new URL(`/api${path}`, under.baseUrl), {
      method: 'POST',
      headers: { 'content-type': type, ...headers },
    });
    sent.once('error', reject).once('response', (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    sent.end(isForm ? body.toString() : JSON.stringify(body));
  });
}

describe.each([
  ['without APP_ORIGIN', {}, (under: AppUnderTest) => under.baseUrl],
  ['with APP_ORIGIN', { APP_ORIGIN: 'https://app.example.org' }, () => 'https://app.example.org'],
  ['behind a counted proxy', { TRUSTED_PROXY_HOPS: '1' }, () => 'https://evil.example'],
])('links in mails %s', (_, env, originOf) => {
  let under: AppUnderTest;
  let oid: string;
  let origin: string;

  beforeAll(async () => {
    under = await startApp({ env: env as Record<string, string> });
    oid = await under.defaultOrgId();
    origin = originOf(under);
  });
  afterAll(() => under.close());
  beforeEach(() => forgetMails(under));

  /** The links of the one mail that was sent, in its text. */
  async function links(): Promise<string[]> {
    const mails = await sentMails(under);
    expect(mails).toHaveLength(1);
    return [...(mails[0] ?? '').matchAll(/https?:\/\/[^\s"<>]+/g)].map(([link]) => link);
  }
  const expectLinks = async (path: string) => {
    const found = (await links()).filter((link) => link.includes(path));
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter((link) => !link.startsWith(`${origin}${path}`))).toEqual([]);
  };

  it('that reset a password lead to the service, whatever the request says of itself', async () => {
    const { email } = await aMember(under, oid, 10);
    await forgetMails(under);
    expect(await send(under, '/auth/forgot-password', { email }, FORGED)).toBe(202);
    await expectLinks('/reset-password?token=');
  });

  it('that invite lead to the service, whatever the request says of itself', async () => {
    const { token } = await under.admin();
    const headers = { ...FORGED, authorization: `Bearer ${String(token)}` };
    expect(await send(under, `/orgs/${oid}/invite`, { email: anEmail('new'), role: 20 }, headers)).toBe(200);
    await expectLinks('/join/');
  });

  it('that a lock sends lead to the service', async () => {
    const { email } = await aMember(under, oid, 10);
    await forgetMails(under);
    const form = new URLSearchParams({ username: email, password: `${PASSWORD}, wrong` });
    for (let attempt = 0; attempt < 6; attempt++) await send(under, '/auth/jwt/login', form, FORGED);
    await expectLinks('/reset-password?token=');
  });
});

describe('links in webhook bodies, without APP_ORIGIN and told of no origin,', () => {
  it('open the file and the collection, and live a week less a minute', async () => {
    const under = await startApp({ env: { ALLOW_PRIVATE_ADDRESSES: 'webhooks' } });
    const receiver = await startReceiver();
    try {
      const api = await under.login(ADMIN.email, ADMIN.password);
      const oid = await under.defaultOrgId();
      const urls = { uploadFinished: receiver.url, addedToCollection: receiver.url };
      await api.post(`/orgs/${oid}/event-webhook-urls`, urls);
      const wacz = await waczOf(['https://a.example/']);
      const query = { filename: 'a.wacz' };
      const { body: sent } = await api.put(`/orgs/${oid}/uploads/stream`, undefined, {
        query,
        raw: new Uint8Array(wacz),
      });
      await under.app.get(JobWorker, { strict: false }).drain();
      await api.post(`/orgs/${oid}/collections`, { name: 'Linked', crawlIds: [sent.id] });
      await under.app.get(DeliveryWorker, { strict: false }).drain();
      const bodyOf = (event: string) =>
        receiver.received.map(({ body }) => body as any).find((one) => one.event === event);
      const [resource] = bodyOf('uploadFinished').resources;
      expect(resource.path).toMatch(new RegExp(`^${under.baseUrl}/data/`));
      expect(Buffer.from(await (await fetch(resource.path)).arrayBuffer()).equals(wacz)).toBe(true);
      const lifeSeconds = (Date.parse(resource.expireAt) - under.clock.nowMs()) / 1000;
      expect(Math.round(lifeSeconds)).toBe(7 * 86_400 - 60);
      const { downloadUrl } = bodyOf('addedToCollection');
      expect(downloadUrl).toMatch(new RegExp(`^${under.baseUrl}/api/orgs/${oid}/collections/`));
      const download = await fetch(downloadUrl, { headers: { authorization: `Bearer ${String(api.token)}` } });
      expect([download.status, (await download.arrayBuffer()).byteLength > wacz.length]).toEqual([200, true]);
    } finally {
      await receiver.close();
      await under.close();
    }
  });
});
