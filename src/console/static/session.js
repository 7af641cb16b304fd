/** The login of this tab. A token that came in the fragment of a printed link is kept and taken out of the address. */
const KEY = 'muniment.token';

const fragment = new URLSearchParams(location.hash.slice(1));
if (fragment.has('auth_bearer')) {
  sessionStorage.setItem(KEY, fragment.get('auth_bearer'));
  history.replaceState(null, '', location.pathname + location.search);
}

export const token = () => sessionStorage.getItem(KEY);
export const logOut = () => sessionStorage.removeItem(KEY);

/** Calls the API; a refused token shows the login form again. */
export async function api(path) {
  const response = await fetch(`/api${path}`, { headers: { Authorization: `Bearer ${token()}` } });
  if (response.status === 401) {
    logOut();
    location.reload();
  }
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.json();
}

/** Calls what is open to anybody. */
export async function publicApi(path) {
  const response = await fetch(`/api${path}`);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.json();
}

async function logIn(username, password) {
  const body = new URLSearchParams({ username, password });
  const response = await fetch('/api/auth/jwt/login', { method: 'POST', body });
  if (response.ok) {
    sessionStorage.setItem(KEY, (await response.json()).access_token);
    return null;
  }
  if (response.status === 429) return 'Too many attempts. Try again in an hour, or reset the password.';
  return response.status === 400
    ? 'The email address or the password is wrong.'
    : `The service answered ${response.status}.`;
}

/** Shows the login form until there is a token, then runs `start`. */
export function withLogin(form, start) {
  if (token()) return start();
  form.hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const data = new FormData(form);
    const problem = await logIn(data.get('email'), data.get('password'));
    form.querySelector('.error').textContent = problem ?? '';
    if (problem) return;
    form.hidden = true;
    start();
  });
}
