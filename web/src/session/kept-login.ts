/**
 * Where the login of the browser is kept. With no import: `early.ts` reads it before any other code is there. Where
 * replay has an origin of its own, all tabs share it and it outlives a restart. Else archived scripts run on this
 * origin, in tabs of their own, and the login stays in the storage of this tab
 * (docs/adr/0040-replay-on-an-origin-of-its-own.md).
 */
export const replayOrigin: string =
  document.querySelector<HTMLMetaElement>('meta[name="replay-origin"]')?.content.replace(/^__.*__$/, '') ?? '';

const store: Storage = replayOrigin ? localStorage : sessionStorage;
export const LOGIN_KEY = 'muniment.session';
/** Written with the login by `src/sign-in/finish.js`. */
const PROVIDER_KEY = 'muniment.signed-in-by';

/** Milliseconds since 1970 at which a token ends; 0 for one that cannot be read. */
export function endOf(token: string): number {
  try {
    const payload = token.split('.')[1] ?? '';
    const { exp } = JSON.parse(atob(payload.replace(/-/g, '+').replace(/_/g, '/'))) as { exp?: number };
    return (exp ?? 0) * 1000;
  } catch {
    return 0;
  }
}

export const keptLogin = {
  /** The token, unless it has ended. */
  read(): string | null {
    const token = store.getItem(LOGIN_KEY);
    return token && endOf(token) > Date.now() ? token : null;
  },
  write: (token: string): void => store.setItem(LOGIN_KEY, token),
  forget: (): void => store.removeItem(LOGIN_KEY),
  writeProvider: (provider: string): void => store.setItem(PROVIDER_KEY, provider),
  /** The provider by which the login was made, which is forgotten; null where it was made by a password. */
  takeProvider(): string | null {
    const provider = store.getItem(PROVIDER_KEY);
    store.removeItem(PROVIDER_KEY);
    return provider;
  },
} as const;
