import { days, seconds } from '../../../src/common/units/durations.js';
import { Mails } from '../../../src/mail/mails.js';
import { eventually } from '../../support/eventually.js';
import { startSmtp } from '../../support/smtp.js';
import { ADMIN, startApp, type AppUnderTest } from '../../support/start-app.js';
import type { ApiClient } from '../../support/api-client.js';
import {
  aMember,
  anEmail,
  anOrg,
  forgetMails,
  PASSWORD,
  sentMails,
  tokenMailedTo,
  type Member,
} from '../../support/people.js';

let under: AppUnderTest;
let admin: ApiClient;
let oid: string;
let owner: Member;
let crawler: Member;
beforeAll(async () => {
  under = await startApp({ env: { JWT_TOKEN_LIFETIME_MINUTES: '100000' } });
  admin = await under.admin();
  oid = await anOrg(under);
  owner = await aMember(under, oid, 40);
  crawler = await aMember(under, oid, 20);
});
afterAll(() => under.close());

const failing = (answer: { status: number; body: { detail: unknown } }) => [answer.status, answer.body.detail];
const invite = (by: ApiClient, email: string, role = 20, to = oid) => by.post(`/orgs/${to}/invite`, { email, role });
const accept = (by: ApiClient, token: string) => by.post(`/orgs/invite-accept/${token}`);
/** A member of some other org. */
const aStranger = async () => aMember(under, await anOrg(under), 10);

describe('inviting', () => {
  it('a new address mails a link to join', async () => {
    await forgetMails(under);
    const email = anEmail();
    const { status, body } = await invite(owner.api, email);
    expect([status, body]).toEqual([200, { invited: 'new_user', token: expect.any(String) }]);
    const [mail] = await sentMails(under);
    expect(mail).toContain(`To: ${email}`);
    expect(mail).toContain(`/join/${body.token}?email=${encodeURIComponent(email)}`);
    expect(await under.connection.collection('invites').countDocuments({ tokenHash: body.token })).toBe(0);
  });

  it('an account mails a link to accept', async () => {
    const { email } = await aStranger();
    expect((await invite(owner.api, email)).body.invited).toBe('existing_user');
    expect((await sentMails(under)).at(-1)).toContain('/invite/accept/');
  });

  it('decodes an encoded address before looking it up', async () => {
    const email = 'plus+sign@example.com';
    await admin.post(`/orgs/${await under.defaultOrgId()}/add-user`, {
      email,
      password: PASSWORD,
      name: 'P',
      role: 10,
    });
    expect((await invite(owner.api, 'Plus%2Bsign@example.com')).body.invited).toBe('existing_user');
    const stored = await owner.api.get(`/orgs/${oid}/invites`);
    expect(stored.body.items.map((row: { email: string }) => row.email)).toContain(email);
    expect((await invite(owner.api, 'a%0Ab@example.com')).status).toBe(422);
  });

  it('is refused for oneself, for members, and twice', async () => {
    expect(failing(await invite(owner.api, owner.email))).toEqual([400, "Can't invite ourselves!"]);
    expect(failing(await invite(owner.api, crawler.email))).toEqual([
      400,
      'User already a member of this organization.',
    ]);
    const [fresh, { email: known }] = [anEmail(), await aStranger()];
    await invite(owner.api, fresh);
    await invite(owner.api, known);
    expect(failing(await invite(owner.api, fresh))).toEqual([403, 'This user has already been invited']);
    expect(failing(await invite(owner.api, known))).toEqual([403, 'user_already_invited_to_org']);
  });

  it('is for owners, with roles up to their own', async () => {
    expect(failing(await invite(crawler.api, anEmail()))).toEqual([
      403,
      'User does not have permission to perform this action',
    ]);
    expect(failing(await invite(owner.api, anEmail(), 100))).toEqual([
      403,
      'User does not have permission to perform this action',
    ]);
    for (const role of [15, 'owner', null])
      expect((await invite(owner.api, anEmail(), role as number)).status).toBe(422);
    expect((await invite(owner.api, 'no address')).status).toBe(422);
    expect((await invite(owner.api, anEmail(), '20' as unknown as number)).status).toBe(200);
  });

  it('goes through although no mail can be sent', async () => {
    const dead = await startApp({ like: under, env: { EMAIL_SMTP_HOST: '127.0.0.1', EMAIL_SMTP_PORT: '1' } });
    try {
      const answer = await dead.api.as(owner.api.token).post(`/orgs/${oid}/invite`, { email: anEmail(), role: 10 });
      expect(answer.status).toBe(200);
    } finally {
      await dead.stop();
    }
  });

  it('does not wait for a mail server that says nothing', async () => {
    let greet: (() => void) | undefined;
    const smtp = await startSmtp({ disabledCommands: ['STARTTLS'], onConnect: (_session, go) => (greet = () => go()) });
    const env = { EMAIL_SMTP_HOST: '127.0.0.1', EMAIL_SMTP_PORT: String(smtp.port) };
    const patient = await startApp({ like: under, env });
    try {
      const email = anEmail();
      const answer = await patient.api.as(owner.api.token).post(`/orgs/${oid}/invite`, { email, role: 10 });
      expect(answer.status).toBe(200);
      // Only now may the server speak: the answer cannot have waited for it.
      expect(smtp.mails).toHaveLength(0);
      await eventually(() => {
        if (!greet) throw new Error('nobody connected');
        greet();
      });
      await patient.app.get(Mails, { strict: false }).settled();
      expect(smtp.mails.map(({ to }) => to)).toEqual([[email]]);
    } finally {
      await patient.stop();
      await smtp.close();
    }
  });
});

describe('an invite', () => {
  it('is shown to whoever has token and address', async () => {
    const email = anEmail();
    const { token } = (await invite(owner.api, email, 40)).body;
    const shown = await under.api.get(`/users/invite/${token}`, { email });
    expect(shown.body).toMatchObject({
      inviterEmail: owner.email,
      inviterName: owner.email,
      fromSuperuser: false,
      oid,
      role: 40,
      email,
      firstOrgAdmin: false,
    });
    expect(failing(await under.api.get(`/users/invite/${token}`, { email: anEmail() }))).toEqual([
      400,
      'invalid_invite',
    ]);
    expect((await under.api.get(`/users/invite/${token}`)).status).toBe(422);
    expect((await under.api.get('/users/invite/nonsense', { email })).status).toBe(422);
    expect(failing(await under.api.get(`/users/invite/${oid}`, { email }))).toEqual([400, 'invalid_invite']);
  });

  it('for an account is that account’s alone', async () => {
    const [invitee, other] = [await aStranger(), await aStranger()];
    const { token } = (await invite(owner.api, invitee.email)).body;
    expect((await invitee.api.get(`/users/me/invite/${token}`)).body.oid).toBe(oid);
    expect(failing(await other.api.get(`/users/me/invite/${token}`))).toEqual([400, 'invalid_invite']);
    expect(failing(await accept(other.api, token))).toEqual([400, 'invalid_invite']);
    await invitee.api.patch('/users/me', { email: anEmail('renamed') });
    const accepted = await accept(invitee.api, token);
    expect(accepted.body).toMatchObject({ added: true, org: { id: oid, storageQuotaReached: false, users: {} } });
    expect(failing(await accept(invitee.api, token))).toEqual([400, 'invalid_invite']);
  });

  it('expires', async () => {
    const [email, stranger] = [anEmail(), await aStranger()];
    const { token } = (await invite(owner.api, email)).body;
    const bound = (await invite(owner.api, stranger.email)).body.token;
    under.clock.advance(days(14));
    expect(failing(await under.api.get(`/users/invite/${token}`, { email }))).toEqual([400, 'invalid_invite']);
    expect(failing(await accept(stranger.api, bound))).toEqual([400, 'invalid_invite']);
    expect((await owner.api.get(`/orgs/${oid}/invites`)).body.total).toBe(0);
    expect((await invite(owner.api, email)).status).toBe(200);
  });

  it('outlives its inviter and follows a change of the inviter’s address', async () => {
    const leaving = await aMember(under, oid, 40);
    const [email, renamed] = [anEmail(), anEmail('renamed')];
    const { token } = (await invite(leaving.api, email)).body;
    await leaving.api.patch('/users/me', { email: renamed });
    expect((await under.api.get(`/users/invite/${token}`, { email })).body.inviterEmail).toBe(renamed);
    await under.connection.collection('users').deleteOne({ email: renamed });
    expect((await under.api.get(`/users/invite/${token}`, { email })).body.inviterEmail).toBeNull();
    expect((await owner.api.get(`/orgs/${oid}/invites`)).status).toBe(200);
  });

  it('of a deleted org is none', async () => {
    const stranger = await aStranger();
    const gone = await anOrg(under);
    const { token } = (await invite(admin, stranger.email, 20, gone)).body;
    await under.connection
      .collection('organizations')
      .deleteOne({ name: (await admin.get(`/orgs/${gone}`)).body.name });
    expect(failing(await accept(stranger.api, token))).toEqual([400, 'invalid_invite']);
  });

  it('accepted twice at once adds one member', async () => {
    const stranger = await aStranger();
    const { token } = (await invite(owner.api, stranger.email)).body;
    const answers = await Promise.all([1, 2, 3].map(() => accept(stranger.api, token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect((await admin.get(`/orgs/${oid}`)).body.users[stranger.email].role).toBe(20);
  });
});

describe('lists of invites', () => {
  it('show an org’s to its owners and all to superusers, and are deleted by address', async () => {
    const to = await anOrg(under);
    const [boss, emails] = [await aMember(under, to, 40), [anEmail(), anEmail()]];
    for (const email of emails) {
      await invite(boss.api, email, 10, to);
      // Times are whole seconds, and invites of one second have no order that means anything.
      under.clock.advance(seconds(1));
    }
    const listed = await boss.api.get(`/orgs/${to}/invites`, { pageSize: 1, page: 2 });
    expect(listed.body).toMatchObject({ total: 2, page: 2, pageSize: 1, items: [{ email: emails[1] }] });
    expect((await admin.get('/users/invites')).body.total).toBeGreaterThanOrEqual(2);
    expect(failing(await boss.api.get('/users/invites'))).toEqual([403, 'not_allowed']);
    const remove = () => boss.api.post(`/orgs/${to}/invites/delete`, { email: emails[0] });
    expect((await remove()).body).toEqual({ removed: true, count: 1 });
    expect(failing(await remove())).toEqual([404, 'invite_not_found']);
  });
});

describe('the first member', () => {
  it.each([10, 40])('with role %s gives an unnamed org its name, whichever way it joins', async (role) => {
    const byInvite = (await admin.post('/orgs/create', {})).body.id as string;
    const email = anEmail();
    const { token } = (await invite(admin, email, role, byInvite)).body;
    await under.api.post('/auth/register', { email, password: PASSWORD, name: 'Test User', inviteToken: token });
    const { name, slug } = (await admin.get(`/orgs/${byInvite}`)).body;
    expect(name).toMatch(/^Test User’s Archive( \d+)?$/);
    expect(slug).toMatch(/^test-users-archive(-\d+)?$/);
    const added = (await admin.post('/orgs/create', {})).body.id as string;
    await admin.post(`/orgs/${added}/add-user`, { email: anEmail(), password: PASSWORD, name: 'Test User', role });
    expect((await admin.get(`/orgs/${added}`)).body.name).toMatch(/^Test User’s Archive \d+$/);
  });

  it('of two orgs at once makes two names', async () => {
    const made = await Promise.all([1, 2, 3].map(() => admin.post('/orgs/create', {})));
    const ids = made.map(({ body }) => body.id as string);
    const tokens = await Promise.all(
      ids.map(async (id) => {
        const email = anEmail();
        return { email, token: (await invite(admin, email, 40, id)).body.token as string };
      }),
    );
    const joined = await Promise.all(
      tokens.map(({ email, token }) =>
        under.api.post('/auth/register', { email, password: PASSWORD, name: 'Same Name', inviteToken: token }),
      ),
    );
    expect(joined.map(({ status }) => status)).toEqual([201, 201, 201]);
    const names = await Promise.all(ids.map(async (id) => (await admin.get(`/orgs/${id}`)).body.name));
    expect(names.sort()).toEqual(['Same Name’s Archive', 'Same Name’s Archive 2', 'Same Name’s Archive 3']);
  });
});

describe('members', () => {
  it('are added by superusers alone', async () => {
    const body = { email: anEmail(), password: PASSWORD, name: 'N', role: 10 };
    expect(failing(await owner.api.post(`/orgs/${oid}/add-user`, body))).toEqual([403, 'Not Allowed']);
    expect(failing(await crawler.api.post(`/orgs/${oid}/add-user`, body))).toEqual([
      403,
      'User does not have permission to perform this action',
    ]);
    expect((await admin.post(`/orgs/${oid}/add-user`, body)).body).toEqual({ added: true });
    expect(failing(await admin.post(`/orgs/${oid}/add-user`, body))).toEqual([400, 'user_already_exists']);
    expect(failing(await admin.post(`/orgs/${oid}/add-user`, { ...body, password: 'short' }))).toEqual([
      400,
      'invalid_password',
    ]);
    expect((await admin.post(`/orgs/${oid}/add-user`, { email: anEmail() })).body.detail).toHaveLength(3);
  });

  it('change roles, but not their own', async () => {
    const member = await aMember(under, oid, 10);
    const change = (by: ApiClient, email: string, role: number) => by.patch(`/orgs/${oid}/user-role`, { email, role });
    expect((await change(owner.api, member.email, 20)).body).toEqual({ updated: true });
    expect((await member.api.get('/users/me')).body.orgs[0].role).toBe(20);
    expect(failing(await change(owner.api, owner.email, 10))).toEqual([400, "Can't change own role!"]);
    expect(failing(await change(owner.api, anEmail(), 10))).toEqual([400, 'No user found for specified e-mail']);
    expect(failing(await change(owner.api, ADMIN.email, 10))).toEqual([400, 'no_such_user']);
    expect(failing(await change(owner.api, member.email, 100))).toEqual([
      403,
      'User does not have permission to perform this action',
    ]);
    expect((await change(owner.api, member.email, 30)).status).toBe(422);
    expect((await change(admin, member.email, 100)).status).toBe(200);
  });

  it('leave, but for the last owner', async () => {
    const here = await anOrg(under);
    const [first, second] = [await aMember(under, here, 40), await aMember(under, here, 10)];
    const remove = (by: ApiClient, email: string) => by.post(`/orgs/${here}/remove`, { email });
    expect(failing(await remove(first.api, first.email))).toEqual([400, "Can't remove only owner from org"]);
    expect(failing(await remove(admin, first.email))).toEqual([400, "Can't remove only owner from org"]);
    expect(failing(await remove(first.api, crawler.email))).toEqual([404, 'no_such_org_user']);
    expect(failing(await remove(first.api, anEmail()))).toEqual([404, 'no_such_org_user']);
    expect((await remove(first.api, second.email)).body).toEqual({ removed: true });
    expect((await second.api.get('/users/me')).body.orgs).toEqual([]);
    expect(failing(await second.api.get(`/orgs/${here}`))).toEqual([404, 'org_not_found']);
  });

  it('of whom two owners remove each other at once keep one owner', async () => {
    for (let round = 0; round < 3; round++) {
      const here = await anOrg(under);
      const [a, b] = [await aMember(under, here, 40), await aMember(under, here, 40)];
      await Promise.all([
        a.api.post(`/orgs/${here}/remove`, { email: b.email }),
        b.api.post(`/orgs/${here}/remove`, { email: a.email }),
      ]);
      const { users } = (await admin.get(`/orgs/${here}`)).body;
      expect(Object.values(users).map((user) => (user as { role: number }).role)).toEqual([40]);
    }
  });

  it('of whom two owners demote each other at once keep one owner', async () => {
    for (let round = 0; round < 3; round++) {
      const here = await anOrg(under);
      const [a, b] = [await aMember(under, here, 40), await aMember(under, here, 40)];
      const demote = (by: Member, whom: Member) =>
        by.api.patch(`/orgs/${here}/user-role`, { email: whom.email, role: 10 });
      await Promise.all([demote(a, b), demote(b, a)]);
      const { users } = (await admin.get(`/orgs/${here}`)).body;
      const roles = Object.values(users).map((user) => (user as { role: number }).role);
      expect(roles.sort()).toEqual([10, 40]);
    }
  });
});

describe('accounts', () => {
  it('change name and address, which nobody else may have', async () => {
    const member = await aMember(under, oid, 10);
    const patch = (body: object) => member.api.patch('/users/me', body);
    expect(failing(await patch({}))).toEqual([400, 'no_updates_specified']);
    expect(failing(await patch({ name: '', email: null }))).toEqual([400, 'no_updates_specified']);
    expect(failing(await patch({ email: owner.email }))).toEqual([400, 'user_already_exists']);
    expect((await patch({ email: '' })).status).toBe(422);
    const email = anEmail('changed');
    expect((await patch({ email: email.toUpperCase(), name: 'Changed' })).body).toEqual({ updated: true });
    expect((await member.api.get('/users/me')).body).toMatchObject({ email, name: 'Changed' });
  });

  it('are listed to superusers with their orgs', async () => {
    const { body } = await admin.get('/users/emails');
    const row = body.items.find(({ email }: { email: string }) => email === owner.email);
    expect(Object.keys(row).sort()).toEqual(['email', 'is_verified', 'name', 'orgs']);
    expect(row.orgs).toMatchObject([{ id: oid, role: 40, readOnly: false, readOnlyReason: null, subscription: null }]);
    expect(body.items.map(({ email }: { email: string }) => email)).not.toContain(ADMIN.email);
    expect(failing(await owner.api.get('/users/emails'))).toEqual([403, 'not_allowed']);
    expect((await admin.get('/users/emails', { pageSize: 0 })).status).toBe(422);
  });

  it('are listed with their orgs by name, the default one first', async () => {
    const names = ['Zebra', 'apple', 'Mango'].map((name) => `${name} ${anEmail('of')}`);
    const { email, api } = await aMember(under, await under.defaultOrgId(), 10);
    for (const name of names) {
      const { token } = (await invite(admin, email, 10, await anOrg(under, { name: name.slice(0, 50) }))).body;
      expect((await accept(api, token)).status).toBe(200);
    }
    const row = (await admin.get('/users/emails')).body.items.find((item: { email: string }) => item.email === email);
    const listed = (rows: { name: string }[]) => rows.map(({ name }) => name.split(' ')[0]);
    expect(listed(row.orgs)).toEqual(['My', 'apple', 'Mango', 'Zebra']);
    expect(listed((await api.get('/users/me')).body.orgs)).toEqual(listed(row.orgs));
  });

  it.each([
    ['GET', '/users/me-with-orgs'],
    ['GET', '/users/2b0f54f6-0c8a-4a77-8f0f-b0b3cc05e111'],
    ['DELETE', '/users/2b0f54f6-0c8a-4a77-8f0f-b0b3cc05e111'],
  ])('have no %s %s any more', async (method, path) => {
    expect(failing(await admin.call(method, path))).toEqual([404, 'Not Found']);
  });

  it('accept by the mailed link, as the mail says', async () => {
    const email = anEmail();
    await invite(owner.api, email, 10);
    const inviteToken = await tokenMailedTo(under, email);
    expect((await under.api.post('/auth/register', { email, password: PASSWORD, inviteToken })).status).toBe(201);
  });
});
