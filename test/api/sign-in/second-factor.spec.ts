import { CookieBrowser } from '../../support/oidc-provider.js';
import { FACTOR, FactorStage } from '../../support/factor-stage.js';
import { aMember, anOrg } from '../../support/people.js';
import { SignInStage, verified } from '../../support/sign-in-stage.js';

interface Half {
  readonly token: string | null;
  readonly challenge: { readonly challenge: string; readonly methods: string[] } | null;
}

describe('a second factor and sign-in by OpenID Connect', () => {
  let stage: SignInStage;
  let oid: string;

  beforeAll(async () => {
    stage = await SignInStage.open(
      [
        {
          ...{ id: 'uni', client_id: 'muniment', new_accounts: 'always', second_factor: 'claimed' },
          second_factor_acr: ['urn:example:gold'],
          rules: [{ claim: 'name', value: 'Staff', org: 'careful', role: 'crawler' }],
        },
      ],
      {},
      { realTime: false },
    );
    oid = await anOrg(stage.under, { name: 'Careful', slug: 'careful' });
    const factors = new FactorStage(stage.under);
    const owner = await factors.withApp(await aMember(stage.under, oid, 40));
    expect((await owner.api.post(`/orgs/${oid}/second-factor`, { demanded: true })).status).toBe(200);
  });
  afterAll(() => stage?.close());

  async function aPerson(): Promise<string> {
    const { sub, claims } = verified({ name: 'Staff' });
    await stage.provider.person(sub, claims);
    return sub;
  }
  const signIn = async (sub: string): Promise<Half> => {
    const { handed } = await stage.signIn(sub);
    return handed as unknown as Half;
  };
  const statusWith = async (token: string | null): Promise<number> =>
    (await stage.under.api.as(token).get(`/orgs/${oid}`)).status;

  it('is proved by what the ID token says, and asked for by its class', async () => {
    const sub = await aPerson();
    const asked = await new CookieBrowser().next(stage.start('uni'));
    expect(asked.searchParams.get('acr_values')).toBe('urn:example:gold');
    expect(await statusWith((await signIn(sub)).token)).toBe(403);
    for (const claims of [{ amr: ['mfa'] }, { acr: 'urn:example:gold' }]) {
      await stage.provider.forge({ claims });
      const { token } = await signIn(sub);
      expect(await statusWith(token)).toBe(200);
      const sessions = (await stage.under.api.as(token).get('/users/me/sessions')).body.items as { current: boolean }[];
      expect(sessions.find(({ current }) => current)).toMatchObject({ how: 'oidc:uni', factor: 'provider' });
    }
    for (const claims of [{ amr: ['pwd'] }, { amr: 'mfa' }, { acr: 'urn:example:silver' }]) {
      await stage.provider.forge({ claims });
      expect(await statusWith((await signIn(sub)).token)).toBe(403);
    }
    await stage.provider.forge(null);
    // What the claims at userinfo say is not of this sign-in.
    await stage.provider.person(sub, { ...verified().claims, name: 'Staff', amr: ['mfa'], acr: 'urn:example:gold' });
    expect(await statusWith((await signIn(sub)).token)).toBe(403);
  });

  it('is set up after a fresh sign-in without a password, and asked for from then on where it is not vouched for', async () => {
    const factors = new FactorStage(stage.under);
    const sub = await aPerson();
    const { token } = await signIn(sub);
    const api = stage.under.api.as(token);
    const { body: begun } = await api.post(`${FACTOR}/totp/begin`, {});
    const code = factors.code(begun.secret as string);
    expect((await api.post(`${FACTOR}/totp`, { setup: begun.setup, code })).status).toBe(200);
    expect(await statusWith(token)).toBe(200);
    const half = await signIn(sub);
    expect(half).toMatchObject({ token: null, challenge: { methods: ['totp', 'recovery'] } });
    factors.pass();
    const second = { code: factors.code(begun.secret as string) };
    const done = await factors.second(half.challenge?.challenge ?? '', second);
    expect(await statusWith(done.body.access_token as string)).toBe(200);
    const sessions = (await factors.client(done).get('/users/me/sessions')).body.items as { current: boolean }[];
    expect(sessions.find(({ current }) => current)).toMatchObject({ how: 'oidc:uni', factor: 'totp' });
    // The former client can't ask for it.
    const former = await stage.signIn(sub, { query: '?client=browsertrix' });
    expect(former).toEqual({ status: 403, detail: 'sign_in_second_factor_needed' });
    await stage.provider.forge({ claims: { amr: ['mfa'] } });
    expect(await statusWith((await signIn(sub)).token)).toBe(200);
    await stage.provider.forge(null);
    // A sign-in that is no longer fresh proves nothing more.
    stage.under.clock.advance(11 * 60_000);
    expect((await factors.client(done).post(`${FACTOR}/totp/remove`, {})).body).toEqual({
      detail: 'fresh_proof_needed',
    });
  });
});
