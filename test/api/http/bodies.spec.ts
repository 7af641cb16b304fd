import { RawConnection } from '../../support/raw-connection.js';
import { aMember, anOrg, type Member } from '../../support/people.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';

const MB = 1024 * 1024;
const JSON_BODY = { 'content-type': 'application/json' };
/** As many bodies as one address may have on their way. */
const MOST_OPEN = 64;

let under: AppUnderTest;
let oid: string;
let crawler: Member;
const open: RawConnection[] = [];

beforeAll(async () => {
  under = await startApp({ env: { BODY_SILENCE_SECONDS: '1', TRUSTED_PROXY_HOPS: '1' } });
  oid = await anOrg(under);
  crawler = await aMember(under, oid, 20);
});
afterAll(() => under.close());
afterEach(() => {
  for (const connection of open.splice(0)) connection.end();
});

async function connection(): Promise<RawConnection> {
  const made = await RawConnection.open(under.baseUrl);
  open.push(made);
  return made;
}

const authorization = () => `Bearer ${crawler.api.token ?? ''}`;
const detailOf = ({ status, body }: { status: number; body: string }) => [
  status,
  (JSON.parse(body) as { detail: unknown }).detail,
];

describe('a body of somebody without a login', () => {
  it('is not waited for where a login is asked for, when it is long', async () => {
    const client = await connection();
    client.begin('POST', '/api/orgs/create', { ...JSON_BODY, 'content-length': 31 * MB });
    client.send('{"name": "');
    expect(detailOf(await client.answer())).toEqual([401, 'invalid_credentials']);
  });

  it('ends at 64 kB where nobody said how long it is', async () => {
    const client = await connection();
    client.begin('POST', '/api/orgs/create', { ...JSON_BODY, 'transfer-encoding': 'chunked' });
    client.send(`${(80 * 1024).toString(16)}\r\n${' '.repeat(80 * 1024)}\r\n`);
    expect(detailOf(await client.answer())).toEqual([401, 'invalid_credentials']);
  });

  it.each([
    ['/api/auth/register', 'application/json'],
    ['/api/auth/jwt/login', 'application/x-www-form-urlencoded'],
    ['/api/auth/jwt/login', 'multipart/form-data; boundary=b'],
  ])('is too large above 64 kB where none is asked for: %s as %s', async (path, type) => {
    const client = await connection();
    client.begin('POST', path, { 'content-type': type, 'content-length': 70 * 1024 });
    expect(detailOf(await client.answer())).toEqual([413, 'request_body_too_large']);
  });

  it('that goes on after the answer is listened to no longer than ten seconds', async () => {
    const client = await connection();
    client.begin('POST', '/api/orgs/create', { ...JSON_BODY, 'content-length': 31 * MB });
    expect((await client.answer()).status).toBe(401);
    const drip = setInterval(() => client.send('x'), 200);
    await client.ended();
    clearInterval(drip);
  });

  it('leaves the connection usable when it does end', async () => {
    const client = await connection();
    client.begin('POST', '/api/orgs/create', { ...JSON_BODY, 'content-length': 100 * 1024 });
    expect((await client.answer()).status).toBe(401);
    client.send(' '.repeat(100 * 1024));
    client.begin('GET', '/healthz', {});
    expect((await client.answer()).status).toBe(200);
  });
});

describe('a body of a member', () => {
  it('may be long where crawls are made', async () => {
    const seeds = Array.from({ length: 1500 }, (_, i) => ({ url: `https://example.com/${'x'.repeat(1500)}/${i}` }));
    const answer = await crawler.api.post(`/orgs/${oid}/crawlconfigs/`, {
      name: 'long',
      runNow: false,
      config: { seeds, scopeType: 'page' },
    });
    expect(answer.status).toBe(200);
  });

  it('is as short as a setting is where no more is needed', async () => {
    const answer = await crawler.api.put('/users/me/password-change', { password: 'x'.repeat(2 * MB) });
    expect([answer.status, answer.body]).toEqual([413, { detail: 'request_body_too_large' }]);
  });

  it('is not waited for beyond 64 kB in an org of others', async () => {
    const other = await anOrg(under);
    const client = await connection();
    client.begin('POST', `/api/orgs/${other}/crawlconfigs/`, {
      ...JSON_BODY,
      'content-length': 20 * MB,
      authorization: authorization(),
    });
    expect(detailOf(await client.answer())).toEqual([404, 'org_not_found']);
  });
});

describe('a body that falls silent', () => {
  it('is given up, and the connection with it', async () => {
    const client = await connection();
    client.begin('POST', '/api/auth/register', { ...JSON_BODY, 'content-length': 100 });
    client.send('{"email":');
    expect(detailOf(await client.answer())).toEqual([408, 'request_body_timeout']);
    await client.ended();
  });

  it('is waited for while bytes move', async () => {
    const client = await connection();
    const text = JSON.stringify({ email: 'nobody@example.com' });
    client.begin('POST', '/api/auth/forgot-password', { ...JSON_BODY, 'content-length': text.length });
    for (const letter of text.slice(0, 10)) {
      client.send(letter);
      // Each pause is shorter than the silence, all together are longer: what is shown is that time passes.
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    client.send(text.slice(10));
    expect((await client.answer()).status).toBe(202);
  });

  it('ends an upload, which may pause ten times as long', async () => {
    const client = await connection();
    client.begin('PUT', `/api/orgs/${oid}/uploads/stream?filename=a.wacz`, {
      'content-length': MB,
      authorization: authorization(),
    });
    client.send(Buffer.alloc(100));
    const begun = performance.now();
    await client.ended();
    expect(performance.now() - begun).toBeGreaterThan(5000);
  });
});

describe('the bodies that one address sends at the same time', () => {
  const stalled = async (address: string): Promise<RawConnection> => {
    const client = await connection();
    client.begin('POST', '/api/auth/register', { ...JSON_BODY, 'content-length': 500, 'x-forwarded-for': address });
    client.send('{');
    return client;
  };

  it('are limited, and those of another address are not', async () => {
    const clients = await Promise.all(Array.from({ length: MOST_OPEN + 6 }, () => stalled('203.0.113.7')));
    const refused = await Promise.all(clients.map((client) => client.answer()));
    const busy = refused.filter(({ status }) => status === 429);
    expect(busy).toHaveLength(6);
    expect(detailOf(busy[0] as { status: number; body: string })).toEqual([429, 'too_many_open_requests']);
    expect(busy[0]?.headers['retry-after']).toMatch(/^\d+$/);
    // The others were given up for their silence, which makes room again.
    expect(refused.filter(({ status }) => status === 408)).toHaveLength(MOST_OPEN);
    expect((await (await stalled('203.0.113.7')).answer()).status).toBe(408);
  });

  it('are counted by network where an address is one of 2^64 that a client has', async () => {
    const crowd = Array.from({ length: MOST_OPEN + 1 }, (_, i) => stalled(`2001:db8:1:2::${(i + 1).toString(16)}`));
    const [neighbour, stranger] = await Promise.all([
      Promise.all(crowd.map(async (client) => (await client).answer())),
      stalled('2001:db8:1:3::1').then((client) => client.answer()),
    ]);
    expect(neighbour.filter(({ status }) => status === 429)).toHaveLength(1);
    expect(stranger.status).toBe(408);
  });
});
