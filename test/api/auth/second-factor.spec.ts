import { hours, minutes } from '../../../src/common/units/durations.js';
import { FACTOR, FactorStage, type Proved } from '../../support/factor-stage.js';
import { aMember, forgetMails, PASSWORD, sentMails, tokenMailedTo, type Member } from '../../support/people.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';
import { aToken } from '../../support/tokens.js';

const SECRET = 'the secret of these tests';
const WRONG = { detail: 'second_factor_wrong' };

describe('a second factor', () => {
  let under: AppUnderTest;
  let stage: FactorStage;
  let oid: string;

  beforeAll(async () => {
    under = await startApp({ env: { PASSWORD_SECRET: SECRET, LOGIN_FAILURES_PER_ADDRESS: '0' } });
    stage = new FactorStage(under);
    oid = await under.defaultOrgId();
  });
  afterAll(() => under?.close());

  const member = (): Promise<Member> => aMember(under, oid, 20);
  const mailTo = async (email: string): Promise<string> =>
    (await sentMails(under)).findLast((text) => text.includes(`To: ${email}`)) ?? '';
  const isIn = async (answer: { status: number; body: unknown }): Promise<boolean> =>
    answer.status === 200 && (await stage.client(answer as never).get('/users/me')).status === 200;

  describe('is set up', () => {
    it('by whoever shows again who they are, is confirmed by a code, and gives ten recovery codes once', async () => {
      const person = await member();
      const elsewhere = await under.login(person.email, PASSWORD);
      expect((await person.api.get(FACTOR)).body).toEqual({
        ...{ totp: null, passkeys: [], recoveryCodesLeft: 0, proved: false, demanded: false },
        passkeysAt: under.baseUrl.replace('127.0.0.1', 'localhost'),
      });
      const without = await person.api.post(`${FACTOR}/totp/begin`, {});
      expect([without.status, without.body]).toEqual([400, { detail: 'fresh_proof_needed' }]);
      const wrong = await person.api.post(`${FACTOR}/totp/begin`, { password: 'wrong' });
      expect([wrong.status, wrong.body]).toEqual([400, { detail: 'invalid_current_password' }]);
      const { body: begun } = await person.api.post(`${FACTOR}/totp/begin`, { password: PASSWORD });
      expect(begun.secret).toMatch(/^[A-Z2-7]{32}$/);
      expect(begun.uri).toContain(`secret=${begun.secret as string}`);
      // Nothing is stored before a code has shown that the app has the secret.
      expect((await person.api.get(FACTOR)).body.totp).toBeNull();
      const mistyped = await person.api.post(`${FACTOR}/totp`, { setup: begun.setup, code: '000000' });
      expect([mistyped.status, mistyped.body]).toEqual([400, WRONG]);
      const code = stage.code(begun.secret as string);
      const ended = await person.api.post(`${FACTOR}/totp`, { setup: begun.setup, code });
      expect(ended.body.recoveryCodes).toHaveLength(10);
      expect(new Set(ended.body.recoveryCodes).size).toBe(10);
      expect(await mailTo(person.email)).toContain('An authenticator app was added');

      const shown = await person.api.get(FACTOR);
      expect(shown.body).toMatchObject({ recoveryCodesLeft: 10, proved: true, totp: { lastUsed: null } });
      const stored = JSON.stringify(await under.connection.collection('users').findOne({ email: person.email }));
      for (const secret of [begun.secret, ...ended.body.recoveryCodes] as string[]) {
        expect(stored).not.toContain(secret);
        expect(JSON.stringify(shown.body)).not.toContain(secret);
      }
      // What was let in without it is out.
      expect((await elsewhere.get('/users/me')).status).toBe(401);
      expect((await person.api.post(`${FACTOR}/totp/begin`, { password: PASSWORD })).body).toEqual({
        detail: 'second_factor_exists',
      });
      expect((await person.api.post(`${FACTOR}/totp`, { setup: begun.setup, code })).body).toEqual({
        detail: 'second_factor_exists',
      });
    });

    it('in another process than began it, and by nobody else, nowhere else, and not after a new password', async () => {
      const [person, other] = [await member(), await member()];
      const begin = async () =>
        (await person.api.post(`${FACTOR}/totp/begin`, { password: PASSWORD })).body as Record<string, string>;
      const { setup, secret } = await begin();
      const end = (api = person.api) => api.post(`${FACTOR}/totp`, { setup, code: stage.code(secret ?? '') });
      expect((await end(other.api)).body).toEqual({ detail: 'second_step_expired' });
      expect((await end(await under.login(person.email, PASSWORD))).body).toEqual({ detail: 'second_step_expired' });
      const second = await startApp({ like: under, env: { PASSWORD_SECRET: SECRET } });
      try {
        expect((await end(second.api.as(person.api.token))).status).toBe(200);
      } finally {
        await second.stop();
      }
      const { setup: late } = (await other.api.post(`${FACTOR}/passkeys/begin`, { password: PASSWORD })).body;
      await other.api.put('/users/me/password-change', {
        ...{ email: other.email, password: PASSWORD, newPassword: 'another correct horse' },
      });
      const refused = await other.api.post(`${FACTOR}/passkeys`, { setup: late, passkey: {}, name: 'x' });
      expect(refused.body).toEqual({ detail: 'second_step_expired' });
    });

    it('once, of six that are confirmed at the same time', async () => {
      const person = await member();
      const begun = await Promise.all(
        Array.from({ length: 6 }, () => person.api.post(`${FACTOR}/totp/begin`, { password: PASSWORD })),
      );
      const ended = await Promise.all(
        begun.map(({ body }) =>
          person.api.post(`${FACTOR}/totp`, { setup: body.setup, code: stage.code(body.secret as string) }),
        ),
      );
      expect(ended.filter(({ status }) => status === 200)).toHaveLength(1);
      const secret = begun[ended.findIndex(({ status }) => status === 200)]?.body.secret as string;
      stage.pass();
      expect(await isIn(await stage.password(person, stage.code(secret)))).toBe(true);
    });
  });

  describe('is asked for', () => {
    let person: Proved;
    beforeAll(async () => {
      person = await stage.aProved(oid);
    });
    beforeEach(() => stage.pass(4));

    it('of nobody who has none: the log-in is what it was', async () => {
      const answer = await stage.password(await member());
      expect(Object.keys(answer.body as object)).toEqual(['access_token', 'token_type', 'user_info']);
      const withCode = await stage.password(await member(), '123456');
      expect(withCode.status).toBe(200);
    });

    it('after the right password alone, with a token that is good for the second step', async () => {
      const first = await stage.password(person);
      expect(first).toMatchObject({
        status: 401,
        body: { detail: 'second_factor_required', methods: ['totp', 'recovery'], passkey: null },
      });
      expect(first.headers.get('cache-control')).toBe('no-store');
      const done = await stage.second(first.body.challenge as string, { code: stage.code(person.secret) });
      expect(done).toMatchObject({ status: 200, body: { token_type: 'bearer', user_info: { email: person.email } } });
      const { items } = (await stage.client(done).get('/users/me/sessions')).body as { items: { current: boolean }[] };
      expect(items.find(({ current }) => current)).toMatchObject({ how: 'password', factor: 'totp' });
      expect((await stage.password({ ...person, password: 'wrong' }, stage.code(person.secret, 1))).body).toEqual({
        detail: 'login_bad_credentials',
      });
    });

    it('and may come with the password', async () => {
      expect(await isIn(await stage.password(person, stage.code(person.secret)))).toBe(true);
      stage.pass();
      expect((await stage.password(person, '000000')).body).toEqual(WRONG);
      expect(await isIn(await stage.password(person, ` ${stage.code(person.secret).replace(/(...)/, '$1 ')}`))).toBe(
        true,
      );
    });

    it('and is good once, in two processes as well, and half a minute before and after', async () => {
      const code = stage.code(person.secret);
      const second = await startApp({ like: under, env: { PASSWORD_SECRET: SECRET, LOGIN_FAILURES_PER_ADDRESS: '0' } });
      try {
        const challenges = await Promise.all([stage.challenge(person), stage.challenge(person)]);
        const answers = await Promise.all([
          stage.second(challenges[0] ?? '', { code }),
          second.api.post('/auth/jwt/second-step', { challenge: challenges[1], code }),
        ]);
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
      } finally {
        await second.stop();
      }
      expect((await stage.second(await stage.challenge(person), { code })).body).toEqual(WRONG);
      stage.pass(3);
      for (const [steps, status] of [
        [-2, 400],
        [2, 400],
        [-1, 200],
        [0, 200],
        [1, 200],
        [0, 400],
      ] as const)
        expect([steps, (await stage.password(person, stage.code(person.secret, steps))).status]).toEqual([
          steps,
          status,
        ]);
    });

    it('and a recovery code is taken once instead, however it is typed', async () => {
      const [one = '', other = ''] = person.recovery;
      expect(await isIn(await stage.password(person, one.toUpperCase().replaceAll('-', ' ')))).toBe(true);
      expect(await mailTo(person.email)).toContain('Codes left: 9');
      expect((await stage.password(person, one)).body).toEqual(WRONG);
      const twice = await Promise.all([stage.password(person, other), stage.password(person, other)]);
      expect(twice.map(({ status }) => status).sort()).toEqual([200, 400]);
      const api = stage.client(twice.find(({ status }) => status === 200) as never);
      const renewed = await api.post(`${FACTOR}/recovery-codes`, { password: PASSWORD });
      expect(renewed.body.recoveryCodes).toHaveLength(10);
      expect((await stage.password(person, person.recovery[2])).body).toEqual(WRONG);
    });

    it('and the challenge is over after five minutes, with a new password, and with the factor', async () => {
      const late = await stage.challenge(person);
      under.clock.advance(minutes(5));
      const expired = { detail: 'second_step_expired' };
      expect((await stage.second(late, { code: stage.code(person.secret) })).body).toEqual(expired);
      const api = stage.client(await stage.password(person, stage.code(person.secret)));
      const changed = await stage.challenge(person);
      const next = { email: person.email, password: PASSWORD, newPassword: 'another correct horse' };
      expect((await api.put('/users/me/password-change', next)).status).toBe(200);
      stage.pass();
      expect((await stage.second(changed, { code: stage.code(person.secret) })).body).toEqual(expired);
      const back = { email: person.email, password: next.newPassword, newPassword: PASSWORD };
      expect((await api.put('/users/me/password-change', back)).status).toBe(200);
    });

    it('at HTTP Basic by refusing the password', async () => {
      const basic = (password: string) => {
        const authorization = `Basic ${Buffer.from(`${person.email}:${password}`).toString('base64')}`;
        return under.api.call('GET', '/wasapi/v1/webdata', { headers: { authorization } });
      };
      const answer = await basic(PASSWORD);
      expect([answer.status, answer.body]).toEqual([401, { detail: 'api_key_needed' }]);
      expect((await basic('wrong')).body).toEqual({ detail: 'invalid_credentials' });
    });

    it('after a reset of the password as before', async () => {
      await under.api.post('/auth/forgot-password', { email: person.email });
      const token = await tokenMailedTo(under, person.email);
      expect((await under.api.post('/auth/reset-password', { token, password: PASSWORD })).status).toBe(200);
      expect((await stage.password(person)).body.detail).toBe('second_factor_required');
    });
  });

  describe('locks', () => {
    it('after five wrong codes of fifty at the same time, in two processes, whatever the password', async () => {
      const person = await stage.aProved(oid);
      const challenge = await stage.challenge(person);
      await forgetMails(under);
      const second = await startApp({ like: under, env: { PASSWORD_SECRET: SECRET, LOGIN_FAILURES_PER_ADDRESS: '0' } });
      try {
        const answers = await Promise.all(
          Array.from({ length: 50 }, (_, n) =>
            (n % 2 ? under : second).api.post('/auth/jwt/second-step', { challenge, code: '000000' }),
          ),
        );
        expect(answers.filter(({ status }) => status === 400)).toHaveLength(5);
        expect(answers.filter(({ status }) => status === 429)).toHaveLength(45);
      } finally {
        await second.stop();
      }
      expect(await mailTo(person.email)).toContain('Somebody who knows your password');
      // Neither the right code, nor the password, nor a new one opens it.
      const right = () => stage.password(person, stage.code(person.secret));
      expect((await right()).status).toBe(429);
      expect((await stage.password(person)).body.detail).toBe('second_factor_required');
      await under.api.post('/auth/forgot-password', { email: person.email });
      const token = await tokenMailedTo(under, person.email);
      await under.api.post('/auth/reset-password', { token, password: PASSWORD });
      expect((await right()).status).toBe(429);
      expect((await right()).headers.get('retry-after')).toBe('3600');
      under.clock.advance(hours(1));
      expect((await right()).status).toBe(200);
    });

    it('also when the codes come with the password, and a right password alone clears nothing', async () => {
      const person = await stage.aProved(oid);
      const answers = await Promise.all(Array.from({ length: 7 }, () => stage.password(person, '000000')));
      expect(answers.filter(({ status }) => status === 400)).toHaveLength(5);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(2);
      const other = await stage.aProved(oid);
      for (let n = 0; n < 4; n++) {
        expect((await stage.password(other, '000000')).status).toBe(400);
        expect((await stage.password(other)).status).toBe(401);
      }
      expect((await stage.password(other, '000000')).status).toBe(400);
      expect((await stage.password(other, stage.code(other.secret))).status).toBe(429);
    });

    it('nobody by wrong passwords whose count a right one without the code would clear', async () => {
      const person = await stage.aProved(oid);
      for (let n = 0; n < 4; n++) {
        expect((await stage.password({ ...person, password: 'wrong' })).status).toBe(400);
        expect((await stage.password(person)).status).toBe(401);
      }
      expect((await stage.password({ ...person, password: 'wrong' })).status).toBe(400);
      expect((await stage.password(person)).status).toBe(429);
    });
  });

  describe('is removed', () => {
    it('by whoever shows again who they are, with the sessions elsewhere, and tells the owner', async () => {
      const person = await stage.aProved(oid);
      const elsewhere = stage.client(await stage.password(person, stage.code(person.secret)));
      const { api } = person;
      expect((await api.post(`${FACTOR}/totp/remove`, {})).body).toEqual({ detail: 'fresh_proof_needed' });
      expect((await api.post(`${FACTOR}/totp/remove`, { password: 'wrong' })).status).toBe(400);
      expect((await api.post(`${FACTOR}/totp/remove`, { code: '000000' })).body).toEqual(WRONG);
      stage.pass();
      expect((await api.post(`${FACTOR}/totp/remove`, { code: stage.code(person.secret) })).status).toBe(200);
      expect(await mailTo(person.email)).toContain('was removed from your account');
      expect((await elsewhere.get('/users/me')).status).toBe(401);
      expect((await api.get(FACTOR)).body).toMatchObject({ totp: null, recoveryCodesLeft: 0, proved: false });
      expect((await stage.password(person)).status).toBe(200);
      expect((await api.post(`${FACTOR}/totp/remove`, { password: PASSWORD })).body).toEqual({
        detail: 'second_factor_not_found',
      });
    });

    it('not by a log-in that had none, with the password alone', async () => {
      const person = await stage.aProved(oid);
      const old = { user_id: person.id, aud: 'fastapi-users:auth' };
      const api = under.api.as(aToken(old, { secret: SECRET }));
      expect((await api.get('/users/me')).status).toBe(200);
      const refused = await api.post(`${FACTOR}/totp/remove`, { password: PASSWORD });
      expect([refused.status, refused.body]).toEqual([400, { detail: 'fresh_proof_needed' }]);
      expect((await api.post(`${FACTOR}/recovery-codes`, { password: PASSWORD })).status).toBe(400);
      expect((await api.post(`${FACTOR}/totp/remove`, { code: stage.code(person.secret) })).status).toBe(200);
    });

    it('by a superuser for whom has lost it, and by no owner of an org', async () => {
      const [person, owner] = [await stage.aProved(oid), await aMember(under, oid, 40)];
      const remove = (api = owner.api, email = person.email) => api.post('/users/remove-second-factor', { email });
      expect((await remove()).status).toBe(403);
      const admin = await under.login('admin@example.com', 'PASSW0RD!of-tests');
      expect((await remove(admin)).body).toEqual({ success: true });
      expect((await person.api.get('/users/me')).status).toBe(401);
      expect(await mailTo(person.email)).toContain('An administrator of the service did it');
      expect((await stage.password(person)).status).toBe(200);
      expect((await remove(admin)).body).toEqual({ detail: 'second_factor_not_found' });
      expect((await remove(admin, 'nobody@example.com')).body).toEqual({ detail: 'account_unknown' });
    });
  });

  it('is no part of what anybody else sees', async () => {
    const person = await stage.aProved(oid);
    const admin = await under.login('admin@example.com', 'PASSW0RD!of-tests');
    const seen = await Promise.all([
      ...['/users/emails', `/orgs/${oid}`, `/orgs/${oid}/export/json`].map((path) => admin.get(path)),
      ...['/users/me', '/users/me/sessions', FACTOR].map((path) => person.api.get(path)),
    ]);
    const text = JSON.stringify(seen.map(({ body }) => body as unknown));
    const stored = await under.connection
      .collection<{ email: string; secondFactor: { totp: { sealed: string }; recovery: string[] } }>('users')
      .findOne({ email: person.email });
    for (const secret of [stored?.secondFactor.totp.sealed, ...(stored?.secondFactor.recovery ?? []), person.secret])
      expect(text).not.toContain(secret);
  });

  it('is unreadable with another PASSWORD_SECRET, and then recovery codes open the account', async () => {
    const person = await stage.aProved(oid);
    const other = await startApp({ like: under, env: { PASSWORD_SECRET: 'another' } });
    try {
      const elsewhere = new FactorStage(other);
      expect((await elsewhere.password(person, stage.code(person.secret))).body).toEqual(WRONG);
      expect((await elsewhere.password(person, person.recovery[0])).status).toBe(200);
    } finally {
      await other.stop();
    }
  });

  it('has steps whose tokens open nothing else, and no other token opens a step', async () => {
    const person = await stage.aProved(oid);
    const { body: setup } = await person.api.post(`${FACTOR}/passkeys/begin`, { password: PASSWORD });
    const { body: alone } = await under.api.post('/auth/passkey/options');
    const { body: replay } = await person.api.post('/auth/jwt/replay', { oid, kind: 'item', id: 'manual-x' });
    const { body: key } = await person.api.post('/users/me/api-keys', { name: 'k', scopes: ['items:read'] });
    const form = { username: key.id as string, password: key.key as string };
    const { body: byKey } = await under.api.call('POST', '/auth/jwt/login', { form });
    await under.api.post('/auth/forgot-password', { email: person.email });
    const bare = await member();
    const { body: totp } = await bare.api.post(`${FACTOR}/totp/begin`, { password: PASSWORD });
    const kinds: Record<string, string> = {
      'second step': await stage.challenge(person),
      'passkey setup': setup.setup as string,
      'totp setup': totp.setup as string,
      'passkey log-in': alone.challenge as string,
      replay: replay.token as string,
      key: byKey.access_token as string,
      'the key itself': key.key as string,
      reset: await tokenMailedTo(under, person.email),
      login: person.api.token ?? '',
    };
    const code = stage.code(person.secret);
    const uses: Record<string, (token: string) => Promise<{ status: number }>> = {
      login: (token) => under.api.as(token).get('/users/me'),
      'login in the query': (token) => under.api.get('/users/me', { auth_bearer: token }),
      'second step': (challenge) => stage.second(challenge, { code }),
      'passkey log-in': (challenge) => under.api.post('/auth/passkey/login', { challenge, passkey: {} }),
      'totp setup': (token) =>
        bare.api.post(`${FACTOR}/totp`, { setup: token, code: stage.code(totp.secret as string) }),
      'passkey setup': (token) => person.api.post(`${FACTOR}/passkeys`, { setup: token, passkey: {}, name: 'x' }),
      reset: (token) => under.api.post('/auth/reset-password', { token, password: 'a new correct horse' }),
      verify: (token) => under.api.post('/auth/verify', { token }),
      replay: (token) => under.api.as(token).get(`/orgs/${oid}/all-crawls/manual-x/replay.json`),
      refresh: (token) => under.api.as(token).post('/auth/jwt/refresh'),
    };
    const right = new Set([
      ...['login·login', 'login·login in the query', 'login·replay', 'login·refresh'],
      ...['key·login', 'key·login in the query', 'key·replay', 'key·refresh', 'the key itself·login'],
      ...['the key itself·replay', 'replay·replay', 'reset·reset'],
      ...['second step·second step', 'totp setup·totp setup'],
    ]);
    const opened: string[] = [];
    for (const [kind, token] of Object.entries(kinds))
      for (const [use, show] of Object.entries(uses)) {
        // What a right token would do ends others.
        if (right.has(`${kind}·${use}`)) continue;
        const { status } = await show(token);
        if (status < 400 || status >= 500) opened.push(`${kind} as ${use}: ${String(status)}`);
      }
    expect(opened).toEqual([]);
    expect((await uses['second step']?.(kinds['second step'] ?? ''))?.status).toBe(200);
  });
});
