import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { type Application, type Response } from 'express';
import { browserPage } from './browser-page.js';

const STATIC = fileURLToPath(new URL('./static/', import.meta.url));
const LOGO = readFileSync(join(STATIC, 'logo.svg'));
// The package does not let others resolve its package.json.
const PLAYER = dirname(createRequire(import.meta.url).resolve('replaywebpage/index.html'));

/**
 * Headers of pages with a login form or a login. Archived scripts run on this origin; they may neither frame such a
 * page nor keep a handle on one that they open (docs/adr/0005-replay-holds-no-login.md).
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

/** Pages to which links in mails lead (`AccountMails`, `InviteMails`) and on which a link can be requested. */
const ACCOUNT_PAGES = ['/forgot-password', '/reset-password', '/verify', '/join/:token', '/invite/accept/:token'];

/** The built-in pages: home, targets of links in mails, profile browser, and ReplayWeb.page (scope `/replay/`). */
export function serveConsole(server: Application): void {
  server.get('/', page('index.html'));
  for (const path of ACCOUNT_PAGES) server.get(path, page('account.html'));
  // The player loads itself into a frame by `?source=`. Its service worker answers that only after it has taken over
  // the page.
  server.get('/replay/', (request, response) =>
    request.query['source'] === undefined
      ? page('replay.html')(request, response)
      : playerFile('index.html')(request, response),
  );
  server.get('/replay/index.html', page('replay.html'));
  server.get('/replay/ui.js', playerFile('ui.js'));
  server.get('/replay/sw.js', playerFile('sw.js'));
  server.get('/browser/:browserid/', browserPage());
  // The icon for browser tabs, and the logo that the document names for Redoc (accounts §16.1).
  for (const path of ['/favicon.ico', '/docs-logo.svg'])
    server.get(path, (_request, response) => void response.type('svg').send(LOGO));
  server.use('/replay/assets', express.static(STATIC, { index: false, fallthrough: true }));
}
