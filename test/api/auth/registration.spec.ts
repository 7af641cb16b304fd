import { startApp, type AppUnderTest } from '../../support/start-app.js';
import { aMember, anEmail, anOrg, PASSWORD, tokenMailedTo } from '../../support/people.js';

let closed: AppUnderTest;
let open: AppUnderTest;
beforeAll(async () => {
  closed = await startApp();
  open = await startApp({ like: closed, env: { REGISTRATION_ENABLED: 'true' } });
});
afterAll(async () => {
  await open.stop();
  await closed.close();
});

const failing = (answer: { status: number; body: { detail: unknown } }) => [answer.status, answer.body.detail];
const register = (under: AppUnderTest, body: Record<string, unknown>) => under.api.post('/auth/register', body);

async function invited(email: string, oid: string, role = 20): Promise<string> {
  const { body } = await (await closed.admin()).post(`/orgs/${oid}/invite`, { email, role });
  return body.token as string;
}

describe('registering', () => {
  it('needs an invite while registration is closed', async () => {
    const body = { email: anEmail(), password: PASSWORD, newOrg: true };
    expect(failing(await register(closed, body))).toEqual([400, 'invite_token_required']);
    const wrong = { ...body, inviteToken: '00000000-0000-4000-8000-000000000000' };
    expect(failing(await register(closed, wrong))).toEqual([400, 'invalid_invite']);
    const settings = [await closed.api.get('/settings'), await open.api.get('/settings')];
    expect(settings.map(({ body: { registrationEnabled } }) => registrationEnabled)).toEqual([false, true]);
  });

  it('openly joins the default org as crawler and mails a verification', async () => {
    const email = anEmail('Open').toLowerCase();
    const answer = await register(open, { email: `Some One <${email.toUpperCase()}>`, password: PASSWORD });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ email, name: email, is_verified: false, is_superuser: false });
    expect(answer.body.orgs).toMatchObject([{ id: await closed.defaultOrgId(), role: 20, default: true }]);
    const token = await tokenMailedTo(open, email);
    expect((await open.api.post('/auth/verify', { token })).status).toBe(200);
  });

  it('with an invite joins its org with its role, verified, and uses it up', async () => {
    const [email, oid] = [anEmail(), await anOrg(closed)];
    const inviteToken = await invited(email, oid, 40);
    const body = { email, password: PASSWORD, name: 'New One', inviteToken };
    const answer = await register(closed, body);
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ name: 'New One', is_verified: true, orgs: [{ id: oid, role: 40 }] });
    expect(failing(await register(closed, body))).toEqual([400, 'invalid_invite']);
  });

  it.each(['1234567', 'x'.repeat(65)])('refuses the password %s', async (password) => {
    const body = { email: anEmail(), password };
    expect(failing(await register(open, body))).toEqual([400, 'invalid_password']);
  });

  it.each([
    { email: 'no-address', password: PASSWORD },
    { email: 'a@localhost', password: PASSWORD },
    { email: 'a@b.c' },
  ])('refuses %j', async (body) => expect((await register(open, body)).status).toBe(422));

  it('again adds the existing account with its password, and no other', async () => {
    const oid = await anOrg(closed);
    const member = await aMember(closed, oid, 10);
    const other = await anOrg(closed);
    const inviteToken = await invited(member.email, other, 20);
    const body = { email: member.email, inviteToken };
    expect(failing(await register(closed, { ...body, password: 'wrong password' }))).toEqual([
      400,
      'invalid_current_password',
    ]);
    const joined = await register(closed, { ...body, password: PASSWORD });
    expect(joined.status).toBe(201);
    expect(joined.body.id).toBe(member.id);
    expect(joined.body.orgs.map(({ id }: { id: string }) => id).sort()).toEqual([oid, other].sort());
  });

  it('again as a member is refused', async () => {
    const member = await aMember(closed, await closed.defaultOrgId(), 10);
    const body = { email: member.email, password: PASSWORD };
    expect(failing(await register(open, body))).toEqual([400, 'user_already_is_org_member']);
  });

  it('is no way around the lockout', async () => {
    const member = await aMember(closed, await closed.defaultOrgId(), 10);
    const guess = () => register(open, { email: member.email, password: 'wrong password' });
    for (let i = 0; i < 5; i++) expect(failing(await guess())).toEqual([400, 'invalid_current_password']);
    expect(failing(await guess())).toEqual([429, 'too_many_login_attempts']);
    const login = await closed.api.call('POST', '/auth/jwt/login', {
      form: { username: member.email, password: PASSWORD },
    });
    expect(login.status).toBe(429);
  });

  it('of one address twice at once makes one account', async () => {
    const email = anEmail();
    const answers = await Promise.all([1, 2, 3].map(() => register(open, { email, password: PASSWORD })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
    expect(await closed.connection.collection('users').countDocuments({ email })).toBe(1);
  });

  it('into an org that does not exist is an error of the service', async () => {
    const lost = await startApp({
      like: closed,
      env: { REGISTRATION_ENABLED: 'true', REGISTER_TO_ORG_ID: '00000000-0000-4000-8000-000000000000' },
    });
    try {
      const email = anEmail();
      expect(failing(await register(lost, { email, password: PASSWORD }))).toEqual([
        500,
        'default_register_org_not_found',
      ]);
      expect(await closed.connection.collection('users').countDocuments({ email })).toBe(0);
    } finally {
      await lost.stop();
    }
  });
});
