import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Application, Request, Response } from 'express';
import sirv from 'sirv';
import type { AppConfig } from '../config/app-config.js';
import type { PublicHead } from './public-head.js';
import { replayOriginOf } from './replay-origin.js';

/** The built console, seen from the sources and from `dist/src`. */
const WEB = ['../../dist/web/', '../../web/']
  .map((place) => fileURLToPath(new URL(place, import.meta.url)))
  .find((place) => existsSync(`${place}assets`));

/** Addresses of the console. All others stay the API's, so that an unknown path is its 404. */
const PAGES = [
  ...['/', '/login', '/setup', '/account', '/admin', '/admin/{*path}', '/o/{*path}', '/orgs/{*path}'],
  // Public pages, and those to which links in mails lead (`AccountMails`, `InviteMails`).
  ...['/explore', '/explore/{*path}', '/forgot-password', '/reset-password', '/verify', '/sign-up'],
  ...['/join/:token', '/invite/accept/:token'],
];

/** Where the page tells the console's script what only the server knows. */
const NONCE = /__CSP_NONCE__/g;
const REPLAY = '__REPLAY_ORIGIN__';
const TITLE = '<title>Muniment</title>';

/**
 * Serves the console: hashed files for a year, with brotli, and one document for every page. The document carries a
 * nonce for the style elements that Mantine makes.
 */
export function serveWeb(server: Application, http: AppConfig['http'], publicHead: PublicHead): void {
  const html = WEB ? readFileSync(`${WEB}index.html`, 'utf8') : null;
  if (WEB)
    server.use('/assets', sirv(`${WEB}assets`, { brotli: true, gzip: true, immutable: true, maxAge: 31_536_000 }));
  const page = async (request: Request, response: Response): Promise<void> => {
    if (html === null) {
      response.status(503).type('text').send('The console is not built. Run `npm run build`, then start again.\n');
      return;
    }
    const nonce = randomBytes(16).toString('base64');
    const replay = replayOriginOf(request, http);
    response.set({
      'Content-Security-Policy': policy(nonce, replay),
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    });
    const head = (await publicHead(request)) ?? TITLE;
    // By functions: in a text, `$&` would stand for what is replaced, and names are anybody's.
    const whole = html
      .replace(NONCE, () => nonce)
      .replace(REPLAY, () => replay ?? '')
      .replace(TITLE, () => head);
    response.type('html').send(whole);
  };
  for (const path of PAGES) server.get(path, page);
}

/** Pictures may come from any place: stores sign URLs on hosts of their own, and collections' texts show pictures. */
const policy = (nonce: string, replay: string | null): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob: http: https:",
    "font-src 'self'",
    "connect-src 'self' ws: wss:",
    `frame-src 'self'${replay ? ` ${replay}` : ''}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
