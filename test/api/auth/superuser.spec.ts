import { ADMIN, startApp, type AppUnderTest } from '../../support/start-app.js';
let under: AppUnderTest;
beforeAll(async () => {
  under = await startApp();
});
afterAll(() => under.close());
const login = (app: AppUnderTest, username: string, password: string) =>
  app.api.call('POST', '/auth/jwt/login', { form: { username, password } });
describe('a start', () => {
  it('of several processes at once makes one superuser and one default org', async () => {
    const users = under.connection.collection('users');
    const orgs = under.connection.collection('organizations');
    await Promise.all([users.deleteMany({}), orgs.deleteMany({})]);
    const others = await Promise.all([1, 2, 3].map(() => startApp({ like: under })));
    expect(await users.countDocuments({ is_superuser: true })).toBe(1);
    expect(await orgs.countDocuments({ default: true })).toBe(1);
    for (const other of others) await other.stop();
  });

  it('changes the superuser as the settings say, and ends its lockout', async () => {
    for (let i = 0; i < 6; i++) await login(under, 'root@example.org', 'wrong');
    const env = {
      SUPERUSER_EMAIL: 'Root@example.org',
      SUPERUSER_PASSWORD: 'an other password',
      SUPERUSER_NAME: 'Root',
    };
    const changed = await startApp({ like: under, env });
    const answer = await login(changed, 'root@example.org', 'an other password');
    expect(answer.body.user_info).toMatchObject({ email: 'root@example.org', name: 'Root', is_superuser: true });
    await changed.stop();
    const back = await startApp({
      like: under,
      env: { SUPERUSER_EMAIL: ADMIN.email, SUPERUSER_PASSWORD: ADMIN.password },
    });
    expect((await login(back, ADMIN.email, ADMIN.password)).status).toBe(200);
    await back.stop();
  });

  it('leaves the password alone when the setting is absent', async () => {
    const silent = await startApp({ like: under, env: { SUPERUSER_PASSWORD: '', SUPERUSER_EMAIL: '' } });
    expect((await login(silent, ADMIN.email, ADMIN.password)).status).toBe(200);
    await silent.stop();
  });

  it('gives the default org the name of the setting, unless it is taken', async () => {
    const renamed = await startApp({ like: under, env: { DEFAULT_ORG: 'Our Archive' } });
    const admin = await renamed.admin();
    expect((await admin.get('/users/me')).body.orgs).toMatchObject([{ name: 'Our Archive', slug: 'our-archive' }]);
    await admin.post('/orgs/create', { name: 'Taken' });
    await renamed.stop();
    const refused = await startApp({ like: under, env: { DEFAULT_ORG: 'taken' } });
    expect((await (await refused.admin()).get('/users/me')).body.orgs[0]).toMatchObject({ name: 'Our Archive' });
    await refused.stop();
  });
});
