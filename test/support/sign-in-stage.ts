import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { CookieBrowser, TestProvider, type TestClaims } from './oidc-provider.js';
import { startApp, type AppUnderTest } from './start-app.js';

/** What the page at the end of a sign-in hands to the client. */
export interface Handed {
  readonly token: string;
  readonly email: string;
  readonly returnTo: string;
  readonly isFormerClient: boolean;
  readonly isShared: boolean;
}

let known = 0;
/** Somebody whom the provider has verified. */
export const verified = (fields: TestClaims = {}): { sub: string; claims: TestClaims & { email: string } } => {
  const sub = `person-${String(++known)}`;
  return { sub, claims: { email: `${sub}@uni.example.com`, email_verified: true, name: sub, ...fields } };
};

/** The service and a provider of OpenID Connect that know each other. */
export class SignInStage {
  private constructor(
    readonly under: AppUnderTest,
    readonly provider: TestProvider,
    /** Names the providers. */
    readonly file: string,
  ) {}

  /** @param entries providers' settings; those without an issuer get the provider's */
  static async open(
    entries: readonly Record<string, unknown>[],
    env: Record<string, string> = {},
    options: { realTime?: boolean } = {},
  ): Promise<SignInStage> {
    const issuer = `http://127.0.0.1:${String(await freePort())}`;
    const folder = await mkdtemp(join(tmpdir(), 'muniment-oidc-'));
    const file = join(folder, 'providers.json');
    const whole = entries.map((entry) => ({ issuer, client_secret: 'secret-of-tests', ...entry }));
    await writeFile(file, JSON.stringify(whole));
    const under = await startApp({
      env: { OIDC_PROVIDERS_JSON: file, ALLOW_PRIVATE_ADDRESSES: 'sign-in', ...env },
      realTime: options.realTime ?? true,
    });
    const uris = Object.fromEntries(
      whole.map((entry) => [
        (entry as Record<string, unknown>)['client_id'],
        `${under.baseUrl}/api/auth/oidc/${String((entry as Record<string, unknown>)['id'])}/callback`,
      ]),
    ) as Record<string, string>;
    return new SignInStage(under, await TestProvider.start(uris, { issuer }), file);
  }

  start(id: string, query = ''): string {
    return `${this.under.baseUrl}/api/auth/oidc/${id}/start${query}`;
  }

  /** Up to the address to which the provider sends the browser back. */
  async proven(browser: CookieBrowser, sub: string, { id = 'uni', query = '' } = {}): Promise<URL> {
    const asked = await browser.next(this.start(id, query));
    return browser.logIn(asked, sub, this.provider.issuer);
  }

  async finish(
    browser: CookieBrowser,
    back: string | URL,
  ): Promise<{ status: number; detail?: string; handed?: Handed }> {
    const response = await browser.go(back);
    const text = await response.text();
    if (response.status !== 200) {
      const detail = (JSON.parse(text) as { detail: string }).detail;
      return { status: response.status, detail };
    }
    const [, data = ''] = /id="session">([^<]*)</.exec(text) ?? [];
    return { status: 200, handed: JSON.parse(data) as Handed };
  }

  /** The whole way of a person with a browser of their own. */
  async signIn(sub: string, options: { id?: string; query?: string; browser?: CookieBrowser } = {}) {
    const browser = options.browser ?? new CookieBrowser();
    return this.finish(browser, await this.proven(browser, sub, options));
  }

  /** The account of somebody who signs in. */
  async me(sub: string): Promise<{
    id: string;
    email: string;
    is_superuser: boolean;
    is_verified: boolean;
    orgs: { id: string; slug: string; role: number }[];
  }> {
    const { status, detail, handed } = await this.signIn(sub);
    if (!handed) throw new Error(`signing in answered ${String(status)} ${String(detail)}`);
    return (await this.under.api.as(handed.token).get('/users/me')).body;
  }

  async close(): Promise<void> {
    this.provider?.stop();
    await this.under?.close();
  }
}
