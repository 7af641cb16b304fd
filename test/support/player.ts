import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { parseRange } from '../../crawler/qa/replay-server.js';
import { loadScript } from '../start/load.js';

const { findChromium } = await loadScript<{ findChromium: () => Promise<string> }>('provision/chromium.mjs');
const PLAYER = dirname(createRequire(import.meta.url).resolve('replaywebpage/index.html'));
const COLLECTION = 'shown';

/** `<replay-web-page>` in Chromium with one WACZ file, embedded as the web client does. */
export class Player {
  private constructor(
    private readonly server: Server,
    private readonly browser: Browser,
    private readonly page: Page,
  ) {}

  static async open(waczPath: string): Promise<Player> {
    const wacz = await readFile(waczPath);
    const html = `<!doctype html><script src="/replay/ui.js"></script><replay-web-page source="/shown.wacz" coll="${COLLECTION}" replaybase="/replay/" embed="replayonly" nocache></replay-web-page>`;
    const server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://local');
      const script = /^\/replay\/(ui|sw)\.js$/.exec(pathname)?.[0];
      if (pathname === '/') response.setHeader('content-type', 'text/html').end(html);
      else if (script)
        void readFile(join(PLAYER, script.slice('/replay/'.length))).then((code) =>
          response.setHeader('content-type', 'text/javascript').end(code),
        );
      else if (pathname === '/shown.wacz') {
        const range = parseRange(request.headers.range, wacz.length);
        const { start, end } = range && range !== 'bad' ? range : { start: 0, end: wacz.length };
        response.writeHead(range ? 206 : 200, {
          'accept-ranges': 'bytes',
          'content-length': end - start,
          ...(range ? { 'content-range': `bytes ${start}-${end - 1}/${wacz.length}` } : {}),
        });
        response.end(request.method === 'HEAD' ? undefined : wacz.subarray(start, end));
      } else response.writeHead(404).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const browser = await chromium.launch({
      executablePath: await findChromium(),
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
      timeout: 120_000,
    });
    const page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`);
    return new Player(server, browser, page);
  }

  /**
   * The body of a record as the player gives it out, asked for in its frame, as the web client does; null while there
   * is none.
   */
  async record(urn: string, ts: string): Promise<Buffer | null> {
    const frame = this.page.frames().find((each) => new URL(each.url()).pathname.startsWith('/replay/'));
    if (!frame) return null;
    const compact = ts.replace(/\D/g, '').slice(0, 14);
    const path = `/replay/w/${COLLECTION}/${compact}mp_/${urn}`;
    const bytes = await frame.evaluate(async (asked) => {
      if (!navigator.serviceWorker.controller) return null;
      const response = await fetch(asked, { signal: AbortSignal.timeout(20_000) }).catch(() => null);
      return response?.ok ? [...new Uint8Array(await response.arrayBuffer())] : null;
    }, path);
    return bytes && Buffer.from(bytes);
  }

  async close(): Promise<void> {
    await this.browser.close();
    this.server.closeAllConnections();
    this.server.close();
  }
}
