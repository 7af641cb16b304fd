import { anEmail, aMember, tokenMailedTo } from '../../support/people.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';

const TOO_COMMON = [400, { detail: 'password_too_common' }];

describe('a password that is easy to guess', () => {
  let under: AppUnderTest;
  beforeAll(async () => {
    under = await startApp({ env: { REGISTRATION_ENABLED: 'true' } });
  });
  afterAll(() => under?.close());

  const register = async (fields: object, at = under): Promise<[number, unknown]> => {
    const answer = await at.api.post('/auth/register', {
      email: anEmail(),
      name: 'Rea',
      password: 'iloveyou',
      ...fields,
    });
    return [answer.status, answer.status < 400 ? {} : answer.body];
  };

  it('is taken of clients that do not ask, and refused of those that do', async () => {
    expect((await register({}))[0]).toBe(201);
    for (const password of ['iloveyou', 'ILoveYou', 'muniment-2026', 'rea-password'])
      expect(await register({ password, refuseCommon: true })).toEqual(TOO_COMMON);
    expect((await register({ password: 'annual report of trees', refuseCommon: true }))[0]).toBe(201);
  });

  it('is refused at a change and a reset as well', async () => {
    const { api, email, password } = await aMember(under, await under.defaultOrgId(), 10);
    const change = { email, password, newPassword: '1234567890', refuseCommon: true };
    const changed = await api.put('/users/me/password-change', change);
    expect([changed.status, changed.body]).toEqual(TOO_COMMON);
    await under.api.post('/auth/forgot-password', { email });
    const token = await tokenMailedTo(under, email);
    const reset = await under.api.post('/auth/reset-password', { token, password: '1234567890', refuseCommon: true });
    expect([reset.status, reset.body]).toEqual(TOO_COMMON);
    expect((await under.api.post('/auth/reset-password', { token, password: '1234567890' })).status).toBe(200);
  });

  it('is refused of everybody where the deployment says so', async () => {
    const strict = await startApp({
      like: under,
      env: { REGISTRATION_ENABLED: 'true', REFUSE_COMMON_PASSWORDS: 'true' },
    });
    try {
      expect(await register({}, strict)).toEqual(TOO_COMMON);
    } finally {
      await strict.stop();
    }
  });

  it('does not matter to a new address, for which the password is compared where it is given', async () => {
    const { api, password } = await aMember(under, await under.defaultOrgId(), 10);
    const wrong = await api.patch('/users/me', { email: anEmail('moved'), password: 'wrong' });
    expect([wrong.status, wrong.body]).toEqual([400, { detail: 'invalid_current_password' }]);
    expect((await api.patch('/users/me', { email: anEmail('moved'), password })).status).toBe(200);
    expect((await api.patch('/users/me', { email: anEmail('moved') })).status).toBe(200);
  });
});
