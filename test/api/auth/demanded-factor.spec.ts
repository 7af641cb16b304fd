import { once } from 'node:events';
import { WebSocket } from 'ws';
import { FACTOR, FactorStage } from '../../support/factor-stage.js';
import { aMember, anOrg, PASSWORD, type Member } from '../../support/people.js';
import { ADMIN, startApp, type AppUnderTest } from '../../support/start-app.js';
import { aToken } from '../../support/tokens.js';

const SECRET = 'the secret of these tests';
const DEMANDED = [403, { detail: 'second_factor_demanded' }];

describe('an org that wants a second factor', () => {
  let under: AppUnderTest;
  let stage: FactorStage;
  let oid: string;
  let owner: Member;
  let lacking: Member;

  beforeAll(async () => {
    under = await startApp({ env: { PASSWORD_SECRET: SECRET, LOGIN_FAILURES_PER_ADDRESS: '0' } });
    stage = new FactorStage(under);
    oid = await anOrg(under);
    lacking = await aMember(under, oid, 40);
  });
  afterAll(() => under?.close());

  const asked = async (api = lacking.api, path = `/orgs/${oid}`): Promise<[number, unknown]> => {
    const { status, body } = await api.get(path);
    return [status, status < 400 ? undefined : body];
  };

  it('is set by an owner who has come with one, and shows who lacks one', async () => {
    expect((await lacking.api.get(`/orgs/${oid}/second-factor`)).body).toMatchObject({ demanded: false });
    const refused = await lacking.api.post(`/orgs/${oid}/second-factor`, { demanded: true });
    expect([refused.status, refused.body]).toEqual(DEMANDED);
    owner = await stage.aProved(oid, 40);
    expect((await owner.api.post(`/orgs/${oid}/second-factor`, { demanded: true })).body).toEqual({ updated: true });
    const shown = (await owner.api.get(`/orgs/${oid}/second-factor`)).body as {
      demanded: boolean;
      members: { email: string; hasSecondFactor: boolean }[];
    };
    expect(shown.demanded).toBe(true);
    expect(shown.members.map(({ email, hasSecondFactor }) => [email, hasSecondFactor]).sort()).toEqual(
      [
        [lacking.email, false],
        [owner.email, true],
      ].sort(),
    );
  });

  it('lets a member without one in as far as setting one up, and superusers as well', async () => {
    const admin = await under.login(ADMIN.email, ADMIN.password);
    for (const api of [lacking.api, admin]) {
      for (const path of [
        `/orgs/${oid}`,
        `/orgs/${oid}/all-crawls`,
        `/orgs/${oid}/second-factor`,
        `/orgs/${oid}/api-keys`,
      ])
        expect(await asked(api, path)).toEqual(DEMANDED);
      expect((await api.post(`/orgs/${oid}/second-factor`, { demanded: false })).status).toBe(403);
      expect((await asked(api, '/users/me'))[0]).toBe(200);
    }
    expect((await lacking.api.get(FACTOR)).body).toMatchObject({ demanded: true, proved: false });
    expect((await asked(await under.login(ADMIN.email, ADMIN.password), '/orgs/slugs'))[0]).toBe(200);
    const stranger = await aMember(under, await anOrg(under), 40);
    expect((await asked(stranger.api))[0]).toBe(404);
    // Its name is known, the rest is not.
    const listed = (await lacking.api.get('/orgs')).body as { items: { id: string }[] };
    expect(listed.items.map(({ id }) => id)).not.toContain(oid);
  });

  it('opens no socket, replay, or new key of their own to them, nor to tokens of no session', async () => {
    const url = `${under.baseUrl.replace('http', 'ws')}/watch/${oid}/none/0/ws?auth_bearer=${lacking.api.token ?? ''}`;
    const socket = new WebSocket(url);
    socket.on('error', () => undefined);
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
    socket.terminate();
    expect(response.statusCode).toBe(403);
    const replay = (await lacking.api.post('/auth/jwt/replay', { oid, kind: 'item', id: 'manual-x' })).body
      .token as string;
    expect(await asked(under.api.as(replay), `/orgs/${oid}/all-crawls/manual-x/replay.json`)).toEqual(DEMANDED);
    const key = await lacking.api.post('/users/me/api-keys', { name: 'k', scopes: ['items:read'] });
    expect([key.status, key.body]).toEqual(DEMANDED);
    const old = aToken({ user_id: owner.id, aud: 'fastapi-users:auth' }, { secret: SECRET });
    expect(await asked(under.api.as(old))).toEqual(DEMANDED);
    const renewed = await under.api.as(old).post('/auth/jwt/refresh');
    expect(await asked(under.api.as(renewed.body.access_token as string))).toEqual(DEMANDED);
    const basic = `Basic ${Buffer.from(`${lacking.email}:${PASSWORD}`).toString('base64')}`;
    const listed = await under.api.call('GET', '/wasapi/v1/webdata', {
      query: { account: oid },
      headers: { authorization: basic },
    });
    expect(listed.status).toBe(404);
  });

  it('leaves API keys and service accounts as they are', async () => {
    const made = await owner.api.post(`/orgs/${oid}/api-keys`, { name: 'k', scopes: ['items:read'] });
    expect((await asked(under.api.as(made.body.key as string), `/orgs/${oid}/all-crawls`))[0]).toBe(200);
    const account = await owner.api.post(`/orgs/${oid}/service-accounts`, { name: 's', role: 10 });
    const path = `/orgs/${oid}/service-accounts/${account.body.id as string}/api-keys`;
    const key = await owner.api.post(path, { name: 'k', scopes: ['items:read'] });
    expect((await asked(under.api.as(key.body.key as string), `/orgs/${oid}/all-crawls`))[0]).toBe(200);
  });

  it('is open once one is set up, and again closed when it is removed', async () => {
    const proved = await stage.withApp(lacking);
    expect((await asked(proved.api))[0]).toBe(200);
    const { access_token: token } = (await proved.api.post('/auth/jwt/refresh')).body as { access_token: string };
    expect((await asked(under.api.as(token)))[0]).toBe(200);
    expect((await proved.api.post(`${FACTOR}/totp/remove`, { password: PASSWORD })).status).toBe(200);
    expect(await asked(proved.api)).toEqual(DEMANDED);
    expect((await owner.api.post(`/orgs/${oid}/second-factor`, { demanded: false })).status).toBe(200);
    expect((await asked(proved.api))[0]).toBe(200);
  });
});

describe('a deployment that wants a second factor of superusers', () => {
  it('takes those without one for normal users, until they have one', async () => {
    const under = await startApp({ env: { SUPERUSERS_NEED_SECOND_FACTOR: 'true', PASSWORD_SECRET: SECRET } });
    try {
      const api = await under.login(ADMIN.email, ADMIN.password);
      const get = async (path: string) => (await api.get(path)).body as unknown;
      const demanded = { detail: 'second_factor_demanded' };
      for (const path of ['/users/emails', '/orgs/slugs', '/system']) expect(await get(path)).toEqual(demanded);
      expect(await get('/users/me')).toMatchObject({ is_superuser: false, orgs: [] });
      expect(await get(FACTOR)).toMatchObject({ demanded: true });
      expect((await api.post('/users/me/api-keys', { name: 'k', scopes: ['items:read'] })).body).toEqual(demanded);
      const stage = new FactorStage(under);
      await stage.withApp({ api, email: ADMIN.email, password: ADMIN.password, id: '' });
      expect((await api.get('/users/emails')).status).toBe(200);
      expect(await get('/users/me')).toMatchObject({ is_superuser: true });
    } finally {
      await under.close();
    }
  });
});

describe('a superuser ends the sessions', () => {
  let under: AppUnderTest;
  let oid: string;
  beforeAll(async () => {
    under = await startApp();
    oid = await under.defaultOrgId();
  });
  afterAll(() => under?.close());

  it('of somebody, or of everybody but their own one', async () => {
    const [one, other] = [await aMember(under, oid, 10), await aMember(under, oid, 40)];
    const admin = await under.admin();
    const elsewhere = await under.login(ADMIN.email, ADMIN.password);
    const statuses = async () =>
      Promise.all([one.api, other.api, elsewhere, admin].map(async (api) => (await api.get('/users/me')).status));
    expect((await other.api.post('/users/end-sessions', { email: one.email })).status).toBe(403);
    expect((await admin.post('/users/end-sessions', { email: one.email })).body).toEqual({ success: true });
    expect(await statuses()).toEqual([401, 200, 200, 200]);
    expect((await admin.post('/users/end-sessions', { email: 'nobody@example.com' })).status).toBe(404);
    expect((await admin.post('/users/end-sessions', {})).status).toBe(404);
    expect((await admin.post('/users/end-sessions', { everybody: true })).body).toEqual({ success: true });
    expect(await statuses()).toEqual([401, 401, 401, 200]);
  });
});
