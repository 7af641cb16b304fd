import type { ServerResponse } from 'node:http';
import { crawlConfig, CrawlerChild } from '../../support/crawler-child.js';
import { PlainServer } from '../../support/plain-server.js';
import { WaczFile } from '../../support/wacz-file.js';

const OTHERS = ['/b', '/c', '/d', '/e'];
/** Takes over every page of the site, and goes on with something of its own. */
const WORKER = `
  addEventListener('install', () => skipWaiting());
  addEventListener('activate', (event) => event.waitUntil(clients.claim()));
  addEventListener('activate', () => void fetch('/kept'));
  addEventListener('fetch', (event) => {
    const headers = { 'content-type': 'text/html' };
    event.respondWith(new Response('<!doctype html><title>Of the worker</title>', { headers }));
  });`;
const page = (title: string, body: string): string =>
  `<!doctype html><link rel="icon" href="data:,"><title>${title}</title><h1>${title}</h1>${body}`;
const PAGES: Record<string, string> = {
  '/a': page('/a', `<script>navigator.serviceWorker.register('/worker.js');</script>`),
  '/b': page('/b', `<script>Object.defineProperty(document, 'title', { get: () => ({ of: 'the script' }) });</script>`),
  '/c': page('/c', '<img name="title" alt="">'),
  '/d': page('/d', `<iframe sandbox="allow-scripts" srcdoc="<p>no origin</p>"></iframe>`),
  '/e': page('/e', ''),
};

describe('a site whose service worker answers for it', () => {
  let site: PlainServer;
  let crawler: CrawlerChild;
  const asked: string[] = [];

  beforeAll(async () => {
    const waiting = new Map<string, ServerResponse>();
    const html = (url: string, response?: ServerResponse) =>
      response?.setHeader('content-type', 'text/html').end(PAGES[url] ?? '');
    site = await PlainServer.start(({ url = '' }, response) => {
      asked.push(url);
      if (url === '/worker.js') response.setHeader('content-type', 'text/javascript').end(WORKER);
      // The second window waits until the worker is at work, and the worker until that window has seen its pages.
      else if (url === '/kept' || url === '/b') waiting.set(url, response);
      else html(url, response);
      const release = (held: string): ServerResponse | undefined => {
        const found = waiting.get(held);
        waiting.delete(held);
        return found;
      };
      if (asked.includes('/kept')) html('/b', release('/b'));
      if (asked.includes(OTHERS.at(-1)!)) release('/kept')?.end('kept');
    });
    const seeds = ['/a', ...OTHERS].map((path) => ({ url: site.url + path }));
    crawler = await CrawlerChild.start(crawlConfig({ seeds, scopeType: 'page', behaviors: '' }, { windows: 2 }));
    await crawler.end(200_000);
  }, 240_000);
  afterAll(async () => {
    await crawler.discard();
    await site.close();
  });

  it('is archived as the site answers, with what the worker loads by itself', () => {
    const archived = crawler.waczs.flatMap((path) => new WaczFile(path).index.map(({ url }) => url));
    for (const path of ['/a', ...OTHERS]) expect(crawler.row(path)).toMatchObject({ status: 200, title: path });
    const paths = ['/a', ...OTHERS, '/worker.js', '/kept'];
    expect(archived).toEqual(expect.arrayContaining(paths.map((path) => site.url + path)));
  });

  it('brings no errors into frames that can have no worker', () => {
    const info = new WaczFile(crawler.waczs[0]!).json(`urn:pageinfo:${site.url}/d`);
    expect(info).toMatchObject({ counts: { jsErrors: 0 } });
  });
});
