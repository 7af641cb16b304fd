import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { type Application, type Request, type Response } from 'express';
import type { AppConfig } from '../config/app-config.js';
import { browserPage } from './browser-page.js';
import { isForReplay, replayOriginOf } from './replay-origin.js';

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

/** On the replay origin there is no login to protect, and other sites show public collections in a frame. */
const FRAMED = { 'Referrer-Policy': 'no-referrer', 'Origin-Agent-Cluster': '?1' };

const page = (name: string, headers: Readonly<Record<string, string>>) => (_request: unknown, response: Response) =>
  void response.sendFile(join(STATIC, name), { headers });
const playerFile = (name: string) => (_request: unknown, response: Response) =>
  void response.sendFile(join(PLAYER, name), { headers: { 'Service-Worker-Allowed': '/replay/' } });

/** The console's page that replays what a link to `/replay/` names. */
function consolePage({ query }: Request): string {
  const one = (name: string): string => {
    const value = query[name];
    return typeof value === 'string' ? value : '';
  };
  const [kind, id] = one('collection')
    ? ['collections', one('collection')]
    : ['items', one('item') || one('crawl') || one('upload')];
  if (!one('oid') || !id) return '/';
  const shown = new URLSearchParams({ tab: 'replay' });
  for (const name of ['url', 'ts']) if (one(name)) shown.set(name, one(name));
  return `/${['o', one('oid'), kind, id].map(encodeURIComponent).join('/')}?${shown.toString()}`;
}

/** The profile browser's view and ReplayWeb.page (scope `/replay/`). */
export function serveConsole(server: Application, http: AppConfig['http']): void {
  const replayPage = (request: Request, response: Response): void => {
    if (isForReplay(request, http)) return page('replay-apart.html', FRAMED)(request, response);
    const origin = replayOriginOf(request, http);
    if (!origin) return page('replay.html', APART)(request, response);
    // Archived scripts must never run where people are logged in. The console opens the archive in a frame.
    response.set('Referrer-Policy', 'no-referrer').redirect(302, consolePage(request));
  };
  // The player loads itself into a frame by `?source=`. Its service worker answers that only after it has taken over
  // the page.
  server.get('/replay/', (request, response) =>
    request.query['source'] === undefined ? replayPage(request, response) : playerFile('index.html')(request, response),
  );
  server.get('/replay/index.html', replayPage);
  // What is framed below `/replay/` is answered by the player's service worker once it is there: with a page of its own,
  // or under a policy that lets no player in. So the pages that hold a player lie outside.
  server.get('/replay-page/', replayPage);
  // Where people are logged in there is no such page: it would run what the archive holds beside their login.
  server.get('/replay-page/records.html', (request, response, next) =>
    isForReplay(request, http) ? page('records.html', FRAMED)(request, response) : next(),
  );
  server.get('/replay/ui.js', playerFile('ui.js'));
  server.get('/replay/sw.js', playerFile('sw.js'));
  server.get('/browser/:browserid/', browserPage());
  // The icon for browser tabs, and the logo that the document names for Redoc (accounts §16.1).
  for (const path of ['/favicon.ico', '/docs-logo.svg'])
    server.get(path, (_request, response) => void response.type('svg').send(LOGO));
  server.use('/replay/assets', express.static(STATIC, { index: false, fallthrough: true }));
}
