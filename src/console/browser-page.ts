import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Request, Response } from 'express';

const part = (name: string): string => readFileSync(new URL(`./static/${name}`, import.meta.url), 'utf8');

/**
 * The view of a profile browser, complete in one answer: other paths may belong to another program in front, such as a
 * client on the same host. Clients show it in a frame. It holds no login. Only its socket, `/browser/<id>/ws`, gets the
 * token in its address.
 */
export function browserPage(): (request: Request, response: Response) => void {
  const script = part('browser.js');
  const style = part('browser.css');
  const html = part('browser.html');
  return (_request, response) => {
    const nonce = randomBytes(16).toString('base64');
    const whole = html
      .replace('<link rel="stylesheet" href="browser.css" />', () => `<style nonce="${nonce}">\n${style}</style>`)
      .replace(
        '<script type="module" src="browser.js"></script>',
        () => `<script type="module" nonce="${nonce}">\n${script}</script>`,
      );
    response.set({
      'Content-Security-Policy':
        `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src data: blob:; ` +
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
      'Cross-Origin-Opener-Policy': 'noopener-allow-popups',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
    });
    response.type('html').send(whole);
  };
}
