import { days } from '../../../src/common/units/durations.js';
import type { ApiClient } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { CookieBrowser, type Forgery } from '../../support/oidc-provider.js';
import { SignInStage, verified } from '../../support/sign-in-stage.js';

const BACK = '/auth/oidc/uni/backchannel-logout';
const SECOND_MS = 1000;

describe('a session that ends at the provider', () => {
  let stage: SignInStage;
  beforeAll(async () => {
    stage = await SignInStage.open([{ id: 'uni', name: 'University', client_id: 'muniment', new_accounts: 'always' }]);
  });
  afterAll(() => stage?.close());

  const somebody = async (): Promise<string> => {
    const { sub, claims } = verified();
    await stage.provider.person(sub, claims);
    return sub;
  };
  const signedIn = async (sub: string, browser = new CookieBrowser()): Promise<ApiClient> =>
    stage.under.api.as((await stage.signIn(sub, { browser })).handed?.token ?? null);
  const statusOf = async (api: ApiClient): Promise<number> => (await api.get('/users/me')).status;
  const sidOf = ({ token }: ApiClient): string =>
    (JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString()) as { sid: string }).sid;
  /** What the provider calls its session, as it is stored with ours. */
  const providerSidOf = async (api: ApiClient): Promise<string | undefined> => {
    const { body } = await api.get<{ id: string }>('/users/me');
    const users = await stage.under.connection.collection('users').find({}).toArray();
    const user = users.find(({ id }) => String(id) === body.id) as { sessions?: Record<string, unknown>[] } | undefined;
    const session = user?.sessions?.find(({ sid }) => String(sid) === sidOf(api));
    return session?.['providerSid'] as string | undefined;
  };
  const send = (token: string) => stage.under.api.call('POST', BACK, { form: { logout_token: token } });
  const told = async (forgery: Forgery) => send(await stage.provider.logoutToken(forgery));

  it('ends here, when the person logs out there, in that browser and in no other', async () => {
    const sub = await somebody();
    const [here, there] = [new CookieBrowser(), new CookieBrowser()];
    const [one, other] = [await signedIn(sub, here), await signedIn(sub, there)];
    const page = await here.go(await here.next(`${stage.under.baseUrl}/api/auth/oidc/uni/end`));
    const text = await page.text();
    const form = Object.fromEntries(
      [...text.matchAll(/<input[^>]*name="([^"]*)"[^>]*value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    ) as Record<string, string>;
    const [, action = ''] = /action="([^"]*)"/.exec(text) ?? [];
    await here.go(new URL(action, stage.provider.issuer), { method: 'POST', form: { ...form, logout: 'yes' } });
    await eventually(async () => expect(await statusOf(one)).toBe(401));
    expect(await statusOf(other)).toBe(200);
  });

  it('ends all that began there where the provider names the person alone, and no log-in by password', async () => {
    const sub = await somebody();
    const stranger = await signedIn(await somebody());
    const mine = [await signedIn(sub), await signedIn(sub)];
    const admin = await stage.under.login('admin@example.com', 'PASSW0RD!of-tests');
    expect(await told({ claims: { sub } })).toMatchObject({ status: 200, body: { success: true } });
    for (const api of mine) expect(await statusOf(api)).toBe(401);
    for (const api of [stranger, admin]) expect(await statusOf(api)).toBe(200);
    expect(await statusOf(await signedIn(sub))).toBe(200);
  });

  it('is ended by the provider of that very session', async () => {
    const sub = await somebody();
    const [one, other] = [await signedIn(sub), await signedIn(sub)];
    const sid = await providerSidOf(one);
    expect(sid).toEqual(expect.any(String));
    expect((await told({ claims: { sub, sid: sid ?? null } })).status).toBe(200);
    expect([await statusOf(one), await statusOf(other)]).toEqual([401, 200]);
    expect((await told({ claims: { sub: 'nobody' } })).status).toBe(200);
  });

  it.each<[string, (sub: string) => Forgery]>([
    ['signed by a stranger', (sub) => ({ claims: { sub }, by: 'stranger' })],
    ['signed by nobody', (sub) => ({ claims: { sub }, header: { alg: 'none' } })],
    ['said to be signed with a shared secret', (sub) => ({ claims: { sub }, header: { alg: 'HS256' } })],
    ['with a key that nobody has', (sub) => ({ claims: { sub }, header: { kid: 'none' }, by: 'stranger' })],
    ['for another service', (sub) => ({ claims: { sub, aud: 'other' } })],
    ['of another issuer', (sub) => ({ claims: { sub, iss: 'https://evil.example.com' } })],
    ['with a nonce, as an ID token has', (sub) => ({ claims: { sub, nonce: 'n' } })],
    ['of no event', (sub) => ({ claims: { sub, events: null } })],
    ['of another event', (sub) => ({ claims: { sub, events: { 'http://example.com/other': {} } } })],
    [
      'whose event is a text',
      (sub) => ({ claims: { sub, events: 'http://schemas.openid.net/event/backchannel-logout' } }),
    ],
    ['that is over', (sub) => ({ claims: { sub, exp: Math.floor(Date.now() / SECOND_MS) - 3600 } })],
    ['made long ago', (sub) => ({ claims: { sub, iat: Math.floor((Date.now() - days(1)) / SECOND_MS) } })],
    ['that was never made', (sub) => ({ claims: { sub, iat: null } })],
    ['without a name of its own', (sub) => ({ claims: { sub, jti: null } })],
    ['that names nobody', () => ({ claims: {} })],
    ['whose person is no text', (sub) => ({ claims: { sub: [sub] } })],
    ['whose session is no text', (sub) => ({ claims: { sub, sid: 7 } })],
  ])('is not ended by a token %s', async (_, forged) => {
    const sub = await somebody();
    const api = await signedIn(sub);
    expect(await told(forged(sub))).toMatchObject({ status: 400, body: { detail: 'sign_in_not_proven' } });
    expect(await statusOf(api)).toBe(200);
  });

  it('is ended by nothing that is no token, at no provider that is not set up, and by none that is away', async () => {
    const sub = await somebody();
    const api = await signedIn(sub);
    for (const text of ['none', 'a.b.c', api.token ?? '']) expect((await send(text)).status).toBe(400);
    expect((await stage.under.api.call('POST', BACK, { form: {} })).status).toBe(422);
    const unknown = await stage.under.api.call('POST', '/auth/oidc/other/backchannel-logout', {
      form: { logout_token: 'x' },
    });
    expect(unknown).toMatchObject({ status: 404, body: { detail: 'sign_in_provider_not_found' } });
    expect(await statusOf(api)).toBe(200);
  });

  it('ends by a new key of the provider’s', async () => {
    const sub = await somebody();
    const api = await signedIn(sub);
    await stage.provider.rotate();
    await eventually(async () => expect((await told({ claims: { sub } })).status).toBe(200), 30_000, 500);
    expect(await statusOf(api)).toBe(401);
  }, 60_000);
});
