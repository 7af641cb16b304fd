/** The login of this tab. A token that came in the fragment of a printed link is kept and taken out of the address. */
const KEY = 'muniment.token';

const fragment = new URLSearchParams(location.hash.slice(1));
if (fragment.has('auth_bearer')) {
  sessionStorage.setItem(KEY, fragment.get('auth_bearer'));
  history.replaceState(null, '', location.pathname + location.search);
}

const token = () => sessionStorage.getItem(KEY);
export const keepLogin = (login) => sessionStorage.setItem(KEY, login);
const logOut = () => sessionStorage.removeItem(KEY);

/** Calls the API. @returns status and body, whatever they are */
export async function call(method, path, body, login) {
  const response = await fetch(`/api${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', ...(login ? { Authorization: `Bearer ${login}` } : {}) },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return { status: response.status, body: await response.json().catch(() => null) };
}

/** Calls the API with the tab's login; a refused token shows the login form again. */
export async function api(path) {
  const response = await fetch(`/api${path}`, { headers: { Authorization: `Bearer ${token()}` } });
  if (response.status === 401) {
    logOut();
    location.reload();
  }
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.json();
}

/** Takes the login out of the tab for good. @returns it, or null */
export function takeLogin() {
  const taken = token();
  logOut();
  return taken;
}

/** A token that shows one item or collection, and nothing else. @returns null when the login is no longer good */
export async function replayToken(scope, login = token()) {
  const response = await fetch('/api/auth/jwt/replay', {
    method: 'POST',
    headers: { Authorization: `Bearer ${login}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(scope),
  });
  return response.ok ? (await response.json()).token : null;
}

/** @returns the login token, or what is wrong */
export async function logIn(username, password) {
  const body = new URLSearchParams({ username, password });
  const response = await fetch('/api/auth/jwt/login', { method: 'POST', body });
  if (response.ok) return { login: (await response.json()).access_token };
  if (response.status === 429) return { problem: 'Too many attempts. Try again in an hour, or reset the password.' };
  const isWrong = response.status === 400;
  const problem = isWrong ? 'The email address or the password is wrong.' : `The service answered ${response.status}.`;
  return { problem };
}

/** Shows the login form; `use` gets the login token once there is one. */
export function askLogin(form, use) {
  form.hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const data = new FormData(form);
    const { login, problem } = await logIn(data.get('email'), data.get('password'));
    form.querySelector('.error').textContent = problem ?? '';
    if (problem) return;
    form.hidden = true;
    await use(login);
  });
}

/** Shows the login form until the tab has a login, then runs `start`. */
export function withLogin(form, start) {
  if (token()) return start();
  askLogin(form, (login) => {
    keepLogin(login);
    return start();
  });
}
