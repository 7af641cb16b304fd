import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { type Application, type Response } from 'express';
import { browserPage } from './browser-page.js';

const STATIC = fileURLToPath(new URL('./static/', import.meta.url));
const LOGO = readFileSync(join(STATIC, 'logo.svg'));
// Its package.json is not among the files that the package lets others resolve.
const PLAYER = dirname(createRequire(import.meta.url).resolve('replaywebpage/index.html'));

/**
 * Pages with a login form or a login: archived scripts, which run on this origin, may neither frame them nor keep a
 * handle on one that they open (docs/adr/0005-replay-holds-no-login.md).
 */
const APART = {
  'Content-Security-Policy': "frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'noopener-allow-popups',
  'Referrer-Policy': 'no-referrer',
};

const page = (name: string) => (_request: unknown, response: Response) =>
  void response.sendFile(join(STATIC, name), { headers: APART });
const playerFile = (name: string) => (_request: unknown, response: Response) =>
  void response.sendFile(join(PLAYER, name), { headers: { 'Service-Worker-Allowed': '/replay/' } });

/** Where the links of mails lead (`AccountMails`, `InviteMails`), and where a link can be asked for. */
const ACCOUNT_PAGES = ['/forgot-password', '/reset-password', '/verify', '/join/:token', '/invite/accept/:token'];

/** The built-in pages: home, those that links in mails lead to, the profile browser, and ReplayWeb.page with its service worker, whose scope is `/replay/`. */
export function serveConsole(server: Application): void {
  server.get('/', page('index.html'));
  for (const path of ACCOUNT_PAGES) server.get(path, page('account.html'));
  // The player loads itself into a frame by `?source=`. Its service worker answers that as well, but not before it has
  // taken over the page.
  server.get('/replay/', (request, response) =>
    request.query['source'] === undefined
      ? page('replay.html')(request, response)
      : playerFile('index.html')(request, response),
  );
  server.get('/replay/index.html', page('replay.html'));
  server.get('/replay/ui.js', playerFile('ui.js'));
  server.get('/replay/sw.js', playerFile('sw.js'));
  server.get('/browser/:browserid/', browserPage());
  // The icon of browsers' tabs, and the logo that the document names for Redoc (accounts §16.1).
  for (const path of ['/favicon.ico', '/docs-logo.svg'])
    server.get(path, (_request, response) => void response.type('svg').send(LOGO));
  server.use('/replay/assets', express.static(STATIC, { index: false, fallthrough: true }));
}
