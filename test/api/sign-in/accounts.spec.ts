import { CookieBrowser } from '../../support/oidc-provider.js';
import { eventually } from '../../support/eventually.js';
import { aMember, anEmail, anOrg, PASSWORD } from '../../support/people.js';
import { SignInStage, verified } from '../../support/sign-in-stage.js';
import { ADMIN, startApp } from '../../support/start-app.js';
import { minutes } from '../../../src/common/units/durations.js';

const SCOPES = ['openid', 'email', 'profile', 'groups'];
const rule = (value: string, gives: object): object => ({ claim: 'groups', value, ...gives });
const taken = { status: 403, detail: 'sign_in_address_taken' };

describe('accounts by OpenID Connect', () => {
  let stage: SignInStage;
  let library: string;
  let museum: string;

  beforeAll(async () => {
    stage = await SignInStage.open(
      [
        {
          id: 'uni',
          client_id: 'muniment',
          client_auth: 'basic',
          scopes: SCOPES,
          new_accounts: 'mapped',
          link_by_address: true,
          rules: [
            rule('readers', { org: 'library', role: 'viewer' }),
            rule('staff', { org: 'library', role: 'crawler' }),
            rule('heads', { org: 'library', role: 'owner' }),
            rule('museum', { org: 'museum', role: 'owner' }),
            rule('gone', { org: 'gone', role: 'owner' }),
            rule('nowhere', { org: 'no-such-org', role: 'owner' }),
            rule('admins', { superuser: true }),
          ],
        },
      ],
      {},
      { realTime: false },
    );
    library = await anOrg(stage.under, { name: 'Library', slug: 'library' });
    museum = await anOrg(stage.under, { name: 'Museum', slug: 'museum' });
  });
  afterAll(() => stage?.close());

  async function aPerson(groups: unknown, fields: Record<string, unknown> = {}): Promise<string> {
    const { sub, claims } = verified(fields);
    await stage.provider.person(sub, { ...claims, groups });
    return sub;
  }
  const regroup = (sub: string, groups: unknown): Promise<void> =>
    stage.provider.person(sub, { email: `${sub}@uni.example.com`, email_verified: true, groups });
  const rolesOf = async (sub: string): Promise<Record<string, number>> =>
    Object.fromEntries((await stage.me(sub)).orgs.map(({ slug, role }) => [slug, role]));
  const anAccount = async (email: string, role: 10 | 20 | 40 = 10) => {
    const admin = await stage.under.admin();
    await admin.post(`/orgs/${library}/add-user`, { email, password: PASSWORD, name: email, role });
    return (await (await stage.under.login(email, PASSWORD)).get('/users/me')).body.id as string;
  };

  it('gives the highest role that the groups give, in each org', async () => {
    expect(await rolesOf(await aPerson(['readers', 'staff', 'museum', 'nowhere']))).toEqual({
      library: 20,
      museum: 40,
    });
    expect(await rolesOf(await aPerson('readers'))).toEqual({ library: 10 });
  });

  it('makes no account for somebody to whom no rule gives anything', async () => {
    for (const groups of [[], ['nowhere'], ['Staff'], [['staff']], { staff: true }, null, ['__proto__']])
      expect(await stage.signIn(await aPerson(groups))).toEqual({ status: 403, detail: 'sign_in_no_account' });
  });

  it('follows the groups at each sign-in, down and out as well', async () => {
    const sub = await aPerson(['staff', 'museum']);
    await anAccount(anEmail('owner'), 40);
    await aMember(stage.under, museum, 40);
    expect(await rolesOf(sub)).toEqual({ library: 20, museum: 40 });
    await regroup(sub, ['readers', 'museum']);
    expect(await rolesOf(sub)).toEqual({ library: 10, museum: 40 });
    await regroup(sub, ['heads']);
    expect(await rolesOf(sub)).toEqual({ library: 40 });
    await regroup(sub, []);
    expect(await rolesOf(sub)).toEqual({});
    await regroup(sub, ['staff']);
    expect(await rolesOf(sub)).toEqual({ library: 20 });
  });

  it('keeps what people gave by hand, and gives it back when a group no longer gives more', async () => {
    const sub = await aPerson([]);
    await anAccount(`${sub}@uni.example.com`, 20);
    expect(await rolesOf(sub)).toEqual({ library: 20 });
    await regroup(sub, ['readers']);
    expect(await rolesOf(sub)).toEqual({ library: 20 });
    await regroup(sub, ['heads']);
    expect(await rolesOf(sub)).toEqual({ library: 40 });
    await regroup(sub, ['readers']);
    expect(await rolesOf(sub)).toEqual({ library: 20 });
    await regroup(sub, undefined);
    expect(await rolesOf(sub)).toEqual({ library: 20 });
  });

  it('leaves no org without an owner, and takes the role once there is another', async () => {
    const oid = museum;
    const connection = stage.under.connection.collection('organizations');
    await connection.updateOne({ slug: 'museum' }, { $set: { users: {} } });
    const sub = await aPerson(['museum']);
    expect(await rolesOf(sub)).toEqual({ museum: 40 });
    await regroup(sub, []);
    expect(await rolesOf(sub)).toEqual({ museum: 40 });
    await aMember(stage.under, oid, 40);
    expect(await rolesOf(sub)).toEqual({});
  });

  it('makes superusers by a group, and none of them once they are out of it', async () => {
    const sub = await aPerson(['admins']);
    expect((await stage.me(sub)).is_superuser).toBe(true);
    await regroup(sub, ['staff']);
    expect(await stage.me(sub)).toMatchObject({ is_superuser: false, orgs: [{ slug: 'library', role: 20 }] });
  });

  it('opens the account that has the address, where both have verified it', async () => {
    const sub = await aPerson(['staff'], { email: 'Linked.Person@uni.example.com' });
    const id = await anAccount('linked.person@uni.example.com');
    expect((await stage.me(sub)).id).toBe(id);
    expect((await stage.under.login('linked.person@uni.example.com', PASSWORD)).token).not.toBeNull();
  });

  it('opens no account by an address that the provider has not verified, and makes none', async () => {
    const email = 'victim@uni.example.com';
    await anAccount(email);
    for (const fields of [
      { email, email_verified: false },
      { email, email_verified: 'true' },
      { email, email_verified: undefined },
      { email: 'stranger@uni.example.com', email_verified: false },
      { email: undefined },
      { email: 'no address' },
      { email: ['victim@uni.example.com'] },
    ])
      expect([fields, await stage.signIn(await aPerson(['staff'], fields))]).toEqual([
        fields,
        { status: 403, detail: 'sign_in_address_unverified' },
      ]);
  });

  it('opens no account whose holder has never shown that the address is theirs', async () => {
    const email = 'squatted@uni.example.com';
    await anAccount(email);
    await stage.under.connection.collection('users').updateOne({ email }, { $set: { is_verified: false } });
    expect(await stage.signIn(await aPerson(['staff'], { email }))).toEqual(taken);
  });

  it('opens no account by an address that only looks the same to the database', async () => {
    await anAccount('narrow@uni.example.com');
    expect(await stage.signIn(await aPerson(['staff'], { email: 'ｎarrow@uni.example.com' }))).toEqual(taken);
  });

  it('opens no superuser’s account by its address', async () => {
    const { email } = (await (await stage.under.admin()).get('/users/me')).body as { email: string };
    await stage.under.connection.collection('users').updateOne({ email }, { $set: { is_verified: true } });
    expect(await stage.signIn(await aPerson(['admins'], { email }))).toEqual(taken);
  });

  it('opens no account by an address that passed to another person of the provider', async () => {
    const email = 'info@uni.example.com';
    const before = await stage.me(await aPerson(['staff'], { email }));
    expect(await stage.signIn(await aPerson(['heads'], { email }))).toEqual(taken);
    expect(before.email).toBe(email);
  });

  it.each(['of an account that is there', 'that nobody has'])(
    'gives an address %s to one of several people who come with it at once',
    async (which) => {
      const email = anEmail('shared');
      if (which !== 'that nobody has') await anAccount(email);
      const subs = await Promise.all([1, 2, 3, 4].map(() => aPerson(['staff'], { email })));
      const browsers = subs.map(() => new CookieBrowser());
      const backs = await Promise.all(subs.map((sub, n) => stage.proven(browsers[n]!, sub)));
      const ends = await Promise.all(backs.map((back, n) => stage.finish(browsers[n]!, back)));
      expect(ends.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(ends.filter(({ status }) => status !== 200)).toEqual([taken, taken, taken]);
      expect(await stage.under.connection.collection('users').countDocuments({ email })).toBe(1);
    },
  );

  it('goes by the person, not by the address: another’s address changes nothing', async () => {
    const [first, second] = [await aPerson(['staff']), await aPerson(['staff'])];
    const [one, two] = [await stage.me(first), await stage.me(second)];
    await stage.provider.person(first, { email: two.email, email_verified: true, groups: ['staff'] });
    expect(await stage.me(first)).toMatchObject({ id: one.id, email: one.email });
  });

  it('makes another account for somebody whose account was deleted', async () => {
    const sub = await aPerson(['staff']);
    const before = await stage.me(sub);
    await stage.under.connection.collection('users').deleteOne({ email: before.email });
    const after = await stage.me(sub);
    expect([after.id === before.id, after.email]).toEqual([false, before.email]);
  });

  it('forgets who somebody is elsewhere when their account goes with its org', async () => {
    const gone = await anOrg(stage.under, { name: 'Gone', slug: 'gone' });
    const sub = await aPerson(['gone']);
    const { id } = await stage.me(sub);
    const identities = stage.under.connection.collection('identities');
    expect(await identities.countDocuments({ subject: sub })).toBe(1);
    expect((await (await stage.under.admin()).delete(`/orgs/${gone}`)).status).toBe(200);
    await eventually(async () => expect(await identities.countDocuments({ subject: sub })).toBe(0));
    expect(
      (await stage.under.connection.collection('users').find().toArray()).map((user) => String(user['id'])),
    ).not.toContain(id);
  });

  it('makes accounts that no password opens', async () => {
    const { email } = await stage.me(await aPerson(['staff']));
    for (const password of ['', ' ', 'undefined', 'null'])
      expect(
        (await stage.under.api.call('POST', '/auth/jwt/login', { form: { username: email, password } })).status,
      ).not.toBe(200);
  });

  it('lets nobody end a sign-in that was begun more than ten minutes ago', async () => {
    const [sub, browser] = [await aPerson(['staff']), new CookieBrowser()];
    const back = await stage.proven(browser, sub);
    stage.under.clock.advance(minutes(10));
    expect(await stage.finish(browser, back)).toEqual({ status: 400, detail: 'sign_in_expired' });
  });
});

describe('a deployment without passwords but those of superusers', () => {
  let stage: SignInStage;

  beforeAll(async () => {
    stage = await SignInStage.open(
      [{ id: 'uni', client_id: 'muniment', client_auth: 'basic', trust_addresses: true, link_by_address: true }],
      { PASSWORD_LOGIN: 'superuser' },
    );
  });
  afterAll(() => stage?.close());

  it('lets superusers in by theirs, and others by the provider', async () => {
    const oid = await stage.under.defaultOrgId();
    const admin = await stage.under.admin();
    const email = anEmail('walled');
    await admin.post(`/orgs/${oid}/add-user`, { email, password: PASSWORD, name: email, role: 10 });
    const login = (password: string) =>
      stage.under.api.call('POST', '/auth/jwt/login', { form: { username: email, password } });
    expect(await login(PASSWORD)).toMatchObject({ status: 403, body: { detail: 'password_login_off' } });
    expect(await login('wrong password')).toMatchObject({ status: 400, body: { detail: 'login_bad_credentials' } });
    expect((await stage.under.api.get('/auth/oidc')).body.passwordLogin).toBe('superuser');
    // The provider says nothing of whether it has verified the address; the settings vouch for it.
    await stage.provider.person('walled', { email });
    expect((await stage.me('walled')).orgs).toHaveLength(1);
  });

  it('lets API keys in as before, and passwords nowhere else', async () => {
    const email = 'keyed@uni.example.com';
    const oid = await stage.under.defaultOrgId();
    const admin = await stage.under.admin();
    await admin.post(`/orgs/${oid}/add-user`, { email, password: PASSWORD, name: email, role: 10 });
    await stage.provider.person('keyed', { email });
    const api = stage.under.api.as((await stage.signIn('keyed')).handed!.token);
    const { id, key } = (await api.post('/users/me/api-keys', { name: 'x', scopes: ['items:read'] })).body;
    const login = (username: string, password: string) =>
      stage.under.api.call('POST', '/auth/jwt/login', { form: { username, password } });
    expect((await login(id, key)).status).toBe(200);
    const basic = `Basic ${Buffer.from(`${email}:${PASSWORD}`).toString('base64')}`;
    const listed = await stage.under.api.call('GET', '/wasapi/v1/webdata', { headers: { authorization: basic } });
    expect([listed.status, listed.body.detail]).toEqual([403, 'password_login_off']);
  });

  it('lets nobody in by a password where that is off, and counts no failures', async () => {
    const env = { PASSWORD_LOGIN: 'off', OIDC_PROVIDERS_JSON: stage.file };
    const closed = await startApp({ like: stage.under, env: { ...env, ALLOW_PRIVATE_ADDRESSES: 'sign-in' } });
    try {
      for (let attempt = 1; attempt <= 7; attempt += 1) {
        const form = { username: ADMIN.email, password: ADMIN.password };
        const { status, body } = await closed.api.call('POST', '/auth/jwt/login', { form });
        expect([status, body.detail]).toEqual([403, 'password_login_off']);
      }
    } finally {
      await closed.stop();
    }
  });

  it('makes no accounts where the settings do not say so', async () => {
    await stage.provider.person('unknown', { email: 'unknown@uni.example.com' });
    expect(await stage.signIn('unknown')).toEqual({ status: 403, detail: 'sign_in_no_account' });
  });

  it('lets the unmodified former client in, and tells it of refusals at its own page', async () => {
    const { handed } = await stage.signIn('walled', { query: '?client=browsertrix&returnTo=/orgs/x' });
    expect(handed).toMatchObject({ isFormerClient: true, returnTo: '/orgs/x' });
    const browser = new CookieBrowser();
    const back = await stage.proven(browser, 'unknown', { query: '?client=browsertrix' });
    const cookie = [...browser.jar(stage.under.baseUrl)].map((pair) => pair.join('=')).join('; ');
    const response = await fetch(back, { redirect: 'manual', headers: { cookie, accept: 'text/html' } });
    expect(response.headers.get('location')).toBe('/log-in?refused=sign_in_no_account');
  });
});

describe('settings of providers', () => {
  it('stop the start where nobody could log in', async () => {
    const opened = SignInStage.open([], { PASSWORD_LOGIN: 'off', OIDC_PROVIDERS_JSON: '' });
    await expect(opened).rejects.toThrow('PASSWORD_LOGIN=off needs OIDC_PROVIDERS_JSON');
  });

  it('let nobody reach a provider in a private network unless they say so', async () => {
    const stage = await SignInStage.open([{ id: 'uni', issuer: 'https://127.0.0.1:9', client_id: 'x' }], {
      ALLOW_PRIVATE_ADDRESSES: '',
    });
    try {
      expect(await stage.under.api.get('/auth/oidc/uni/start')).toMatchObject({
        status: 502,
        body: { detail: 'sign_in_provider_away' },
      });
    } finally {
      await stage.close();
    }
  });
});
