import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CONTAINER_HOST } from './container-host.js';

/** Its front page greets whoever has logged in by typing a name into the form. */
export async function startLoginSite(): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://site');
    const user = /user=(\w+)/.exec(request.headers.cookie ?? '')?.[1];
    response.setHeader('content-type', 'text/html');
    if (url.pathname === '/enter') {
      response
        .setHeader('set-cookie', `user=${url.searchParams.get('name') ?? ''}; Path=/`)
        .writeHead(302, { location: '/home' });
      response.end();
      return;
    }
    const form = '<form action="/enter"><input name="name" autofocus></form>';
    response.end(`<title>${user ? `Welcome ${user}` : 'Log in'}</title>${user ? '<h1>Welcome</h1>' : form}`);
  });
  await new Promise<void>((resolve) => server.listen(0, CONTAINER_HOST, resolve));
  return { server, url: `http://${CONTAINER_HOST}:${String((server.address() as AddressInfo).port)}/` };
}

const ENTER = { type: 'key', key: 'Enter', code: 'Enter', text: '\r', keyCode: 13 };

/** What a person does who logs in as ada. */
export const LOG_IN: readonly object[] = [
  { type: 'text', text: 'ada' },
  { ...ENTER, action: 'keyDown' },
  { ...ENTER, action: 'keyUp' },
];
