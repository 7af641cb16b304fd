import { randomUUID } from 'node:crypto';
import { uuid } from '../../../src/database/uuid-codec.js';
import { newKeyText } from '../../../src/access-keys/rules/key-text.js';
import type { ApiClient } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { aMember, anOrg, type Member } from '../../support/people.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';

interface Made {
  readonly id: string;
  readonly key: string;
  readonly prefix: string;
}

const ALL = ['items:read', 'items:write', 'workflows:read', 'org:read', 'org:admin'];

describe('API keys', () => {
  let under: AppUnderTest;
  let oid: string;
  let owner: Member;

  beforeAll(async () => {
    under = await startApp({ env: { TRUSTED_PROXY_HOPS: '1', API_KEY_REQUESTS_PER_MINUTE: '20' } });
    oid = await anOrg(under);
    owner = await aMember(under, oid, 40);
  });
  afterAll(() => under?.close());

  async function made(by: ApiClient, path: string, fields: Record<string, unknown> = {}): Promise<Made> {
    const { status, body } = await by.post(path, { name: 'of a test', scopes: ALL, ...fields });
    expect({ status, body }).toMatchObject({ status: 200 });
    return body as Made;
  }
  const ofOrg = (fields?: Record<string, unknown>, org = oid, by = owner.api): Promise<Made> =>
    made(by, `/orgs/${org}/api-keys`, fields);
  const own = (by: ApiClient, fields?: Record<string, unknown>): Promise<Made> =>
    made(by, '/users/me/api-keys', fields);
  const by = ({ key }: Made): ApiClient => under.api.as(key);
  const readBy = async (api: ApiClient, org = oid): Promise<[number, unknown]> => {
    const { status, body } = await api.get(`/orgs/${org}/all-crawls`);
    return [status, (body as { detail?: string }).detail];
  };
  const loginBy = ({ id }: Made, password: string) =>
    under.api.call('POST', '/auth/jwt/login', { form: { username: id, password } });

  it('is shown once, kept as a digest, and known by its beginning', async () => {
    const key = await ofOrg();
    expect(key.key).toMatch(/^mnm_[\da-f]{32}_[\da-f]{64}_[\da-f]{8}$/);
    expect(key.key.startsWith(key.prefix)).toBe(true);
    const listed = await owner.api.get(`/orgs/${oid}/api-keys`);
    expect(JSON.stringify(listed.body)).toContain(key.prefix);
    const secret = key.key.split('_')[2]!;
    const stored = await under.connection.collection('access_keys').find().toArray();
    expect(JSON.stringify([listed.body, stored])).not.toContain(secret);
  });

  it('opens what its scopes name, and says what is missing', async () => {
    const api = by(await ofOrg({ scopes: ['items:read'] }));
    expect(await readBy(api)).toEqual([200, undefined]);
    expect(await api.post(`/orgs/${oid}/all-crawls/delete`, { crawl_ids: [] })).toMatchObject({
      status: 403,
      body: { detail: 'api_key_scope_missing' },
    });
    expect(await api.post('/users/me/api-keys', { name: 'child', scopes: ALL })).toMatchObject({
      status: 403,
      body: { detail: 'api_keys_refused' },
    });
    expect((await api.put('/users/me/password-change', {})).status).toBe(403);
    expect((await api.post('/auth/jwt/replay', { oid, kind: 'item', id: 'x' })).status).toBe(403);
  });

  it('sees its own org only, and other orgs as missing ones', async () => {
    const other = await anOrg(under);
    const admin = await under.admin();
    await admin.post(`/orgs/${other}/add-user`, { email: owner.email, password: 'x', name: 'x', role: 40 });
    const ofSuperuser = by(await ofOrg({}, oid, admin));
    for (const api of [by(await ofOrg()), ofSuperuser]) {
      const elsewhere = await api.get(`/orgs/${other}/all-crawls`);
      const missing = await api.get(`/orgs/${randomUUID()}/all-crawls`);
      expect([elsewhere.status, elsewhere.body]).toEqual([404, missing.body]);
      expect(await readBy(api)).toEqual([200, undefined]);
      const me = await api.get('/users/me');
      expect((me.body as { orgs: { id: string }[] }).orgs.map(({ id }) => id)).toEqual([oid]);
      const orgs = await api.get('/orgs');
      expect((orgs.body as { items: { id: string }[] }).items.map(({ id }) => id)).toEqual([oid]);
    }
    // What a superuser may do elsewhere, the key of one org may not.
    expect((await ofSuperuser.get('/orgs/slugs')).status).toBe(403);
  });

  it('loses at once what its creator loses', async () => {
    const admin = await under.admin();
    const creator = await aMember(under, oid, 40);
    const key = await ofOrg({}, oid, creator.api);
    const token = (await loginBy(key, key.key)).body.access_token as string;
    const both = [by(key), under.api.as(token)];
    const invites = () => Promise.all(both.map(async (api) => (await api.get(`/orgs/${oid}/invites`)).status));
    expect(await invites()).toEqual([200, 200]);
    await admin.patch(`/orgs/${oid}/user-role`, { email: creator.email, role: 10 });
    expect(await invites()).toEqual([403, 403]);
    await admin.post(`/orgs/${oid}/remove`, { email: creator.email });
    expect(await invites()).toEqual([404, 404]);
    await under.connection.collection('users').deleteOne({ id: uuid(creator.id) as never });
    expect(await invites()).toEqual([401, 401]);
  });

  it('ends when its time is over or when it is revoked, and its tokens with it', async () => {
    const start = under.clock.now();
    const key = await ofOrg({ expiresAt: new Date(start.getTime() + 3_600_000).toISOString() });
    const revoked = await ofOrg();
    const tokens = await Promise.all(
      [key, revoked].map(async (one) => (await loginBy(one, one.key)).body.access_token),
    );
    expect(await readBy(under.api.as(tokens[1]))).toEqual([200, undefined]);
    expect((await owner.api.delete(`/orgs/${oid}/api-keys/${revoked.id}`)).status).toBe(200);
    expect((await owner.api.delete(`/orgs/${oid}/api-keys/${revoked.id}`)).body.detail).toBe('api_key_not_found');
    for (const text of [revoked.key, tokens[1]])
      expect(await readBy(under.api.as(text))).toEqual([401, 'invalid_credentials']);
    under.clock.advance(3_600_001);
    expect(await readBy(by(key))).toEqual([401, 'api_key_expired']);
    expect(await readBy(under.api.as(tokens[0]))).toEqual([401, 'invalid_credentials']);
    const past = await owner.api.post(`/orgs/${oid}/api-keys`, {
      name: 'x',
      scopes: ALL,
      expiresAt: start.toISOString(),
    });
    expect(past.body.detail).toBe('api_key_expiry_past');
  });

  it('is refused where a letter is wrong, in a URL, and as any other kind of token', async () => {
    const key = await own(owner.api);
    const text = key.key;
    const forged = [
      text.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      newKeyText(key.id),
      newKeyText(randomUUID()),
      text.slice(0, -9),
      key.id,
    ];
    for (const wrong of forged) expect(await readBy(under.api.as(wrong))).toEqual([401, 'invalid_credentials']);
    const inUrl = await under.api.get(`/orgs/${oid}/all-crawls`, { auth_bearer: text });
    expect([inUrl.status, inUrl.body.detail]).toEqual([401, 'api_key_in_url']);
    expect((await by(key).post('/auth/jwt/refresh')).body.detail).toBe('api_keys_refused');
    const reset = await under.api.post('/auth/reset-password', { token: text, password: 'a new password' });
    expect(reset.body.detail).toBe('reset_password_bad_token');
    const replayed = await owner.api.post('/auth/jwt/replay', { oid, kind: 'item', id: 'manual-x' });
    expect((await loginBy(key, replayed.body.token as string)).status).toBe(400);
  });

  it('logs in tools that know names and passwords only, and locks by its id', async () => {
    const key = await own(owner.api, { scopes: ['items:read'] });
    const answer = await loginBy(key, key.key);
    expect(answer).toMatchObject({ status: 200, body: { token_type: 'bearer', user_info: { email: owner.email } } });
    const api = under.api.as(answer.body.access_token as string);
    expect(await readBy(api)).toEqual([200, undefined]);
    expect((await api.get(`/orgs/${oid}/crawlconfigs`)).body.detail).toBe('api_key_scope_missing');
    expect((await api.get('/users/me/api-keys')).body.detail).toBe('api_keys_refused');
    const again = await api.post('/auth/jwt/refresh');
    expect(await readBy(under.api.as(again.body.access_token as string))).toEqual([200, undefined]);
    expect((await under.api.as(again.body.access_token as string).get('/users/me/api-keys')).status).toBe(403);
    const other = await own(owner.api);
    for (let i = 0; i < 5; i++) expect((await loginBy(key, other.key)).body.detail).toBe('login_bad_credentials');
    const spelled = { ...key, id: key.id.replaceAll('-', '').toUpperCase() };
    expect((await loginBy(spelled, key.key)).status).toBe(429);
    // The key itself can't be guessed, so nobody locks it by guessing.
    expect(await readBy(by(key))).toEqual([200, undefined]);
    expect((await loginBy(other, other.key)).status).toBe(200);
  });

  it('is good from its addresses only', async () => {
    const api = by(await own(owner.api, { addresses: ['192.0.2.0/24', '2001:db8::1'] }));
    const from = async (ip: string): Promise<number> =>
      (await api.call('GET', `/orgs/${oid}/all-crawls`, { headers: { 'x-forwarded-for': ip } })).status;
    expect(await Promise.all(['192.0.2.7', '::ffff:192.0.2.7', '2001:db8::1'].map(from))).toEqual([200, 200, 200]);
    expect(await Promise.all(['192.0.3.7', '2001:db8::2'].map(from))).toEqual([403, 403]);
    const wrong = await owner.api.post('/users/me/api-keys', { name: 'x', scopes: ALL, addresses: ['192.0.2.0/33'] });
    expect(wrong.body.detail).toBe('api_key_address_invalid');
  });

  it('is remembered as used once a minute', async () => {
    const key = await own(owner.api);
    const used = async (): Promise<string | null> => {
      const { body } = await owner.api.get('/users/me/api-keys');
      return (body as { items: { id: string; lastUsed: string | null }[] }).items.find(({ id }) => id === key.id)!
        .lastUsed;
    };
    expect(await used()).toBeNull();
    await readBy(by(key));
    const first = await used();
    expect(first).not.toBeNull();
    under.clock.advance(30_000);
    await readBy(by(key));
    expect(await used()).toBe(first);
    under.clock.advance(31_000);
    await readBy(by(key));
    expect(await used()).not.toBe(first);
  });

  it('makes so many requests a minute, by itself or by its tokens, and is told what is left', async () => {
    const [key, other] = [await own(owner.api), await own(owner.api)];
    const token = (await loginBy(key, key.key)).body.access_token as string;
    const answers = [];
    for (let i = 0; i < 20; i++) answers.push(await under.api.as(i % 2 ? token : key.key).get(`/orgs/${oid}`));
    const left = answers.map(({ headers }) => headers.get('ratelimit-remaining'));
    expect(left).toEqual([...Array.from({ length: 19 }, (_, i) => String(18 - i)), '0']);
    const refused = answers.at(-1)!;
    expect([refused.status, refused.body.detail]).toEqual([429, 'api_key_rate_limited']);
    expect(refused.headers.get('ratelimit-limit')).toBe('20');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await readBy(by(other))).toEqual([200, undefined]);
    expect((await owner.api.get(`/orgs/${oid}`)).headers.get('ratelimit-limit')).toBeNull();
    under.clock.advance(60_001);
    expect(await readBy(by(key))).toEqual([200, undefined]);
  });

  it('is one of 25 of a user, also of fifty that are made at once', async () => {
    const { api } = await aMember(under, oid, 10);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => api.post('/users/me/api-keys', { name: 'x', scopes: ['items:read'] })),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(25);
    expect(new Set(refused.map(({ body }) => body.detail as string))).toEqual(new Set(['api_key_limit_reached']));
    expect((await api.get('/users/me/api-keys')).body.items).toHaveLength(25);
  });

  it('is for the whole deployment only as a superuser’s own', async () => {
    const admin = await under.admin();
    const wanted = { name: 'x', scopes: ['system:admin'] };
    for (const refused of [owner.api.post('/users/me/api-keys', wanted), admin.post(`/orgs/${oid}/api-keys`, wanted)])
      expect((await refused).body.detail).toBe('api_key_scope_not_allowed');
    expect((await by(await own(admin, wanted)).get('/orgs/slugs')).status).toBe(200);
  });

  it('goes with its org', async () => {
    const doomed = await anOrg(under);
    const admin = await under.admin();
    const key = await ofOrg({}, doomed, admin);
    const { body } = await admin.delete(`/orgs/${doomed}`);
    expect(body).toMatchObject({ deleted: true });
    await eventually(async () => expect(await readBy(by(key), doomed)).toEqual([401, 'invalid_credentials']));
  });
});
