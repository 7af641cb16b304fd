/**
 * The first code of a page, a small script beside the console's own (`vite.config.ts`): it runs while that is on its
 * way. For somebody who is logged in it fetches the code of an org's frame, which the console would ask for only once it
 * runs, and asks who they are.
 */
import { keptLogin } from './session/kept-login';

const ME = '/api/users/me';
const token = keptLogin.read();

if (token && globalThis.munimentEarly === undefined) {
  for (const href of document.getElementById('early')?.dataset['code']?.split(' ') ?? []) {
    const link = document.createElement('link');
    Object.assign(link, { rel: 'modulepreload', crossOrigin: '', href });
    document.head.append(link);
  }
  const answer = fetch(ME, { headers: { Authorization: `Bearer ${token}` } });
  // Who takes it is told; when nobody does, nobody wants to know.
  answer.catch(() => undefined);
  globalThis.munimentEarly = new Map([[ME, answer]]);
}
