import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.js';

const CHILD = fileURLToPath(new URL('./oidc-provider-child.mjs', import.meta.url));

/** What the provider says of a person. */
export type TestClaims = Readonly<Record<string, unknown>>;

/** What is wrong with the ID tokens that the provider sends from now on. */
export interface Forgery {
  readonly claims?: TestClaims;
  readonly header?: TestClaims;
  /** Signed by a key that is not the provider's. */
  readonly by?: 'stranger';
}

interface Told {
  readonly done?: number;
  readonly token?: string;
}

/** A real provider of OpenID Connect (`oidc-provider`), in a process of its own. */
export class TestProvider {
  private asked = 0;

  private constructor(
    readonly issuer: string,
    private readonly child: ChildProcess,
  ) {}

  /** @param redirectUris by client id; every client's secret is `secret-of-tests` */
  static async start(
    redirectUris: Readonly<Record<string, string>>,
    options: { issuer?: string } = {},
  ): Promise<TestProvider> {
    const issuer = options.issuer ?? `http://127.0.0.1:${String(await freePort())}`;
    const clients = Object.entries(redirectUris).map(([client_id, uri]) => ({
      client_id,
      client_secret: 'secret-of-tests',
      redirect_uris: [uri],
      post_logout_redirect_uris: [new URL('/login', uri).href],
      backchannel_logout_uri: uri.replace(/callback$/, 'backchannel-logout'),
      backchannel_logout_session_required: true,
    }));
    const env = { ...process.env, OIDC_TEST_SETTINGS: JSON.stringify({ issuer, clients }) };
    const child = fork(CHILD, { env, stdio: ['ignore', 'ignore', 'ignore', 'ipc'], execArgv: [] });
    await once(child, 'message');
    return new TestProvider(issuer, child);
  }

  /** Makes somebody known, or changes what is said of them. */
  async person(sub: string, claims: TestClaims): Promise<void> {
    await this.tell({ person: { sub, claims } });
  }

  async forge(forgery: Forgery | null): Promise<void> {
    await this.tell({ forge: forgery });
  }

  async away(isAway: boolean): Promise<void> {
    await this.tell({ away: isAway });
  }

  /** Another key, the only one from now on. */
  async rotate(): Promise<void> {
    await this.tell({ rotate: true });
  }

  /** A logout token of the first client, with other claims or another signature where the forgery says so. */
  async logoutToken(forgery: Forgery): Promise<string> {
    return (await this.tell({ logout: forgery })).token ?? '';
  }

  stop(): void {
    this.child.disconnect();
  }

  private async tell(message: object): Promise<Told> {
    const id = ++this.asked;
    const done = new Promise<Told>((resolve) => {
      const listen = (answer: unknown): void => {
        if ((answer as Told).done !== id) return;
        this.child.off('message', listen);
        resolve(answer as Told);
      };
      this.child.on('message', listen);
    });
    this.child.send({ id, ...message });
    return done;
  }
}

/** A browser as far as a sign-in needs one: it keeps cookies by origin, and follows redirects when told to. */
export class CookieBrowser {
  private readonly jars = new Map<string, Map<string, string>>();

  async go(address: string | URL, { method = 'GET', form }: { method?: string; form?: Record<string, string> } = {}) {
    const url = new URL(address);
    const jar = this.jar(url.origin);
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: { cookie: [...jar].map((pair) => pair.join('=')).join('; '), accept: 'application/json' },
      ...(form ? { body: new URLSearchParams(form) } : {}),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...rules] = line.split(';');
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      const isOver = value === '' || rules.some((rule) => /expires=Thu, 01 Jan 1970/i.test(rule));
      if (isOver) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  jar(origin: string): Map<string, string> {
    const jar = this.jars.get(origin) ?? new Map<string, string>();
    this.jars.set(origin, jar);
    return jar;
  }

  /** Where a redirect leads. */
  async next(address: string | URL, options?: { method?: string; form?: Record<string, string> }): Promise<URL> {
    const response = await this.go(address, options);
    const location = response.headers.get('location');
    if (!location) throw new Error(`${String(address)} answered ${String(response.status)} ${await response.text()}`);
    return new URL(location, address);
  }

  /** From the provider's page for logging in to the address to which it sends the browser back. */
  async logIn(at: string | URL, sub: string, issuer: string): Promise<URL> {
    let url = await this.next(at);
    if (url.origin === issuer && url.pathname.startsWith('/interaction/'))
      url = await this.next(await this.next(url, { method: 'POST', form: sub === '' ? {} : { sub } }));
    return url;
  }
}
