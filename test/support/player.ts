import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import type { Browser, Frame, Page } from 'playwright-core';
import { parseRange } from '../../crawler/qa/replay-server.js';
import { launchBrowser, openPage } from './browser.js';

const PLAYER = dirname(createRequire(import.meta.url).resolve('replaywebpage/index.html'));
const COLLECTION = 'shown';
/** As the player itself names it, so that there is one. */
const WORKER = '/replay/sw.js?serveIndex=1';

/** One for all players of a test file: each has a context of its own in it. */
let shared: Promise<Browser> | undefined;
afterAll(async () => (await shared)?.close(), 60_000);

async function sharedBrowser(): Promise<Browser> {
  const known = await shared?.catch(() => undefined);
  if (known?.isConnected()) return known;
  shared = launchBrowser();
  return shared;
}

/** `<replay-web-page>` in Chromium with the WACZ files of an archive, embedded as the web client does. */
export class Player {
  /** By address what the archived page that is shown asked for, and the status of the answer. */
  readonly asked = new Map<string, number>();

  private constructor(
    private readonly server: Server,
    private readonly page: Page,
    private readonly origin: string,
  ) {
    page.on('response', (response) => {
      const [, url] = /\/replay\/w\/(?:[^/]+\/){1,2}\d+\w+_\/(https?:.*)$/.exec(response.url()) ?? [];
      if (url !== undefined) this.asked.set(url, response.status());
    });
  }

  static async open(...waczPaths: string[]): Promise<Player> {
    const files = await Promise.all(
      waczPaths.map(async (path) => ({ name: basename(path), bytes: await readFile(path) })),
    );
    const server = createServer((request, response) => void serve(files, request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const page = await openPage(await sharedBrowser());
    const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    await page.goto(`${origin}/empty`);
    await page.evaluate(takeReplayOver, WORKER);
    await page.goto(`${origin}/`);
    return new Player(server, page, origin);
  }

  /** Opens an archived page, in place of another. */
  async show(url: string, ts: string): Promise<void> {
    this.asked.clear();
    await this.page.goto(`${this.origin}/?${new URLSearchParams({ url, ts: compact(ts) }).toString()}`);
  }

  /** What is to be read in an archived page, its title first; null before it is there. */
  async textOf(url: string): Promise<string | null> {
    const frame = this.frameOf(url);
    return frame ? textOf(frame) : null;
  }

  /** What its frames show, for the message of a test that waited in vain. */
  get frames(): string {
    return this.page
      .frames()
      .map((frame) => frame.url())
      .join(' ');
  }

  /** Addresses of the pictures in an archived page and its frames that are not there. */
  async brokenPictures(url: string): Promise<string[]> {
    const frames = [this.frameOf(url)!];
    for (const frame of frames) frames.push(...frame.childFrames());
    const broken = () => [...document.images].filter(({ naturalWidth }) => naturalWidth === 0).map(({ src }) => src);
    return (await Promise.all(frames.map((frame) => frame.evaluate(broken)))).flat();
  }

  /** Runs in an archived page. */
  async inPage<R>(url: string, script: () => R | Promise<R>): Promise<R> {
    return this.frameOf(url)!.evaluate(script) as Promise<R>;
  }

  /** The archived page is in a frame under the player's own prefix. */
  private frameOf(url: string): Frame | undefined {
    return this.page.frames().find((each) => each.url().endsWith(`mp_/${url}`));
  }

  /**
   * The body of a record as the player gives it out, asked for in its frame, as the web client does; null while there
   * is none.
   */
  async record(urn: string, ts: string): Promise<Buffer | null> {
    const frame = this.page.frames().find((each) => new URL(each.url()).pathname.startsWith('/replay/'));
    if (!frame) return null;
    const path = `/replay/w/${COLLECTION}/${compact(ts)}mp_/${urn}`;
    const bytes = await frame.evaluate(async (asked) => {
      if (!navigator.serviceWorker.controller) return null;
      const response = await fetch(asked, { signal: AbortSignal.timeout(20_000) }).catch(() => null);
      return response?.ok ? [...new Uint8Array(await response.arrayBuffer())] : null;
    }, path);
    return bytes && Buffer.from(bytes);
  }

  async close(): Promise<void> {
    await this.page.close();
    this.server.closeAllConnections();
    this.server.close();
  }
}

/**
 * Has the worker that replays in charge of its prefix before a player asks for it: a page that is left while its player
 * registers the worker leaves the next one with a frame that no worker answers.
 */
async function takeReplayOver(script: string): Promise<void> {
  const { installing, waiting, active } = await navigator.serviceWorker.register(script, { scope: '/replay/' });
  const worker = installing ?? waiting ?? active;
  if (!worker || worker.state === 'activated') return;
  await new Promise<void>((resolve) => {
    worker.addEventListener('statechange', () => {
      if (worker.state === 'activated') resolve();
    });
  });
}

/** Of the frame and those in it. */
async function textOf(frame: Frame): Promise<string> {
  const own = await frame.evaluate(() => [document.title, document.documentElement.innerText].join('\n'));
  const inner = await Promise.all(frame.childFrames().map(textOf));
  return [own, ...inner].join('\n');
}

const compact = (ts: string): string => ts.replace(/\D/g, '').slice(0, 14);

interface Served {
  name: string;
  bytes: Buffer;
}

async function serve(files: readonly Served[], request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://local');
  const script = /^\/replay\/(ui|sw)\.js$/.exec(pathname)?.[1];
  const file = files[Number(/^\/files\/(\d+)\//.exec(pathname)?.[1] ?? -1)];
  if (pathname === '/empty') response.setHeader('content-type', 'text/html').end('<!doctype html>');
  else if (pathname === '/') response.setHeader('content-type', 'text/html').end(hostPage(files, searchParams));
  else if (pathname === '/files/all.json')
    response.setHeader('content-type', 'application/json').end(JSON.stringify(packageOf(files)));
  else if (script)
    response.setHeader('content-type', 'text/javascript').end(await readFile(join(PLAYER, `${script}.js`)));
  else if (file) sendRange(file.bytes, request, response);
  else response.writeHead(404).end();
}

const pathOf = ({ name }: Served, index: number): string => `/files/${String(index)}/${encodeURIComponent(name)}`;

function hostPage(files: readonly Served[], page: URLSearchParams): string {
  const [only, ...more] = files;
  const source = only && more.length === 0 ? pathOf(only, 0) : '/files/all.json';
  const shown = [...page].map(
    ([name, value]) => ` ${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`,
  );
  return `<!doctype html><style>html, body, replay-web-page { width: 100%; height: 100%; margin: 0 }</style><script src="/replay/ui.js"></script><replay-web-page source="${source}"${shown.join('')} coll="${COLLECTION}" replaybase="/replay/" embed="replayonly" nocache></replay-web-page>`;
}

/** Several files are one archive: what one refers to may be in another. */
const packageOf = (files: readonly Served[]): object => ({
  profile: 'multi-wacz-package',
  resources: files.map((file, index) => ({ name: file.name, path: pathOf(file, index), bytes: file.bytes.length })),
});

function sendRange(bytes: Buffer, request: IncomingMessage, response: ServerResponse): void {
  const range = parseRange(request.headers.range, bytes.length);
  const { start, end } = range && range !== 'bad' ? range : { start: 0, end: bytes.length };
  response.writeHead(range ? 206 : 200, {
    'accept-ranges': 'bytes',
    'content-length': end - start,
    ...(range ? { 'content-range': `bytes ${start}-${end - 1}/${bytes.length}` } : {}),
  });
  response.end(request.method === 'HEAD' ? undefined : bytes.subarray(start, end));
}
