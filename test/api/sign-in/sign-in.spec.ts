import { CookieBrowser } from '../../support/oidc-provider.js';
import { SignInStage, verified } from '../../support/sign-in-stage.js';

const SCOPES = ['openid', 'email', 'profile', 'groups'];

describe('sign-in by OpenID Connect', () => {
  let stage: SignInStage;

  beforeAll(async () => {
    stage = await SignInStage.open([
      { id: 'uni', name: 'University', client_id: 'muniment', new_accounts: 'always', scopes: SCOPES },
    ]);
  });
  afterAll(() => stage?.close());
  afterEach(() => stage?.provider.forge(null));

  async function aPerson(fields = {}): Promise<string> {
    const { sub, claims } = verified(fields);
    await stage.provider.person(sub, claims);
    return sub;
  }

  it('is offered to everybody who asks', async () => {
    const { body } = await stage.under.api.get('/auth/oidc');
    expect(body).toEqual({
      providers: [{ id: 'uni', name: 'University' }],
      passwordLogin: 'on',
      passkeysAt: expect.stringContaining('localhost'),
    });
  });

  it('gives a stranger an account without the default org, and the same one the next time', async () => {
    const sub = await aPerson();
    const me = await stage.me(sub);
    expect(me).toMatchObject({ email: `${sub}@uni.example.com`, is_verified: true, is_superuser: false, orgs: [] });
    expect((await stage.me(sub)).id).toBe(me.id);
  });

  it('makes one account of parallel first sign-ins', async () => {
    const sub = await aPerson();
    const browsers = Array.from({ length: 8 }, () => new CookieBrowser());
    const backs = await Promise.all(browsers.map((browser) => stage.proven(browser, sub)));
    const ends = await Promise.all(browsers.map((browser, n) => stage.finish(browser, backs[n]!)));
    expect(ends.map(({ status }) => status)).toEqual(browsers.map(() => 200));
    const users = stage.under.connection.collection('users');
    expect(await users.countDocuments({ email: `${sub}@uni.example.com` })).toBe(1);
  });

  it('hands the session over in a page that runs no script of its own', async () => {
    const browser = new CookieBrowser();
    const back = await stage.proven(browser, await aPerson(), { query: '?returnTo=/o/my-org?tab=1' });
    const response = await browser.go(back);
    const text = await response.text();
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self';");
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('cross-origin-opener-policy')).toBe('noopener-allow-popups');
    expect(text).toContain('"returnTo":"/o/my-org?tab=1"');
    expect(text.match(/<script[^>]*>/g)).toEqual([
      '<script type="application/json" id="session">',
      '<script src="/api/auth/oidc/finish.js" defer>',
    ]);
    const script = await browser.go(`${stage.under.baseUrl}/api/auth/oidc/finish.js`);
    expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
  });

  it('keeps what is under way in a cookie that scripts and other sites do not get', async () => {
    const response = await new CookieBrowser().go(stage.start('uni'));
    expect(response.headers.get('set-cookie')).toMatch(
      /^muniment-sign-in=[^;]+; Max-Age=600; Path=\/;.*HttpOnly; SameSite=Lax$/,
    );
    const asked = new URL(response.headers.get('location')!).searchParams;
    expect(asked.get('code_challenge_method')).toBe('S256');
    expect([...asked.keys()].sort()).toEqual([
      'client_id',
      'code_challenge',
      'code_challenge_method',
      'nonce',
      'redirect_uri',
      'response_type',
      'scope',
      'state',
    ]);
  });

  it.each([
    'https://evil.example.com/',
    '//evil.example.com/',
    '/\\evil.example.com/',
    '/\t/evil.example.com/',
    '/a/..//evil.example.com/',
    '/%2e%2e//evil.example.com/',
    '/.//evil.example.com',
    'javascript:alert(1)',
    'evil',
    '/api/auth/oidc/uni/start',
    `/${'a'.repeat(1001)}`,
  ])('returns to pages of the service alone, not to %s', async (path) => {
    const { status, body } = await stage.under.api.get('/auth/oidc/uni/start', { returnTo: path });
    expect([status, body.detail[0].loc]).toEqual([422, ['query', 'returnTo']]);
  });

  it('knows the providers of its settings alone', async () => {
    for (const step of ['start', 'callback', 'end'])
      expect(await stage.under.api.get(`/auth/oidc/other/${step}`)).toMatchObject({
        status: 404,
        body: { detail: 'sign_in_provider_not_found' },
      });
  });

  it('takes an answer in the browser that asked, and once', async () => {
    const [sub, browser] = [await aPerson(), new CookieBrowser()];
    const back = await stage.proven(browser, sub);
    const foreign = await stage.finish(new CookieBrowser(), back);
    const cookie = new Map(browser.jar(stage.under.baseUrl));
    const first = await stage.finish(browser, back);
    const again = await stage.finish(browser, back);
    // Even where the cookie was kept: the provider takes a code once.
    cookie.forEach((value, name) => browser.jar(stage.under.baseUrl).set(name, value));
    const replayed = await stage.finish(browser, back);
    expect([foreign, first.status, again, replayed]).toEqual([
      { status: 400, detail: 'sign_in_expired' },
      200,
      { status: 400, detail: 'sign_in_expired' },
      { status: 400, detail: 'sign_in_not_proven' },
    ]);
  });

  it('takes no answer to another request, and no altered cookie', async () => {
    const sub = await aPerson();
    const [victim, attacker] = [new CookieBrowser(), new CookieBrowser()];
    await stage.proven(victim, sub);
    const forced = await stage.proven(attacker, sub);
    expect(await stage.finish(victim, forced)).toEqual({ status: 400, detail: 'sign_in_expired' });
    const jar = attacker.jar(stage.under.baseUrl);
    const [name, value] = [...jar][0]!;
    const [content, signature] = value.split('.') as [string, string];
    const changed = Buffer.from(content, 'base64url').toString('utf8').replace('"/"', '"//evil"');
    jar.set(name, `${Buffer.from(changed).toString('base64url')}.${signature}`);
    expect(await stage.finish(attacker, forced)).toEqual({ status: 400, detail: 'sign_in_expired' });
    jar.set(name, 'x');
    expect(await stage.finish(attacker, forced)).toEqual({ status: 400, detail: 'sign_in_expired' });
  });

  it('takes no answer for another nonce', async () => {
    const [sub, browser] = [await aPerson(), new CookieBrowser()];
    const asked = await browser.next(stage.start('uni'));
    asked.searchParams.set('nonce', 'another');
    const back = await browser.logIn(asked, sub, stage.provider.issuer);
    expect(await stage.finish(browser, back)).toEqual({ status: 400, detail: 'sign_in_not_proven' });
  });

  it('takes no answer that another issuer gave, or nobody names', async () => {
    const [sub, browser] = [await aPerson(), new CookieBrowser()];
    const back = await stage.proven(browser, sub);
    expect(back.searchParams.get('iss')).toBe(stage.provider.issuer);
    for (const issuer of ['https://other.example.com', null]) {
      const mixed = new URL(back);
      if (issuer) mixed.searchParams.set('iss', issuer);
      else mixed.searchParams.delete('iss');
      const cookie = new Map(browser.jar(stage.under.baseUrl));
      expect(await stage.finish(browser, mixed)).toEqual({ status: 400, detail: 'sign_in_not_proven' });
      cookie.forEach((value, name) => browser.jar(stage.under.baseUrl).set(name, value));
    }
    expect((await stage.finish(browser, back)).status).toBe(200);
  });

  it.each([
    ['for another audience', { claims: { aud: 'other' } }],
    ['for several, of which the client is not the one meant', { claims: { aud: ['muniment', 'other'], azp: 'other' } }],
    ['of another issuer', { claims: { iss: 'https://other.example.com' } }],
    ['of no time', { claims: { exp: null } }],
    ['signed by a stranger', { by: 'stranger' as const }],
    ['not signed', { header: { alg: 'none' } }],
    ['signed with the secret that everybody knows', { header: { alg: 'HS256' } }],
    ['without a person', { claims: { sub: null } }],
    ['of a person whose name is too long', { claims: { sub: 'x'.repeat(256) } }],
  ])('believes no ID token %s', async (_, forgery) => {
    const sub = await aPerson();
    await stage.provider.forge(forgery);
    expect(await stage.signIn(sub)).toEqual({ status: 400, detail: 'sign_in_not_proven' });
  });

  it('believes no ID token of one person with the claims of another', async () => {
    const [sub, other] = [await aPerson(), await aPerson()];
    await stage.provider.forge({ claims: { sub: other } });
    expect(await stage.signIn(sub)).toEqual({ status: 400, detail: 'sign_in_not_proven' });
  });

  it('bears a minute by which the provider’s clock is off, and no more', async () => {
    const sub = await aPerson();
    const now = Math.floor(Date.now() / 1000);
    await stage.provider.forge({ claims: { iat: now - 3600, exp: now - 30 } });
    expect((await stage.signIn(sub)).status).toBe(200);
    await stage.provider.forge({ claims: { iat: now - 3600, exp: now - 120 } });
    expect(await stage.signIn(sub)).toEqual({ status: 400, detail: 'sign_in_not_proven' });
  });

  it('follows the provider to new keys at once', async () => {
    const sub = await aPerson();
    expect((await stage.signIn(sub)).status).toBe(200);
    await stage.provider.rotate();
    expect((await stage.signIn(sub)).status).toBe(200);
  });

  it('tells what the provider refuses', async () => {
    expect(await stage.signIn('')).toEqual({ status: 403, detail: 'sign_in_denied' });
  });

  it('tells of a provider that is away, in between too', async () => {
    const [sub, browser] = [await aPerson(), new CookieBrowser()];
    const back = await stage.proven(browser, sub);
    await stage.provider.away(true);
    expect(await stage.finish(browser, back)).toEqual({ status: 502, detail: 'sign_in_provider_away' });
    expect((await stage.under.api.get('/auth/oidc')).status).toBe(200);
    expect((await stage.under.admin()).token).not.toBeNull();
    await stage.provider.away(false);
    expect((await stage.signIn(sub)).status).toBe(200);
  });

  it('leads a browser that is refused to the page for logging in', async () => {
    const response = await fetch(`${stage.under.baseUrl}/api/auth/oidc/uni/callback?code=x&state=y`, {
      redirect: 'manual',
      headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
    });
    expect([response.status, response.headers.get('location')]).toEqual([303, '/login?refused=sign_in_expired']);
  });

  it('leads to where the session at the provider ends', async () => {
    const response = await fetch(`${stage.under.baseUrl}/api/auth/oidc/uni/end`, { redirect: 'manual' });
    const url = new URL(response.headers.get('location')!);
    expect(url.origin + url.pathname).toBe(`${stage.provider.issuer}/session/end`);
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${stage.under.baseUrl}/login`);
  });

  it('gives a session that is one like any other', async () => {
    const { handed } = await stage.signIn(await aPerson());
    const refreshed = await stage.under.api.as(handed!.token).post('/auth/jwt/refresh');
    expect(refreshed.status).toBe(200);
    expect(handed).toMatchObject({ isFormerClient: false, isShared: false, returnTo: '/' });
  });

  it('keeps no token, code or secret in what it stores', async () => {
    const stored = await stage.under.connection.collection('identities').findOne();
    expect(Object.keys(stored!).sort()).toEqual([
      '_id',
      'created',
      'granted',
      'grantedSuperuser',
      'issuer',
      'lastSeen',
      'subject',
      'userid',
    ]);
  });
});
