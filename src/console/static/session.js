/** The login of this tab. A token that came in the fragment of a printed link is kept and taken out of the address. */
const KEY = 'muniment.token';

const fragment = new URLSearchParams(location.hash.slice(1));
if (fragment.has('auth_bearer')) {
  sessionStorage.setItem(KEY, fragment.get('auth_bearer'));
  history.replaceState(null, '', location.pathname + location.search);
}

/** Takes the login out of the tab for good. @returns it, or null */
export function takeLogin() {
  const taken = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return taken;
}

/** A token that shows one item or collection, and nothing else. @returns null when the login is no longer good */
export async function replayToken(scope, login) {
  const response = await fetch('/api/auth/jwt/replay', {
    method: 'POST',
    headers: { Authorization: `Bearer ${login}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(scope),
  });
  return response.ok ? (await response.json()).token : null;
}

/** @returns the login token, or what is wrong */
async function logIn(username, password) {
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
