import { aMember, anEmail, anOrg, PASSWORD } from '../../support/people.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';

let under: AppUnderTest;
beforeAll(async () => {
  under = await startApp({ env: { ALLOW_DUPE_INVITES: 'true' } });
});
afterAll(() => under.close());

const usersOf = async (oid: string) => (await (await under.admin()).get(`/orgs/${oid}`)).body.users;
const invite = async (oid: string, email: string, role: number): Promise<string> =>
  (await (await under.admin()).post(`/orgs/${oid}/invite`, { email, role })).body.token as string;

describe('two invites for one address', () => {
  it('to one org, accepted at once, make one member with the role of the one that won', async () => {
    for (let round = 0; round < 3; round++) {
      const oid = await anOrg(under);
      const invitee = await aMember(under, await anOrg(under), 10);
      const tokens = [await invite(oid, invitee.email, 10), await invite(oid, invitee.email, 40)];
      const answers = await Promise.all(tokens.map((token) => invitee.api.post(`/orgs/invite-accept/${token}`)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
      const won = answers.findIndex(({ status }) => status === 200);
      expect(answers[1 - won]?.body.detail).toBe('user_already_is_org_member');
      expect(await usersOf(oid)).toEqual({ [invitee.email]: expect.objectContaining({ role: [10, 40][won] }) });
    }
  });

  it('to two orgs, registered with at once, make one account that is in both', async () => {
    for (let round = 0; round < 3; round++) {
      const [email, orgs] = [anEmail('racer'), [await anOrg(under), await anOrg(under)]];
      const tokens = [];
      for (const oid of orgs) tokens.push(await invite(oid, email, 20));
      const answers = await Promise.all(
        tokens.map((inviteToken) => under.api.post('/auth/register', { email, password: PASSWORD, inviteToken })),
      );
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      expect(await under.connection.collection('users').countDocuments({ email })).toBe(1);
      for (const oid of orgs) expect(await usersOf(oid)).toEqual({ [email]: expect.objectContaining({ role: 20 }) });
      expect(await under.connection.collection('invites').countDocuments({ email })).toBe(0);
    }
  });
});

describe('one address, added to an org twice at once,', () => {
  it('makes one account, and the other answer says that it exists', async () => {
    const [admin, oid, email] = [await under.admin(), await anOrg(under), anEmail('twice')];
    const body = { email, password: PASSWORD, name: 'Twice', role: 10 };
    const answers = await Promise.all(Array.from({ length: 4 }, () => admin.post(`/orgs/${oid}/add-user`, body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    const refused = answers.filter(({ status }) => status === 400).map(({ body: { detail } }) => detail as unknown);
    expect(new Set(refused)).toEqual(new Set(['user_already_exists']));
  });
});
