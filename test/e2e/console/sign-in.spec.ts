import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { axeFindings, Console, logIn, picture } from '../../support/console.js';
import { freePort } from '../../support/free-port.js';
import { TestProvider } from '../../support/oidc-provider.js';
import { ADMIN } from '../../support/start-app.js';

const BOUND_MS = 240_000;
const WITH = 'Sign in with University';

/** The service as built, with one provider of sign-ins. */
async function opened(env: Record<string, string>): Promise<{ open: Console; provider: TestProvider }> {
  const issuer = `http://127.0.0.1:${String(await freePort())}`;
  const file = join(await mkdtemp(join(tmpdir(), 'muniment-oidc-')), 'providers.json');
  await writeFile(
    file,
    JSON.stringify([
      {
        ...{ id: 'uni', name: 'University', issuer, client_id: 'muniment', client_secret: 'secret-of-tests' },
        scopes: ['openid', 'email', 'profile', 'groups'],
        new_accounts: 'mapped',
        rules: [{ claim: 'groups', value: 'staff', org: 'my-organization', role: 'owner' }],
      },
    ]),
  );
  const open = await Console.open({ OIDC_PROVIDERS_JSON: file, ALLOW_PRIVATE_ADDRESSES: 'sign-in', ...env });
  const provider = await TestProvider.start(
    { muniment: `${open.service.baseUrl}/api/auth/oidc/uni/callback` },
    { issuer },
  );
  await provider.person('ada', { email: 'ada@uni.example.com', email_verified: true, name: 'Ada', groups: ['staff'] });
  await provider.person('eve', { email: 'eve@uni.example.com', email_verified: true, name: 'Eve', groups: [] });
  return { open, provider };
}

const keys = (page: Page, store: 'localStorage' | 'sessionStorage'): Promise<string[]> =>
  page.evaluate((name) => Object.keys((globalThis as unknown as Record<string, object>)[name]!).sort(), store);

describe('signing in by a provider', () => {
  let open: Console;
  let provider: TestProvider;
  let page: Page;

  beforeAll(async () => {
    ({ open, provider } = await opened({ PASSWORD_LOGIN: 'superuser' }));
    page = await open.visitor();
  }, BOUND_MS);
  afterAll(async () => {
    provider?.stop();
    await open?.close();
  }, BOUND_MS);

  it(
    'leads from the button to the page that somebody wanted, and leaves no trace in the history',
    async () => {
      await page.goto(`${open.service.baseUrl}/o/my-organization/items`);
      await page.getByRole('link', { name: WITH }).waitFor();
      await picture(page, 'sign-in');
      expect(await axeFindings(page)).toEqual([]);
      expect(await page.getByLabel('Email').count()).toBe(0);
      await page.getByRole('link', { name: WITH }).click();
      await page.getByRole('button', { name: 'ada' }).click();
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForURL('**/o/my-organization/items');
      expect(await keys(page, 'sessionStorage')).not.toContain('muniment.session');
      expect(await keys(page, 'localStorage')).toContain('muniment.session');
      const addresses = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
      expect(addresses.filter((name) => /access_token|auth_bearer|eyJ/.test(name))).toEqual([]);
    },
    BOUND_MS,
  );

  it(
    'ends at the provider when the person logs out',
    async () => {
      await page.goto(`${open.service.baseUrl}/o/my-organization`);
      await page.getByRole('button', { name: 'Account' }).click();
      await page.getByRole('menuitem', { name: 'Log out' }).click();
      await page.waitForURL(`${provider.issuer}/session/end**`);
      await page.getByRole('button', { name: /yes/i }).click();
      await page.getByRole('link', { name: WITH }).waitFor();
      expect(await keys(page, 'localStorage')).not.toContain('muniment.session');
    },
    BOUND_MS,
  );

  it(
    'says why somebody is refused',
    async () => {
      await page.getByRole('link', { name: WITH }).click();
      await page.getByRole('button', { name: 'eve' }).click();
      await page.getByRole('alert').filter({ hasText: 'You have no account here.' }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
    },
    BOUND_MS,
  );

  it(
    'keeps the way in of superusers',
    async () => {
      await page.getByRole('button', { name: 'Log in with a password' }).click();
      await logIn(page, ADMIN.email, ADMIN.password);
      await page.getByRole('navigation').first().waitFor();
    },
    BOUND_MS,
  );

  it('complains of nothing', () => expect(open.complaints).toEqual([]));
});

describe('signing in where replay has no origin of its own', () => {
  let open: Console;
  let provider: TestProvider;

  beforeAll(async () => {
    ({ open, provider } = await opened({ REPLAY_PORT: '0' }));
  }, BOUND_MS);
  afterAll(async () => {
    provider?.stop();
    await open?.close();
  }, BOUND_MS);

  it(
    'says that the provider is away, and lets people in by their password all the same',
    async () => {
      await provider.away(true);
      const page = await open.visitor();
      await page.goto(`${open.service.baseUrl}/login`);
      await page.getByRole('link', { name: WITH }).click();
      await page.getByRole('alert').filter({ hasText: 'The provider cannot be reached' }).waitFor();
      await logIn(page, ADMIN.email, ADMIN.password);
      await page.getByRole('navigation').first().waitFor();
      await provider.away(false);
    },
    BOUND_MS,
  );

  it(
    'keeps the login in its tab, and hands it to the former client as that expects it',
    async () => {
      const page = await open.visitor();
      await page.goto(open.service.baseUrl);
      await page.getByRole('link', { name: WITH }).click();
      await page.getByRole('button', { name: 'ada' }).click();
      await page.getByRole('navigation').first().waitFor();
      expect(await keys(page, 'sessionStorage')).toContain('muniment.session');
      expect(await keys(page, 'localStorage')).not.toContain('muniment.session');

      const former = await open.visitor();
      await former.goto(`${open.service.baseUrl}/api/auth/oidc/uni/start?client=browsertrix&returnTo=/explore`);
      await former.getByRole('button', { name: 'ada' }).click();
      await former.waitForURL('**/explore');
      const stored = await former.evaluate(() => sessionStorage.getItem('btrix.auth'));
      const login = JSON.parse(stored ?? 'null') as {
        username: string;
        headers: { Authorization: string };
        tokenExpiresAt: number;
      };
      expect(login).toEqual({
        username: 'ada@uni.example.com',
        headers: { Authorization: expect.stringMatching(/^Bearer [\w.-]+$/) as string },
        tokenExpiresAt: expect.any(Number) as number,
      });
      expect(login.tokenExpiresAt).toBeGreaterThan(Date.now());
      const me = await fetch(`${open.service.baseUrl}/api/users/me`, { headers: login.headers });
      expect(me.status).toBe(200);
      expect(open.complaints).toEqual([]);
    },
    BOUND_MS,
  );
});
