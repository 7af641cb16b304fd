import { createHash } from 'node:crypto';
import { hours, minutes } from '../../../src/common/units/durations.js';
import { UsersRepository } from '../../../src/users/data/users.repository.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';
import { aMember, anEmail, PASSWORD, sentMails, forgetMails, tokenMailedTo } from '../../support/people.js';
import { aToken } from '../../support/tokens.js';

const SECRET = 'the secret of these tests';
let under: AppUnderTest;
let oid: string;

beforeAll(async () => {
  under = await startApp({
    env: { PASSWORD_SECRET: SECRET, APP_ORIGIN: 'https://app.example.org', JWT_TOKEN_LIFETIME_MINUTES: '1440' },
  });
  oid = await under.defaultOrgId();
});
afterAll(() => under.close());

const failing = (answer: { status: number; body: { detail: unknown } }) => [answer.status, answer.body.detail];
const loginStatus = async (username: string, password: string) =>
  (await under.api.call('POST', '/auth/jwt/login', { form: { username, password } })).status;
const later = () => Math.floor((under.clock.nowMs() + hours(1)) / 1000);
const reset = (token: string, password: string) => under.api.post('/auth/reset-password', { token, password });

describe('a forgotten password', () => {
  it('is answered alike for known and unknown addresses, and mails the known one', async () => {
    const { email } = await aMember(under, oid, 10);
    await forgetMails(under);
    const [known, unknown] = [
      await under.api.post('/auth/forgot-password', { email }),
      await under.api.post('/auth/forgot-password', { email: anEmail('nobody') }),
    ];
    expect([known.status, known.body]).toEqual([202, { success: true }]);
    expect([unknown.status, unknown.body]).toEqual([202, { success: true }]);
    const mails = await sentMails(under);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toContain('https://app.example.org/reset-password?token=');
    expect((await under.api.post('/auth/forgot-password', { email: 'nonsense' })).status).toBe(422);
  });

  it('does not send its link where a forged header says', async () => {
    const { email } = await aMember(under, oid, 10);
    await forgetMails(under);
    const headers = { 'x-forwarded-proto': 'https', host: 'evil.example' };
    await under.api.post('/auth/forgot-password', { email }, { headers });
    expect((await sentMails(under)).join()).toContain('https://app.example.org/reset-password');
  });

  it('is replaced once by the token, which ends the lockout', async () => {
    const { email } = await aMember(under, oid, 10);
    for (let i = 0; i < 6; i++) await loginStatus(email, 'wrong');
    expect(await loginStatus(email, PASSWORD)).toBe(429);
    const token = await tokenMailedTo(under, email);
    expect(failing(await reset(token, 'short'))).toEqual([400, 'invalid_password']);
    expect((await reset(token, 'another password')).body).toEqual({ success: true });
    expect(await loginStatus(email, 'another password')).toBe(200);
    expect(failing(await reset(token, 'third password'))).toEqual([400, 'reset_password_bad_token']);
  });

  it('cannot be replaced by a token from before a password change', async () => {
    const member = await aMember(under, oid, 10);
    await under.api.post('/auth/forgot-password', { email: member.email });
    const token = await tokenMailedTo(under, member.email);
    await member.api.put('/users/me/change-password', { password: PASSWORD, newPassword: 'changed meanwhile' });
    expect(failing(await reset(token, 'another password'))).toEqual([400, 'reset_password_bad_token']);
  });

  it('is replaced once by two uses at the same moment', async () => {
    const member = await aMember(under, oid, 10);
    await under.api.post('/auth/forgot-password', { email: member.email });
    const token = await tokenMailedTo(under, member.email);
    const answers = await Promise.all(['first password', 'second password'].map((next) => reset(token, next)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('takes tokens of the earlier implementation, and no other kind', async () => {
    const { id, email } = await aMember(under, oid, 10);
    const claims = { user_id: id, aud: 'fastapi-users:reset', exp: later() };
    expect((await reset(aToken(claims, { secret: SECRET }), 'another password')).status).toBe(200);
    expect(await loginStatus(email, 'another password')).toBe(200);
    for (const wrong of [
      { ...claims, aud: 'btrix:auth' },
      { ...claims, aud: 'btrix:verify' },
      { ...claims, exp: later() - 7200 },
      { ...claims, user_id: 'no-uuid' },
      { aud: 'btrix:reset', exp: later() },
    ])
      expect(failing(await reset(aToken(wrong, { secret: SECRET }), 'x'.repeat(10)))).toEqual([
        400,
        'reset_password_bad_token',
      ]);
    const ofNobody = { ...claims, user_id: '00000000-0000-4000-8000-000000000000' };
    expect((await reset(aToken(ofNobody, { secret: SECRET }), 'another password')).body).toEqual({ success: true });
  });

  it('cannot be replaced an hour later', async () => {
    const { email } = await aMember(under, oid, 10);
    await under.api.post('/auth/forgot-password', { email });
    const token = await tokenMailedTo(under, email);
    under.clock.advance(minutes(61));
    expect(failing(await reset(token, 'another password'))).toEqual([400, 'reset_password_bad_token']);
  });
});

describe('changing the password', () => {
  it.each(['password-change', 'change-password'])('by PUT %s needs the current one', async (path) => {
    const member = await aMember(under, oid, 10);
    const change = (body: object) => member.api.put(`/users/me/${path}`, { email: member.email, ...body });
    expect(failing(await change({ password: 'wrong', newPassword: 'x' }))).toEqual([400, 'invalid_current_password']);
    expect(failing(await change({ password: PASSWORD, newPassword: 'x' }))).toEqual([400, 'invalid_password']);
    expect((await change({ password: PASSWORD, newPassword: 'a new password' })).body).toEqual({ updated: true });
    expect(await loginStatus(member.email, 'a new password')).toBe(200);
    expect((await member.api.get('/users/me')).status).toBe(200);
  });

  it('needs the address on the older path only', async () => {
    const member = await aMember(under, oid, 10);
    const body = { password: PASSWORD, newPassword: 'a new password' };
    const missing = await member.api.put('/users/me/password-change', body);
    expect(missing.status).toBe(422);
    expect(missing.body.detail[0]).toMatchObject({ type: 'missing', loc: ['body', 'email'] });
    expect((await member.api.put('/users/me/change-password', body)).status).toBe(200);
  });
});

describe('verification', () => {
  const users = () => under.app.get(UsersRepository, { strict: false });

  it('marks the address by the mailed token, once', async () => {
    const { id, email, api } = await aMember(under, oid, 10);
    await users().update(id, { is_verified: false });
    expect((await under.api.post('/auth/request-verify-token', { email })).status).toBe(202);
    const token = await tokenMailedTo(under, email);
    expect((await under.api.post('/auth/verify', { token })).body).toEqual({ success: true });
    expect((await api.get('/users/me')).body.is_verified).toBe(true);
    expect(failing(await under.api.post('/auth/verify', { token }))).toEqual([400, 'verify_user_already_verified']);
    expect(failing(await under.api.post('/auth/request-verify-token', { email }))).toEqual([
      400,
      'verify_user_already_verified',
    ]);
  });

  it('says nothing about unknown addresses', async () => {
    const answer = await under.api.post('/auth/request-verify-token', { email: anEmail('nobody') });
    expect([answer.status, answer.body]).toEqual([202, { success: true }]);
  });

  it('refuses tokens of an earlier address, of somebody else, and of other kinds', async () => {
    const { id, email } = await aMember(under, oid, 10);
    await users().update(id, { is_verified: false });
    const good = { user_id: id, email, aud: 'btrix:verify', exp: later() };
    for (const wrong of [
      { ...good, email: 'old@example.com' },
      { ...good, user_id: '00000000-0000-4000-8000-000000000000' },
      { ...good, aud: 'btrix:auth' },
      { ...good, exp: later() - 7200 },
    ])
      expect(failing(await under.api.post('/auth/verify', { token: aToken(wrong, { secret: SECRET }) }))).toEqual([
        400,
        'verify_user_bad_token',
      ]);
    expect((await under.api.post('/auth/verify', {})).status).toBe(422);
  });
});

describe('stored passwords', () => {
  it('of an unknown format are wrong passwords, and long ones are cut at 72 bytes', async () => {
    const { id, email } = await aMember(under, oid, 10);
    const users = under.app.get(UsersRepository, { strict: false });
    await users.setPassword(id, createHash('md5').update(PASSWORD).digest('hex'));
    expect(await loginStatus(email, PASSWORD)).toBe(400);
    expect(await loginStatus(email, 'ü'.repeat(500))).toBe(400);
  });
});
