import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hours, minutes } from '../../../src/common/units/durations.js';
import { Mails } from '../../../src/mail/mails.js';
import { LoginFailuresRepository } from '../../../src/users/data/login-failures.repository.js';
import { UsersRepository } from '../../../src/users/data/users.repository.js';
import { ADMIN, startApp, type AppUnderTest } from '../../support/start-app.js';

let under: AppUnderTest;
beforeAll(async () => {
  under = await startApp({ env: { JWT_TOKEN_LIFETIME_MINUTES: '60' } });
});
afterAll(() => under.close());
beforeEach(async () => {
  await under.connection.collection('logins').deleteMany({});
  await under.connection.collection('login_clients').deleteMany({});
});

const attempt = (username: string, password: string) =>
  under.api.call('POST', '/auth/jwt/login', { form: { username, password, grant_type: 'password' } });

describe('login', () => {
  it('answers a bearer token and the user of GET /users/me, with or without trailing slash', async () => {
    const login = await attempt(ADMIN.email.toUpperCase(), ADMIN.password);
    expect(login.status).toBe(200);
    expect(login.body.token_type).toBe('bearer');
    const me = await under.api.as(login.body.access_token).get('/users/me');
    expect(login.body.user_info).toEqual(me.body);
    expect((await under.api.as(login.body.access_token).get('/users/me/')).body).toEqual(me.body);
    expect(me.body).toMatchObject({ email: ADMIN.email, is_superuser: true });
    expect(me.body.orgs).toEqual([
      { id: await under.defaultOrgId(), name: 'My Organization', slug: 'my-organization', default: true, role: 100 },
    ]);
  });

  it('issues claims that the web client can read', async () => {
    const { body } = await attempt(ADMIN.email, ADMIN.password);
    const [head, payload] = body.access_token.split('.').map((part: string) => Buffer.from(part, 'base64').toString());
    expect(JSON.parse(head)).toEqual({ alg: 'HS256', typ: 'JWT' });
    expect(JSON.parse(payload)).toEqual({
      sub: body.user_info.id,
      aud: 'btrix:auth',
      exp: Math.floor((under.clock.nowMs() + minutes(60)) / 1000),
      // Addition, ADR 0052.
      sid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it('refreshes with a token and ends with its lifetime', async () => {
    const admin = await under.admin();
    const refreshed = await admin.post('/auth/jwt/refresh');
    expect(refreshed.status).toBe(200);
    expect(refreshed.body.user_info.email).toBe(ADMIN.email);
    expect((await admin.get('/auth/jwt/refresh')).status).toBe(405);
    under.clock.advance(minutes(61));
    const late = await admin.get('/users/me');
    expect([late.status, late.body]).toEqual([401, { detail: 'invalid_credentials' }]);
    expect(late.headers.get('www-authenticate')).toBe('Bearer');
  });

  it.each([
    [{ username: 'a@example.com' }, ['body', 'password'], 'missing'],
    [{ username: '', password: 'x' }, ['body', 'username'], 'missing'],
    [
      { username: 'a@example.com', password: 'x', grant_type: 'other' },
      ['body', 'grant_type'],
      'string_pattern_mismatch',
    ],
  ])('refuses the form %j', async (form, loc, type) => {
    const answer = await under.api.call('POST', '/auth/jwt/login', { form: form as unknown as Record<string, string> });
    expect(answer.status).toBe(422);
    expect(answer.body.detail[0]).toMatchObject({ loc, type });
  });

  it('refuses a JSON body', async () => {
    const answer = await under.api.post('/auth/jwt/login', { username: ADMIN.email, password: ADMIN.password });
    expect(answer.status).toBe(422);
  });
});

describe('the lockout', () => {
  const mailFolder = () => join(under.dataDir, 'mail');
  const mails = async () => {
    await under.app.get(Mails).settled();
    return (await readdir(mailFolder()).catch(() => [])).sort();
  };
  beforeEach(async () => {
    await mails();
    await rm(mailFolder(), { recursive: true, force: true });
    await mkdir(mailFolder(), { recursive: true });
  });

  it('answers 400 five times, then 429 with one mail, also to the right password', async () => {
    for (let i = 0; i < 5; i++) {
      const failed = await attempt(ADMIN.email, 'wrong');
      expect([failed.status, failed.body.detail]).toEqual([400, 'login_bad_credentials']);
    }
    for (let i = 0; i < 3; i++) {
      const locked = await attempt(ADMIN.email, ADMIN.password);
      expect([locked.status, locked.body.detail]).toEqual([429, 'too_many_login_attempts']);
      expect(locked.headers.get('retry-after')).toBe('3600');
    }
    const sent = await mails();
    expect(sent).toHaveLength(1);
    expect(await readFile(join(mailFolder(), sent[0] ?? ''), 'utf8')).toContain('/reset-password?token=');
  });

  it('treats an unknown address alike, without a mail', async () => {
    for (let i = 0; i < 5; i++) expect((await attempt('nobody@example.com', 'wrong')).status).toBe(400);
    expect((await attempt('Nobody@example.com', 'wrong')).status).toBe(429);
    expect(await mails()).toHaveLength(0);
  });

  it('ends an hour after the last attempt, which every attempt restarts', async () => {
    for (let i = 0; i < 6; i++) await attempt(ADMIN.email, 'wrong');
    under.clock.advance(hours(1) - 1000);
    expect((await attempt(ADMIN.email, ADMIN.password)).status).toBe(429);
    under.clock.advance(hours(1) - 1000);
    expect((await attempt(ADMIN.email, ADMIN.password)).status).toBe(429);
    under.clock.advance(hours(1));
    expect((await attempt(ADMIN.email, ADMIN.password)).status).toBe(200);
  });

  it('is reset by a success', async () => {
    for (let i = 0; i < 4; i++) await attempt(ADMIN.email, 'wrong');
    expect((await attempt(ADMIN.email, ADMIN.password)).status).toBe(200);
    expect(await under.connection.collection('logins').countDocuments()).toBe(0);
  });

  it('lets no more than five of fifty parallel attempts reach the password', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => attempt('rush@example.com', 'wrong')));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(45);
    const [record] = await under.connection.collection('logins').find({ email: 'rush@example.com' }).toArray();
    expect(record?.['count']).toBe(50);
  });
});

describe('a locked address', () => {
  const SOFT_HYPHEN = '\u00ad';
  const lock = async () => {
    for (let i = 0; i < 6; i++) await attempt(ADMIN.email, 'wrong');
  };

  it.each([
    ['ignored characters before it', SOFT_HYPHEN.repeat(250) + ADMIN.email],
    ['ignored characters of another kind', `\u200b\u0001\ufe0f${ADMIN.email}`],
    ['ignored characters within', ADMIN.email.split('').join(SOFT_HYPHEN)],
    ['letters of another width', ADMIN.email.replace('admin', '\uff41\uff44\uff4d\uff49\uff4e')],
    ['capital letters', ADMIN.email.toUpperCase()],
  ])('stays locked with %s', async (_, spelling) => {
    await lock();
    expect((await attempt(spelling, ADMIN.password)).status).toBe(429);
  });

  it('takes no guesses under longer names than an address can have', async () => {
    const answer = await attempt('\u0301'.repeat(250) + ADMIN.email, ADMIN.password);
    expect([answer.status, answer.body.detail]).toEqual([400, 'login_bad_credentials']);
    expect(await under.connection.collection('logins').countDocuments()).toBe(0);
  });
});

describe('parallel log-ins', () => {
  it('with the right password all succeed', async () => {
    const answers = await Promise.all(Array.from({ length: 24 }, () => attempt(ADMIN.email, ADMIN.password)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await under.connection.collection('logins').countDocuments()).toBe(0);
  });

  it('that end in one moment leave nothing to remember', async () => {
    const attempts = under.app.get(LoginFailuresRepository, { strict: false });
    const now = under.clock.now();
    for (let round = 0; round < 40; round++) {
      const ids = ['one', 'other'];
      for (const id of ids) await attempts.take(ADMIN.email, id, { now, most: 5 });
      await Promise.all(ids.map((id) => attempts.settle(ADMIN.email, id, { end: 'succeeded', now })));
      expect(await under.connection.collection('logins').countDocuments()).toBe(0);
    }
  });

  it('of another process count, and wait for each other', async () => {
    const other = await startApp({ like: under });
    const tryThere = (password: string) =>
      other.api.call('POST', '/auth/jwt/login', { form: { username: ADMIN.email, password } });
    try {
      const right = await Promise.all(
        Array.from({ length: 8 }, () => [attempt(ADMIN.email, ADMIN.password), tryThere(ADMIN.password)]).flat(),
      );
      expect(right.map(({ status }) => status)).toEqual(right.map(() => 200));
      const wrong = await Promise.all(
        Array.from({ length: 8 }, () => [attempt(ADMIN.email, 'wrong'), tryThere('wrong')]).flat(),
      );
      expect(wrong.filter(({ status }) => status === 400)).toHaveLength(5);
      expect(wrong.filter(({ status }) => status === 429)).toHaveLength(11);
    } finally {
      await other.stop();
    }
  });

  it('that are refused for their form take no attempt', async () => {
    for (let i = 0; i < 6; i++)
      expect((await under.api.call('POST', '/auth/jwt/login', { form: { username: ADMIN.email } })).status).toBe(422);
    expect((await attempt(ADMIN.email, ADMIN.password)).status).toBe(200);
  });
});

describe('the limit per client address', () => {
  it('answers 429 with Retry-After, whatever the address tried', async () => {
    const small = await startApp({ like: under, env: { LOGIN_FAILURES_PER_ADDRESS: '3' } });
    const tryOne = (username: string, password: string) =>
      small.api.call('POST', '/auth/jwt/login', { form: { username, password } });
    try {
      for (let i = 0; i < 3; i++) expect((await tryOne(`someone${i}@example.com`, 'wrong')).status).toBe(400);
      under.clock.advance(minutes(10));
      const limited = await tryOne(ADMIN.email, ADMIN.password);
      expect([limited.status, limited.body.detail]).toEqual([429, 'too_many_login_attempts']);
      expect(limited.headers.get('retry-after')).toBe('3000');
      under.clock.advance(minutes(50));
      expect((await tryOne(ADMIN.email, ADMIN.password)).status).toBe(200);
    } finally {
      await small.stop();
    }
  });

  it('takes the network of an IPv6 address for one client', async () => {
    const proxied = await startApp({
      like: under,
      env: { LOGIN_FAILURES_PER_ADDRESS: '3', TRUSTED_PROXY_HOPS: '1' },
    });
    const tryFrom = (address: string) =>
      proxied.api.call('POST', '/auth/jwt/login', {
        form: { username: `of-${address}@example.com`.replaceAll(':', '.'), password: 'wrong' },
        headers: { 'x-forwarded-for': address },
      });
    const statusOf = async (address: string) => (await tryFrom(address)).status;
    try {
      const neighbours = ['2001:db8:1:2::a', '2001:db8:1:2:b::1', '2001:db8:1:2:ffff::c'];
      for (const address of neighbours) expect(await statusOf(address)).toBe(400);
      expect(await statusOf('2001:db8:1:2:d::1')).toBe(429);
      expect(await statusOf('2001:db8:1:3::a')).toBe(400);
      for (const address of ['192.0.2.1', '::ffff:192.0.2.1', '192.0.2.1']) expect(await statusOf(address)).toBe(400);
      expect(await statusOf('::ffff:192.0.2.1')).toBe(429);
      expect(await statusOf('192.0.2.2')).toBe(400);
    } finally {
      await proxied.stop();
    }
  });
});

describe('stored hashes', () => {
  it('of the earlier implementation verify and are renewed', async () => {
    const users = under.app.get(UsersRepository, { strict: false });
    const old = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW';
    await users.insert({
      id: '9b2d9c9e-6d0c-4c8c-8a0b-3c1f3d3f3a11',
      email: 'old@example.com',
      name: 'Old',
      is_superuser: false,
      is_verified: true,
      hashed_password: old,
    });
    expect((await attempt('old@example.com', 'U*U')).status).toBe(200);
    expect((await users.findByEmail('old@example.com'))?.hashed_password).toMatch(/^\$2b\$10\$/);
    expect((await attempt('old@example.com', 'U*U')).status).toBe(200);
  });
});
