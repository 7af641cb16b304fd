import { readFileSync } from 'node:fs';
import type { Response } from 'express';
import type { Challenge } from '../auth/factors/factors.errors.js';

/** What the finishing page's script writes where the client looks for its login (web-client §2). */
export interface HandedSession {
  /** Null while the second step is to be made. */
  readonly token: string | null;
  /** What the second step needs; null when there is none. */
  readonly challenge: Challenge | null;
  readonly email: string;
  readonly returnTo: string;
  readonly isFormerClient: boolean;
  /** Whether the console keeps its login for all tabs (`web/src/session/kept-login.ts`). */
  readonly isShared: boolean;
  /** Where the person's session at the provider is ended. */
  readonly provider: string;
}

export const FINISH_SCRIPT = readFileSync(new URL('finish.js', import.meta.url), 'utf8');

/** A page that is opened by archived scripts must leave them no handle on it (docs/adr/0005-replay-holds-no-login.md). */
const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'noopener-allow-popups',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
};

/** The session goes as data that browsers don't run, in no address: those get into logs and histories. */
export function sendFinishPage(response: Response, session: HandedSession): void {
  const data = JSON.stringify(session).replace(/</g, '\\u003c');
  response.set(HEADERS).type('html').send(`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Muniment</title>
    <script type="application/json" id="session">${data}</script>
    <script src="/api/auth/oidc/finish.js" defer></script>
  </head>
  <body></body>
</html>
`);
}
