import { useSyncExternalStore } from 'react';
import { client, credentials, type Schemas } from '../api/client';
import { forgetEarly } from '../api/early-answers';
import { queryClient } from '../api/query-client';
import { endOf, keptLogin, LOGIN_KEY } from './kept-login';

export { replayOrigin } from './kept-login';

/** `expired`: the login ended while somebody worked; what is on the screen stays until they log in again. */
export type SessionState = 'none' | 'in' | 'expired';

interface Snapshot {
  readonly state: SessionState;
  readonly token: string | null;
}

const REFRESH_CHECK_MS = 60_000;
const REFRESH_BEFORE_MS = 10 * 60_000;

let snapshot: Snapshot = { state: 'none', token: null };
const listeners = new Set<() => void>();

function set(next: Snapshot): void {
  snapshot = next;
  for (const listener of listeners) listener();
}

function keep(token: string): void {
  keptLogin.write(token);
  set({ state: 'in', token });
}

/** A printed link carries a login in its fragment, which must not stay in the address. */
function takeFromAddress(): string | null {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const token = fragment.get('auth_bearer');
  if (token) history.replaceState(history.state, '', location.pathname + location.search);
  return token;
}

/** Renews the login shortly before it ends, as long as the page is looked at. */
async function refresh(): Promise<void> {
  const { token } = snapshot;
  if (!token || document.hidden || endOf(token) - Date.now() > REFRESH_BEFORE_MS) return;
  const { data } = await client.POST('/api/auth/jwt/refresh');
  const renewed = (data as { access_token?: string } | undefined)?.access_token;
  if (renewed && snapshot.token === token) keep(renewed);
}

function start(): void {
  const given = takeFromAddress();
  if (given) forgetEarly();
  const kept = given ?? keptLogin.read();
  if (kept && endOf(kept) > Date.now()) keep(kept);
  credentials.token = () => snapshot.token;
  credentials.refused = () => {
    if (snapshot.state === 'in') set({ state: 'expired', token: null });
  };
  window.addEventListener('storage', (event) => {
    if (event.key !== LOGIN_KEY) return;
    if (event.newValue) set({ state: 'in', token: event.newValue });
    else end();
  });
  setInterval(() => void refresh().catch(() => undefined), REFRESH_CHECK_MS);
  document.addEventListener('visibilitychange', () => void refresh().catch(() => undefined));
}

function end(): void {
  forgetEarly();
  set({ state: 'none', token: null });
  queryClient.clear();
}

/** The person is gone whatever comes of it, and so may be the page. */
async function endOnServer(token: string | null): Promise<void> {
  if (!token) return;
  const headers = { Authorization: `Bearer ${token}` };
  await fetch('/api/auth/jwt/logout', { method: 'POST', headers, keepalive: true }).catch(() => undefined);
}

export const session = {
  get state(): SessionState {
    return snapshot.state;
  },
  /** @throws ApiProblem 400 for a wrong password, 401 where a second step is missing, 429 while the account is locked */
  async logIn(email: string, password: string): Promise<Schemas['UserOut'] | null> {
    const { data } = await client.POST('/api/auth/jwt/login', {
      body: { username: email, password } as never,
      bodySerializer: () => new URLSearchParams({ grant_type: 'password', username: email, password }),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    const answer = data as { access_token: string; user_info?: Schemas['UserOut'] };
    await session.take(answer);
    return answer.user_info ?? null;
  },
  /** Takes a login that the API gave. @param provider where the person has a session as well */
  async take({ access_token: token }: { readonly access_token: string }, provider?: string): Promise<void> {
    keptLogin.takeProvider();
    if (provider) keptLogin.writeProvider(provider);
    keep(token);
    await queryClient.invalidateQueries();
  },
  /** @returns the provider at which the person has a session of its own, null where they gave a password */
  logOut(): string | null {
    void endOnServer(snapshot.token);
    const provider = keptLogin.takeProvider();
    keptLogin.forget();
    end();
    return provider;
  },
  /** @returns ends the subscription */
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};

start();

export const useSession = (): Snapshot => useSyncExternalStore(session.subscribe, () => snapshot);
