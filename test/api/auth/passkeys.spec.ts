import { minutes } from '../../../src/common/units/durations.js';
import { FACTOR, FactorStage } from '../../support/factor-stage.js';
import type { Behaviour, TestPasskey } from '../../support/passkey.js';
import { aMember, PASSWORD, sentMails, type Member } from '../../support/people.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';

const NOT_PROVEN = { detail: 'passkey_not_proven' };
type Options = Record<string, unknown>;

describe('a passkey', () => {
  let under: AppUnderTest;
  let stage: FactorStage;
  let oid: string;
  let person: Member;
  let passkey: TestPasskey;

  beforeAll(async () => {
    under = await startApp({ env: { PASSWORD_SECRET: 'of tests', LOGIN_FAILURES_PER_ADDRESS: '0' } });
    stage = new FactorStage(under);
    oid = await under.defaultOrgId();
    person = await aMember(under, oid, 20);
    ({ passkey } = await stage.withPasskey(person));
  });
  afterAll(() => under?.close());

  /** The log-in without a password, as far as the authenticator answers so. */
  async function alone(by: TestPasskey, behaviour: Behaviour = {}) {
    const { body } = await under.api.post('/auth/passkey/options');
    const sent = by.prove(body.options as Options, behaviour);
    return under.api.post('/auth/passkey/login', { challenge: body.challenge as string, passkey: sent });
  }
  async function beside(by: TestPasskey, behaviour: Behaviour = {}, who = person) {
    const { body } = await stage.password(who);
    return stage.second(body.challenge as string, { passkey: by.prove(body.passkey as Options, behaviour) });
  }

  it('is kept with its name, shown with its use, and gives recovery codes with the first', async () => {
    const other = await aMember(under, oid, 20);
    const { answer } = await stage.withPasskey(other, 'Key on the ring');
    expect(answer.body.recoveryCodes).toHaveLength(10);
    const second = await stage.withPasskey(other, 'Laptop');
    expect(second.answer.body).toEqual({ recoveryCodes: null });
    const { body } = await other.api.get(FACTOR);
    expect(body).toMatchObject({
      ...{ totp: null, recoveryCodesLeft: 10, proved: true },
      passkeys: [
        { name: 'Key on the ring', lastUsed: null },
        { name: 'Laptop', lastUsed: null },
      ],
    });
    expect((await sentMails(under)).join('\n')).toContain('Key on the ring');
  });

  it('is a second factor beside the password, with or without proof of its owner', async () => {
    const { body } = await stage.password(person);
    expect(body.methods).toEqual(['passkey', 'recovery']);
    expect(body.passkey.allowCredentials).toHaveLength(1);
    const answer = await beside(passkey, { isOwnerProved: false });
    expect(answer.status).toBe(200);
    const sessions = (await stage.client(answer).get('/users/me/sessions')).body.items as { current: boolean }[];
    expect(sessions.find(({ current }) => current)).toMatchObject({ how: 'password', factor: 'passkey' });
    expect((await person.api.get(FACTOR)).body.passkeys[0].lastUsed).not.toBeNull();
  });

  it('logs in by itself where it has made sure of its owner', async () => {
    const answer = await alone(passkey);
    expect(answer).toMatchObject({ status: 200, body: { user_info: { email: person.email } } });
    const sessions = (await stage.client(answer).get('/users/me/sessions')).body.items as { current: boolean }[];
    expect(sessions.find(({ current }) => current)).toMatchObject({ how: 'passkey', factor: 'passkey' });
    expect((await alone(passkey, { isOwnerProved: false })).body).toEqual(NOT_PROVEN);
  });

  it('proves nothing for another page, domain, challenge or person, or to a counter that went back', async () => {
    const stranger = await aMember(under, oid, 20);
    const { passkey: theirs } = await stage.withPasskey(stranger);
    const behaviours: Behaviour[] = [
      { origin: 'https://localhost.example.com' },
      { origin: under.baseUrl },
      { domain: 'example.com' },
      { challenge: 'AAAA' },
      { counter: 1 },
    ];
    for (const behaviour of behaviours) {
      expect([behaviour, (await beside(passkey, behaviour)).body]).toEqual([behaviour, NOT_PROVEN]);
      expect([behaviour, (await alone(passkey, behaviour)).body]).toEqual([behaviour, NOT_PROVEN]);
    }
    expect((await beside(theirs)).body).toEqual(NOT_PROVEN);
    for (const userHandle of [theirs.userHandle, Buffer.from('nobody').toString('base64url'), '', '%%%'])
      expect((await alone(passkey, { userHandle })).body).toEqual(NOT_PROVEN);
    for (const sent of [{}, { id: 1 }, { id: passkey.id.toString('base64url'), response: null }]) {
      const { body } = await under.api.post('/auth/passkey/options');
      const answer = await under.api.post('/auth/passkey/login', {
        challenge: body.challenge as string,
        passkey: sent,
      });
      expect(answer.body).toEqual(NOT_PROVEN);
    }
    const { body } = await under.api.post('/auth/passkey/options');
    const list = await under.api.post('/auth/passkey/login', { challenge: body.challenge as string, passkey: [] });
    expect(list.status).toBe(422);
    expect((await alone(passkey)).status).toBe(200);
  });

  it('answers a challenge once, in two processes as well, and for five minutes', async () => {
    const { body } = await under.api.post('/auth/passkey/options');
    const sent = { challenge: body.challenge as string, passkey: passkey.prove(body.options as Options) };
    const second = await startApp({
      like: under,
      env: { PASSWORD_SECRET: 'of tests', PORT: new URL(under.baseUrl).port, HOST: '127.0.0.2' },
    });
    try {
      const answers = await Promise.all([under.api, second.api].map((api) => api.post('/auth/passkey/login', sent)));
      // The other process listens elsewhere, but is told the same origin.
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    } finally {
      await second.stop();
    }
    expect((await under.api.post('/auth/passkey/login', sent)).body).toEqual(NOT_PROVEN);
    const late = (await under.api.post('/auth/passkey/options')).body;
    const proof = passkey.prove(late.options as Options);
    under.clock.advance(minutes(5));
    const answer = await under.api.post('/auth/passkey/login', { challenge: late.challenge as string, passkey: proof });
    expect(answer.body).toEqual({ detail: 'second_step_expired' });
  });

  it('is not kept for another challenge, twice, or for another account', async () => {
    const other = await aMember(under, oid, 20);
    const begin = async () => (await other.api.post(`${FACTOR}/passkeys/begin`, { password: PASSWORD })).body;
    const { setup, options } = await begin();
    const keep = (sent: object) =>
      other.api.post(`${FACTOR}/passkeys`, { setup: setup as string, passkey: sent, name: 'x' });
    expect((await keep(passkey.register(options as Options, { challenge: 'AAAA' }))).body).toEqual(NOT_PROVEN);
    expect((await keep(passkey.register(options as Options, { origin: 'https://example.com' }))).body).toEqual(
      NOT_PROVEN,
    );
    const handle = passkey.userHandle;
    expect((await keep(passkey.register(options as Options))).body).toEqual({ detail: 'passkey_refused' });
    passkey.userHandle = Buffer.from(person.id).toString('base64url');
    expect(handle).not.toBe(passkey.userHandle);
    expect((await other.api.get(FACTOR)).body.passkeys).toEqual([]);
  });

  it('is removed alone, and is good for nothing from then on', async () => {
    const other = await aMember(under, oid, 20);
    const [{ passkey: first }, { passkey: last }] = [
      await stage.withPasskey(other),
      await stage.withPasskey(other, 'b'),
    ];
    const { passkeys } = (await other.api.get(FACTOR)).body as { passkeys: { id: string }[] };
    const remove = (n: number) =>
      other.api.post(`${FACTOR}/passkeys/${passkeys[n]?.id ?? ''}/remove`, { password: PASSWORD });
    expect((await remove(0)).status).toBe(200);
    expect((await alone(first)).body).toEqual(NOT_PROVEN);
    expect((await alone(last)).status).toBe(200);
    expect((await remove(0)).body).toEqual({ detail: 'second_factor_not_found' });
    expect((await remove(1)).status).toBe(200);
    expect((await stage.password(other)).status).toBe(200);
    expect((await other.api.get(FACTOR)).body).toMatchObject({ passkeys: [], recoveryCodesLeft: 0, proved: false });
  });

  it('is one of twenty, also of those that are kept at the same time', async () => {
    const other = await aMember(under, oid, 20);
    await under.connection.collection<{ email: string }>('users').updateOne(
      { email: other.email },
      {
        $set: {
          secondFactor: {
            recovery: [],
            passkeys: Array.from({ length: 19 }, (_, n) => ({ credentialId: `other-${String(n)}`, name: 'x' })),
          },
          'sessions.$[].factor': 'passkey',
        },
      },
    );
    const kept = await Promise.all([1, 2, 3].map(() => stage.withPasskey(other)));
    expect(kept.map(({ answer }) => answer.status).sort()).toEqual([200, 400, 400]);
  });

  it.each([
    ['an address instead of a name', { APP_ORIGIN: 'https://192.0.2.1' }],
    ['a name without TLS', { APP_ORIGIN: 'http://archive.example.org' }],
  ])('can’t be used with %s, which is said', async (_, env) => {
    const other = await startApp({ like: under, env: { PASSWORD_SECRET: 'of tests', ...env } });
    const api = other.api.as(person.api.token);
    try {
      expect((await api.get(FACTOR)).body.passkeysAt).toBeNull();
      expect((await other.api.get('/auth/oidc')).body.passkeysAt).toBeNull();
      const refused = { detail: 'passkeys_unavailable' };
      expect((await other.api.post('/auth/passkey/options')).body).toEqual(refused);
      expect((await api.post(`${FACTOR}/passkeys/begin`, { password: PASSWORD })).body).toEqual(refused);
      const asked = await new FactorStage(other).password(person);
      expect(asked.body).toMatchObject({ methods: ['recovery'], passkey: null });
    } finally {
      await other.stop();
    }
  });

  it('is no way round a deployment where people sign in elsewhere', async () => {
    const other = await startApp({
      like: under,
      env: { PASSWORD_SECRET: 'of tests', PASSWORD_LOGIN: 'superuser', APP_ORIGIN: under.baseUrl },
    });
    try {
      const { body } = await other.api.post('/auth/passkey/options');
      const sent = { challenge: body.challenge as string, passkey: passkey.prove(body.options as Options) };
      const answer = await other.api.post('/auth/passkey/login', sent);
      expect([answer.status, answer.body]).toEqual([403, { detail: 'password_login_off' }]);
    } finally {
      await other.stop();
    }
  });
});
