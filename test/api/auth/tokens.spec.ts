import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { hours } from '../../../src/common/units/durations.js';
import { UsersRepository } from '../../../src/users/data/users.repository.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';
import { aMember, tokenMailedTo, type Member } from '../../support/people.js';
import { aToken } from '../../support/tokens.js';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PUBLIC_PEM = publicKey.export({ type: 'spki', format: 'pem' }).toString();

/** Signed by the key of someone who offers its public half in the header. */
function anRsaToken(claims: Record<string, unknown>): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const unsigned = `${part({ alg: 'RS256', typ: 'JWT', jwk: publicKey.export({ format: 'jwk' }) })}.${part(claims)}`;
  return `${unsigned}.${sign('sha256', Buffer.from(unsigned), privateKey).toString('base64url')}`;
}

const SECRET = 'the secret of these tests';
let under: AppUnderTest;
let oid: string;
let member: Member;

beforeAll(async () => {
  under = await startApp({ env: { PASSWORD_SECRET: SECRET } });
  oid = await under.defaultOrgId();
  member = await aMember(under, oid, 20);
});
afterAll(() => under.close());

const later = () => Math.floor((under.clock.nowMs() + hours(1)) / 1000);
/** On a route of nobody's, and on one of an org, whose caller is read together with it. */
const answersTo = async (token: string) => {
  const api = under.api.as(token);
  return (await Promise.all(['/users/me', `/orgs/${oid}`].map((path) => api.get(path)))).map(({ status, body }) => ({
    status,
    body,
  }));
};
const statusesWith = async (token: string) => (await answersTo(token)).map(({ status }) => status);
const claims = () => ({ sub: member.id, aud: 'btrix:auth', exp: later() });

describe('a login token is accepted', () => {
  it.each([
    ['of ours', () => claims()],
    ['of the earlier implementation', () => ({ user_id: member.id, aud: 'fastapi-users:auth', exp: later() })],
    ['with several audiences', () => ({ ...claims(), aud: ['other', 'fastapi-users:auth'] })],
    ['without an end', () => ({ sub: member.id, aud: 'btrix:auth' })],
  ])('%s', async (_, make) => {
    expect(await statusesWith(aToken(make(), { secret: SECRET }))).toEqual([200, 200]);
  });

  it('in the query and in a header of any case', async () => {
    const token = aToken(claims(), { secret: SECRET });
    expect((await under.api.get('/users/me', { auth_bearer: token })).status).toBe(200);
    const header = { headers: { authorization: `bEARER ${token}` } };
    expect((await under.api.call('GET', '/users/me', header)).status).toBe(200);
  });
});

describe('a login token is refused', () => {
  it.each([
    ['unsigned', () => aToken(claims(), { secret: SECRET, alg: 'none' })],
    ['of another algorithm', () => aToken(claims(), { secret: SECRET, alg: 'RS256' })],
    ['signed with a key of the sender’s own', () => anRsaToken(claims())],
    ['signed with that public key as if it were the secret', () => aToken(claims(), { secret: PUBLIC_PEM })],
    ['signed with nothing', () => aToken(claims(), { secret: '' })],
    ['unsigned, in another spelling', () => aToken(claims(), { secret: SECRET, alg: 'None' })],
    ['whose signature is cut off', () => aToken(claims(), { secret: SECRET }).replace(/[^.]+$/, '')],
    ['of a verification', () => aToken({ ...claims(), aud: 'btrix:verify', user_id: member.id }, { secret: SECRET })],
    ['signed as HS512 by name only', () => aToken(claims(), { secret: SECRET, alg: 'HS512' })],
    ['of another secret', () => aToken(claims(), { secret: 'other' })],
    ['of another audience', () => aToken({ ...claims(), aud: 'btrix:reset' }, { secret: SECRET })],
    ['of the internal audience', () => aToken({ ...claims(), aud: 'btrix:custom-auth' }, { secret: SECRET })],
    ['without an audience', () => aToken({ sub: member.id, exp: later() }, { secret: SECRET })],
    ['that has ended', () => aToken({ ...claims(), exp: later() - 7200 }, { secret: SECRET })],
    ['whose end is no moment', () => aToken({ ...claims(), exp: 'never' }, { secret: SECRET })],
    ['whose end is nothing', () => aToken({ ...claims(), exp: null }, { secret: SECRET })],
    ['of nobody', () => aToken({ ...claims(), sub: '00000000-0000-4000-8000-000000000000' }, { secret: SECRET })],
    ['of no id', () => aToken({ ...claims(), sub: 'admin' }, { secret: SECRET })],
    ['of an object', () => aToken({ ...claims(), sub: { $ne: null } }, { secret: SECRET })],
    ['that is none', () => 'not.a.token'],
  ])('%s', async (_, make) => {
    const refusal = { status: 401, body: { detail: 'invalid_credentials' } };
    expect(await answersTo(make())).toEqual([refusal, refusal]);
  });

  it('once its user is gone', async () => {
    const gone = await aMember(under, oid, 10);
    await under.app.get(UsersRepository, { strict: false }).deleteNormal([gone.id]);
    expect((await gone.api.get('/users/me')).status).toBe(401);
    expect((await gone.api.get(`/orgs/${oid}`)).status).toBe(401);
    expect((await gone.api.get('/orgs/00000000-0000-4000-8000-000000000000')).status).toBe(401);
  });

  it('when it is somebody else’s reset token, whoever shows it and wherever', async () => {
    const other = await aMember(under, oid, 10);
    await under.api.post('/auth/forgot-password', { email: other.email });
    const token = await tokenMailedTo(under, other.email);
    expect(await statusesWith(token)).toEqual([401, 401]);
    expect((await under.api.get('/users/me', { auth_bearer: token })).status).toBe(401);
    expect((await under.api.as(token).post('/auth/jwt/refresh')).status).toBe(401);
    expect((await under.api.post('/auth/verify', { token })).body).toEqual({ detail: 'verify_user_bad_token' });
  });

  it('when it is the reset token of a mail', async () => {
    await under.api.post('/auth/forgot-password', { email: member.email });
    expect(await statusesWith(await tokenMailedTo(under, member.email))).toEqual([401, 401]);
  });

  it('without any header, and with another scheme', async () => {
    expect((await under.api.get('/users/me')).status).toBe(401);
    const basic = { headers: { authorization: 'Basic YTpi' } };
    expect((await under.api.call('GET', '/users/me', basic)).status).toBe(401);
  });
});

it('opens a socket as it opens a route', async () => {
  const url = `${under.baseUrl.replace('http', 'ws')}/watch/${oid}/no-such-crawl/0/ws`;
  const answerTo = async (token: string) => {
    const socket = new WebSocket(`${url}?auth_bearer=${token}`);
    socket.on('error', () => undefined);
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
    socket.terminate();
    return response.statusCode;
  };
  const legacy = { user_id: member.id, aud: 'fastapi-users:auth', exp: later() };
  for (const good of [claims(), legacy]) expect(await answerTo(aToken(good, { secret: SECRET }))).toBe(404);
  for (const bad of [
    { ...claims(), exp: later() - 7200 },
    { ...claims(), aud: 'btrix:reset' },
    { ...claims(), aud: 'muniment:replay' },
  ])
    expect(await answerTo(aToken(bad, { secret: SECRET }))).toBe(401);
});

it('is judged by the app that it was shown to, of several in a process, and after another has ended', async () => {
  const other = await startApp({ env: { PASSWORD_SECRET: 'the secret of another' } });
  try {
    expect(await statusesWith(aToken(claims(), { secret: SECRET }))).toEqual([200, 200]);
    expect((await other.api.as(aToken(claims(), { secret: SECRET })).get('/users/me')).status).toBe(401);
    expect((await (await other.admin()).get('/users/me')).status).toBe(200);
  } finally {
    await other.close();
  }
  expect(await statusesWith(aToken(claims(), { secret: SECRET }))).toEqual([200, 200]);
});
