'use strict';
/**
 * Hands the session of a sign-in to the client. The page is the browser's only copy, and its address is replaced, so
 * that no step back leads to it.
 */
const { token, challenge, email, returnTo, isFormerClient, isShared, provider } = JSON.parse(
  document.getElementById('session').textContent,
);
if (isFormerClient) {
  const payload = JSON.parse(atob(token.split('.')[1].replace(/-/g, '+').replace(/_/g, '/')));
  const login = {
    username: email,
    headers: { Authorization: `Bearer ${token}` },
    tokenExpiresAt: payload.exp * 1000,
  };
  sessionStorage.setItem('btrix.auth', JSON.stringify(login));
} else if (challenge) {
  // The console's log-in page goes on from here (`web/src/session/second-step.ts`).
  sessionStorage.setItem('muniment.second-step', JSON.stringify({ ...challenge, returnTo, provider }));
} else {
  const store = isShared ? localStorage : sessionStorage;
  store.setItem('muniment.session', token);
  store.setItem('muniment.signed-in-by', provider);
}
location.replace(challenge ? '/login' : returnTo);
