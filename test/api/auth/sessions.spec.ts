import { once } from 'node:events';
import { mongo } from 'mongoose';
import { WebSocket } from 'ws';
import { days, hours, minutes } from '../../../src/common/units/durations.js';
import { newId } from '../../../src/common/ids/uuid.js';
import type { ApiClient } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { PASSWORD, tokenMailedTo, type Member } from '../../support/people.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';
import { aToken } from '../../support/tokens.js';

const SECRET = 'the secret of these tests';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0';
const MINE = '/users/me/sessions';

interface Session {
  readonly id: string;
  readonly created: string;
  readonly lastUsed: string;
  readonly expires: string;
  readonly device: string;
  readonly how: string;
  readonly current: boolean;
}

let under: AppUnderTest;
let oid: string;
beforeAll(async () => {
  under = await startApp({ env: { PASSWORD_SECRET: SECRET, JWT_TOKEN_LIFETIME_MINUTES: '60' } });
  oid = await under.defaultOrgId();
});
afterAll(() => under?.close());

const claimsOf = ({ token }: ApiClient): { sid: string; exp: number } =>
  JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString()) as { sid: string; exp: number };
const listed = async (api: ApiClient): Promise<Session[]> => (await api.get<{ items: Session[] }>(MINE)).body.items;
const again = ({ email }: Member): Promise<ApiClient> => under.login(email, PASSWORD);
const statusOf = async (api: ApiClient): Promise<number[]> =>
  Promise.all(['/users/me', `/orgs/${oid}`].map(async (path) => (await api.get(path)).status));
const OPEN = [200, 200];
const ENDED = [401, 401];

/** A member of their own admin's making: the shared one's log-in lasts an hour, and the clock is moved. */
const member = async (): Promise<Member> => {
  const admin = await under.login('admin@example.com', 'PASSW0RD!of-tests');
  const email = `person-${newId()}@example.com`;
  await admin.post(`/orgs/${oid}/add-user`, { email, password: PASSWORD, name: email, role: 20 });
  const api = await under.login(email, PASSWORD);
  return { email, password: PASSWORD, api, id: (await api.get('/users/me')).body.id as string };
};

describe('sessions', () => {
  it('are listed with what logged in, from where and how, and say which one asks', async () => {
    const person = await member();
    const form = { username: person.email, password: PASSWORD };
    const answer = await under.api.call('POST', '/auth/jwt/login', { form, headers: { 'user-agent': FIREFOX } });
    const browser = under.api.as((answer.body as { access_token: string }).access_token);
    const sessions = await listed(browser);
    expect(sessions).toHaveLength(2);
    expect(sessions.find(({ current }) => current)).toEqual({
      ...{ id: claimsOf(browser).sid, device: 'Firefox 131, Linux', how: 'password', factor: null },
      ...{ ip: '127.0.0.1', current: true },
      created: under.clock.now().toISOString().replace('.000', ''),
      lastUsed: under.clock.now().toISOString().replace('.000', ''),
      expires: new Date(under.clock.nowMs() + days(30)).toISOString().replace('.000', ''),
    });
    expect((await listed(person.api)).filter(({ current }) => current).map(({ id }) => id)).toEqual([
      claimsOf(person.api).sid,
    ]);
  });

  it('end one by one: at once, in every process, in the query, on sockets, and for replay', async () => {
    const person = await member();
    const other = await again(person);
    const second = await startApp({ like: under, env: { PASSWORD_SECRET: SECRET } });
    try {
      expect((await second.api.as(other.token).get('/users/me')).status).toBe(200);
      const scope = { oid, kind: 'collection', id: newId() };
      const replay = (await other.post<{ token: string }>('/auth/jwt/replay', scope)).body.token;
      const replayed = () => under.api.as(replay).get(`/orgs/${oid}/collections/${scope.id}/replay.json`);
      expect((await replayed()).status).toBe(404);
      expect((await person.api.delete(`${MINE}/${claimsOf(other).sid}`)).body).toEqual({ success: true });
      expect(await statusOf(other)).toEqual(ENDED);
      expect((await second.api.as(other.token).get('/users/me')).status).toBe(401);
      expect((await under.api.get('/users/me', { auth_bearer: other.token ?? '' })).status).toBe(401);
      expect((await other.post('/auth/jwt/refresh')).status).toBe(401);
      expect((await replayed()).status).toBe(401);
      const url = `${under.baseUrl.replace('http', 'ws')}/watch/${oid}/none/0/ws?auth_bearer=${other.token ?? ''}`;
      const socket = new WebSocket(url);
      socket.on('error', () => undefined);
      const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
      socket.terminate();
      expect(response.statusCode).toBe(401);
    } finally {
      await second.stop();
    }
    expect(await statusOf(person.api)).toEqual(OPEN);
    expect((await person.api.delete(`${MINE}/${claimsOf(other).sid}`)).body).toEqual({ detail: 'session_not_found' });
  });

  it('of others are as unknown as those that never were', async () => {
    const [person, stranger] = [await member(), await member()];
    const unknown = await person.api.delete(`${MINE}/${newId()}`);
    const theirs = await person.api.delete(`${MINE}/${claimsOf(stranger.api).sid}`);
    expect([unknown.status, theirs.status]).toEqual([404, 404]);
    expect(theirs.body).toEqual(unknown.body);
    expect((await person.api.delete(`${MINE}/none`)).status).toBe(422);
    expect(await statusOf(stranger.api)).toEqual(OPEN);
  });

  it('end all but the one that asks', async () => {
    const person = await member();
    const others = await Promise.all([again(person), again(person)]);
    expect((await person.api.post(`${MINE}/end-others`)).body).toEqual({ success: true });
    for (const other of others) expect(await statusOf(other)).toEqual(ENDED);
    expect(await listed(person.api)).toHaveLength(1);
  });

  it('end with the log-out, which succeeds again, without a token, and for tokens of none', async () => {
    const person = await member();
    const renewed = under.api.as(
      (await person.api.post<{ access_token: string }>('/auth/jwt/refresh')).body.access_token,
    );
    const old = aToken({ user_id: person.id, aud: 'fastapi-users:auth' }, { secret: SECRET });
    for (const api of [person.api, person.api, under.api, under.api.as(old), under.api.as('none')])
      expect((await api.post('/auth/jwt/logout')).body).toEqual({ success: true });
    expect(await statusOf(person.api)).toEqual(ENDED);
    expect(await statusOf(renewed)).toEqual(ENDED);
    // It names no session, so there is nothing by which to end it (accounts §2.1).
    expect(await statusOf(under.api.as(old))).toEqual(OPEN);
  });

  it('go on with renewed tokens, the former one beside the new, and are over after thirty days', async () => {
    const person = await member();
    let api = person.api;
    const began = under.clock.now();
    const renewed = await Promise.all(
      Array.from({ length: 50 }, () => api.post<{ access_token: string }>('/auth/jwt/refresh')),
    );
    expect(new Set(renewed.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await statusOf(api)).toEqual(OPEN);
    expect(await listed(api)).toHaveLength(1);
    try {
      while (under.clock.nowMs() < began.getTime() + days(30) - hours(1)) {
        under.clock.advance(minutes(59));
        const answer = await api.post<{ access_token: string }>('/auth/jwt/refresh');
        expect(answer.status).toBe(200);
        api = under.api.as(answer.body.access_token);
      }
      expect(claimsOf(api).exp * 1000).toBeLessThanOrEqual(began.getTime() + days(30));
      expect(claimsOf(api).sid).toBe(claimsOf(person.api).sid);
      under.clock.set(new Date(began.getTime() + days(30)));
      expect(await statusOf(api)).toEqual(ENDED);
      expect((await api.post('/auth/jwt/refresh')).status).toBe(401);
    } finally {
      under.clock.set(began);
    }
  }, 120_000);

  it('that end while their tokens are renewed leave no token that opens anything', async () => {
    const person = await member();
    const other = await again(person);
    const [, ...renewed] = await Promise.all([
      person.api.delete(`${MINE}/${claimsOf(other).sid}`),
      ...Array.from({ length: 20 }, () => other.post<{ access_token?: string }>('/auth/jwt/refresh')),
    ]);
    for (const { status, body } of renewed) {
      expect([200, 401]).toContain(status);
      if (body.access_token) expect(await statusOf(under.api.as(body.access_token))).toEqual(ENDED);
    }
  });

  it('other than the caller’s end with a change of the password, and all of them with a reset', async () => {
    const person = await member();
    const other = await again(person);
    const change = { email: person.email, password: PASSWORD, newPassword: 'another correct horse' };
    expect((await person.api.put('/users/me/password-change', change)).status).toBe(200);
    expect(await statusOf(person.api)).toEqual(OPEN);
    expect(await statusOf(other)).toEqual(ENDED);
    await under.api.post('/auth/forgot-password', { email: person.email });
    const token = await tokenMailedTo(under, person.email);
    expect((await under.api.post('/auth/reset-password', { token, password: PASSWORD })).status).toBe(200);
    expect(await statusOf(person.api)).toEqual(ENDED);
    expect(await statusOf(await again(person))).toEqual(OPEN);
  });

  it('have the rights of the role that the person has at that moment', async () => {
    const person = await member();
    const workflow = { name: 'w', config: { seeds: [{ url: 'https://example.com/' }] } };
    const make = async () => (await person.api.post(`/orgs/${oid}/crawlconfigs/`, workflow)).status;
    expect(await make()).toBe(200);
    const admin = await under.login('admin@example.com', 'PASSW0RD!of-tests');
    await admin.patch(`/orgs/${oid}/user-role`, { email: person.email, role: 10 });
    expect(await make()).toBe(403);
  });

  it('remember when they were used last, to five minutes', async () => {
    const person = await member();
    const began = under.clock.now();
    try {
      under.clock.advance(minutes(6));
      await person.api.get('/users/me');
      await eventually(async () => {
        const [session] = await listed(person.api);
        expect(Date.parse(session?.lastUsed ?? '')).toBe(under.clock.nowMs());
      });
    } finally {
      under.clock.set(began);
    }
  });

  it('of an account are bounded: the one that was not used for longest gives way', async () => {
    const person = await member();
    const began = under.clock.now();
    under.clock.advance(minutes(1));
    try {
      const users = under.connection.collection<{ email: string; sessions: Record<string, unknown>[] }>('users');
      const [first] = (await users.findOne({ email: person.email }))?.sessions ?? [];
      const more = Array.from({ length: 199 }, (_, n) => ({
        ...first,
        ...{ sid: new mongo.UUID(), device: `tool/${String(n)}`, lastUsed: under.clock.now() },
      }));
      await users.updateOne({ email: person.email }, { $push: { sessions: { $each: more } } });
      const latest = await again(person);
      expect(await listed(latest)).toHaveLength(200);
      expect(await statusOf(person.api)).toEqual(ENDED);
      expect(await statusOf(latest)).toEqual(OPEN);
    } finally {
      under.clock.set(began);
    }
  });

  it('are no part of the account that others see, and keys have none', async () => {
    const person = await member();
    const me = await person.api.get('/users/me');
    expect(JSON.stringify(me.body)).not.toContain(claimsOf(person.api).sid);
    const admin = await under.login('admin@example.com', 'PASSW0RD!of-tests');
    const org = await admin.get(`/orgs/${oid}`);
    expect(JSON.stringify(org.body)).not.toContain(claimsOf(person.api).sid);
    const key = { name: 'k', scopes: ['items:read'], expiresAt: null, addresses: [] };
    const made = await person.api.post<{ key: string }>('/users/me/api-keys', key);
    expect((await under.api.as(made.body.key).get(MINE)).status).toBe(403);
  });
});
