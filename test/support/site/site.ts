import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { drip, HTML, json, send, type Handler, type Routes, type SiteRequest } from './answer.js';
import { hardRoutes, talk } from './hard-pages.js';
import { html, links } from './html.js';
import { pdf, png } from './images.js';
import { deepPage, fixedPages, staticPage } from './pages.js';

export const STATIC_PAGES = 50;

export interface LoggedRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
}

export interface TestSite {
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  url: string;
  /** The same pages under another origin. */
  otherUrl: string;
  /** Requests of both servers, in order. */
  requests: LoggedRequest[];
  /** Answers `/switch` paths with this status until changed; 200 at first. */
  setStatus(status: number): void;
  /** Closes the servers' sockets for new pages: a site that goes down. */
  close(): Promise<void>;
}

export interface TestSiteOptions {
  port?: number;
  otherPort?: number;
  /** How long `/slow.html` takes. */
  slowMs?: number;
}

const CLIP = readFileSync(new URL('./clip.webm', import.meta.url));

/** Starts the site on two loopback ports. */
export async function startTestSite(options: TestSiteOptions = {}): Promise<TestSite> {
  const requests: LoggedRequest[] = [];
  const state = { status: 200 };
  const urls = { main: '', other: '' };
  const handlers = routes(urls, state, options);
  const pages = () => fixedPages(urls.other);
  const serve = (req: IncomingMessage, res: ServerResponse) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const url = new URL(req.url ?? '/', urls.main || 'http://localhost');
      requests.push({ method: req.method ?? '', path: url.pathname + url.search, headers: req.headers });
      const request = { req, res, url, body: Buffer.concat(chunks) };
      const handler = handlers.find(([path]) =>
        typeof path === 'string' ? path === url.pathname : path.test(url.pathname),
      );
      const page = pages().get(url.pathname);
      if (handler) handler[1](request);
      else if (page !== undefined) send(res, HTML, page);
      else send(res, HTML, html('Not found'), 404);
    });
  };
  const servers = [createServer(serve), createServer(serve)] as const;
  const hangUps = servers.map(talk);
  urls.other = await listen(servers[1], options.otherPort ?? 0);
  urls.main = await listen(servers[0], options.port ?? 0);
  return {
    url: urls.main,
    otherUrl: urls.other,
    requests,
    setStatus: (status) => {
      state.status = status;
    },
    close: async () => {
      for (const server of servers) server.closeAllConnections();
      for (const hangUp of hangUps) hangUp();
      await Promise.all(servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))));
    },
  };
}

async function listen(server: Server, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function routes(urls: { main: string }, state: { status: number }, options: TestSiteOptions): Routes {
  return [
    ...documents(options),
    ...resources(),
    ...accounts(),
    ...obstacles(state),
    ...hardRoutes(),
    [
      '/robots.txt',
      ({ res }) =>
        send(res, 'text/plain', `User-agent: *\nDisallow: /private/\nSitemap: ${urls.main}/sitemap-index.xml\n`),
    ],
    [
      '/sitemap-index.xml',
      ({ res }) =>
        send(
          res,
          'application/xml',
          `<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>${urls.main}/sitemap-a.xml.gz</loc></sitemap></sitemapindex>`,
        ),
    ],
    [
      '/sitemap-a.xml.gz',
      ({ res }) => send(res, 'application/gzip', gzipSync(sitemap(urls.main, ['/mapped/1.html', '/mapped/2.html']))),
    ],
    ['/sitemap.xml', ({ res }) => send(res, 'application/xml', sitemap(urls.main, ['/mapped/3.html']))],
    [/^\/mapped\/\d\.html$/, ({ res, url }) => send(res, HTML, html(`Mapped ${url.pathname}`))],
    [/^\/private\//, ({ res }) => send(res, HTML, html('Private'))],
  ];
}

function documents(options: TestSiteOptions): Routes {
  const packed = (title: string) => Buffer.from(html(title));
  return [
    ['/gzip.html', ({ res }) => send(res, HTML, gzipSync(packed('Gzip')), 200, { 'content-encoding': 'gzip' })],
    ['/br.html', ({ res }) => send(res, HTML, brotliCompressSync(packed('Brotli')), 200, { 'content-encoding': 'br' })],
    [
      '/latin1.html',
      ({ res }) =>
        send(
          res,
          'text/html; charset=iso-8859-1',
          Buffer.from(html('Café crème').replace('<meta charset="utf-8">', ''), 'latin1'),
        ),
    ],
    [
      '/chunked.html',
      ({ res }) => {
        res.writeHead(200, { 'content-type': HTML });
        for (const part of html('Chunked').match(/.{1,200}/gs) ?? []) res.write(part);
        res.end();
      },
    ],
    ['/slow.html', ({ res }) => void setTimeout(() => send(res, HTML, html('Slow')), options.slowMs ?? 1_500)],
    ['/redirect', ({ res }) => send(res, 'text/plain', '', 302, { location: '/redirected.html' })],
    ['/error.html', ({ res }) => send(res, HTML, '', 500)],
    ['/doc.pdf', ({ res }) => send(res, 'application/pdf', pdf('A document'))],
    [
      '/download',
      ({ res }) =>
        send(res, 'application/octet-stream', Buffer.alloc(5_000, 7), 200, {
          'content-disposition': 'attachment; filename="data.bin"',
        }),
    ],
    [/^\/deep\/\d\.html$/, ({ res, url }) => send(res, HTML, deepPage(Number(/\d/.exec(url.pathname)![0])))],
    ['/static/', ({ res }) => send(res, HTML, staticPage(0, STATIC_PAGES))],
    [
      /^\/static\/\d+\.html$/,
      ({ res, url }) => send(res, HTML, staticPage(Number(/\d+/.exec(url.pathname)![0]), STATIC_PAGES)),
    ],
    [
      /^\/big\/\d+$/,
      ({ res, url }) => send(res, 'application/octet-stream', Buffer.alloc(Number(url.pathname.slice(5)), 1)),
    ],
    [
      /^\/weight\/\d+\.html$/,
      ({ res, url }) => send(res, HTML, html(`Weight ${url.pathname}`, `<img src="/img/weight${url.pathname}.png">`)),
    ],
  ];
}

function resources(): Routes {
  return [
    [
      '/style.css',
      ({ res }) =>
        send(
          res,
          'text/css',
          '@import "/imported.css"; body { font-family: sans-serif; background: url(/img/background.png) repeat-x bottom; margin: 20px }',
        ),
    ],
    [
      '/imported.css',
      ({ res }) =>
        send(res, 'text/css', 'h1 { color: #336699; } @media print { body { background: url(/img/print.png) } }'),
    ],
    [
      /^\/img\/.+\.png$/,
      ({ res, url }) => send(res, 'image/png', png(url.pathname), 200, { 'cache-control': 'max-age=600' }),
    ],
    [
      /^\/gallery\/poster-\d+\.svg$/,
      ({ res }) =>
        send(
          res,
          'image/svg+xml',
          '<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="900"><rect width="1600" height="900" fill="#702050"/></svg>',
        ),
    ],
    [/^\/copy\/[ab]\/shared\.png$/, ({ res }) => send(res, 'image/png', png('shared copy'))],
    ['/favicon.ico', ({ res }) => send(res, 'image/png', png('favicon', 16, 16))],
    ['/media/clip.webm', media],
    [
      '/sw.js',
      ({ res }) =>
        send(
          res,
          'text/javascript',
          `self.addEventListener('fetch', () => {});
           self.addEventListener('install', (e) => e.waitUntil(caches.open('kept').then((kept) => kept.add('/api/data.json?q=installed'))));
           self.addEventListener('activate', () => { fetch('/late/1500/data.json?q=activated'); });`,
        ),
    ],
    [/^\/late\/\d+\/.+\.png$/, late(({ res, url }) => send(res, 'image/png', png(url.pathname)))],
    [/^\/late\/\d+\/data\.json$/, late(({ res, url }) => json(res, { q: url.searchParams.get('q') }))],
    [/^\/late\/\d+\/lines\.ndjson$/, lines],
    [
      '/worker.js',
      ({ res }) =>
        send(
          res,
          'text/javascript',
          `fetch('/api/data.json?q=worker').then((r) => r.text()).then((t) => postMessage('worker got ' + t));`,
        ),
    ],
    ['/api/data.json', ({ res, url }) => json(res, { q: url.searchParams.get('q') })],
    ['/api/echo', ({ res, body }) => json(res, { echo: body.toString() })],
    ['/api/form', ({ res, body }) => json(res, { form: body.toString() })],
    [
      '/api/feed.json',
      ({ res, url }) => {
        const batch = url.searchParams.get('batch') ?? '0';
        json(
          res,
          Array.from({ length: 4 }, (_, i) => ({ text: `Item ${batch}.${i}`, image: `/img/feed-${batch}-${i}.png` })),
        );
      },
    ],
  ];
}

function accounts(): Routes {
  const cookie = (req: IncomingMessage, name: string) => new RegExp(`(?:^|; )${name}=`).test(req.headers.cookie ?? '');
  return [
    [
      '/cookies.html',
      ({ req, res }) => {
        if (cookie(req, 'consent')) return send(res, HTML, html('Behind the cookie wall'));
        send(
          res,
          HTML,
          html(
            'Cookie wall',
            `<button id="accept">Accept</button><script>document.querySelector('#accept').onclick = () => { document.cookie = 'consent=1; path=/'; location.reload(); };</script>`,
          ),
        );
      },
    ],
    [
      '/login.html',
      ({ res }) =>
        send(
          res,
          HTML,
          html(
            'Log in',
            '<form method="post" action="/login"><input name="user" id="user"><input name="password" id="password" type="password"><button id="go">Log in</button></form>',
          ),
        ),
    ],
    [
      '/login',
      ({ res, body }) => {
        const form = new URLSearchParams(body.toString());
        if (form.get('user') !== 'ada' || form.get('password') !== 'secret')
          return send(res, HTML, html('Wrong password'), 403);
        send(res, 'text/plain', '', 303, { location: '/members.html', 'set-cookie': 'session=ada; Path=/; HttpOnly' });
      },
    ],
    [
      '/members.html',
      ({ req, res }) =>
        send(
          res,
          HTML,
          cookie(req, 'session') ? html('Members', links(['/members/secret.html'])) : html('Please log in'),
        ),
    ],
    [
      '/members/secret.html',
      ({ req, res }) =>
        send(
          res,
          HTML,
          cookie(req, 'session') ? html('The secret') : html('Please log in'),
          cookie(req, 'session') ? 200 : 401,
        ),
    ],
    [
      '/basic.html',
      ({ req, res }) => {
        const right = req.headers.authorization === `Basic ${Buffer.from('ada:secret').toString('base64')}`;
        send(
          res,
          HTML,
          html(right ? 'Basic access' : 'No access'),
          right ? 200 : 401,
          right ? {} : { 'www-authenticate': 'Basic realm="site"' },
        );
      },
    ],
  ];
}

function obstacles(state: { status: number }): Routes {
  return [
    // Never answered: the connection stays open until the other side gives up.
    ['/hang.png', () => undefined],
    ['/events', ({ res }) => drip(res, 'text/event-stream', 'data: tick\n\n')],
    ['/endless', ({ res }) => drip(res, 'application/octet-stream', 'x'.repeat(1_000))],
    ['/never.html', ({ res }) => drip(res, HTML, '<p>more</p>')],
    ['/reluctant.html', ({ res }) => void setTimeout(() => send(res, HTML, html('Reluctant')), 8_000)],
    ['/redirect-loop', ({ res }) => send(res, 'text/plain', '', 302, { location: '/redirect-loop' })],
    ['/limited.html', ({ res }) => send(res, HTML, html('Limited'), 429, { 'retry-after': '1' })],
    [
      '/switch.html',
      // Limited pages count as in a row within that time: longer than a busy machine takes from one to the next.
      ({ res }) => send(res, HTML, html('Switch'), state.status, state.status === 429 ? { 'retry-after': '600' } : {}),
    ],
    [
      '/to-private',
      ({ res }) => send(res, 'text/plain', '', 302, { location: 'http://169.254.169.254/latest/meta-data' }),
    ],
  ];
}

/** The path says after how many milliseconds it is answered. */
const late =
  (handler: Handler): Handler =>
  (request) =>
    void setTimeout(() => handler(request), Number(/\d+/.exec(request.url.pathname)![0]));

/** Five lines, the last after as many milliseconds as the path says. */
function lines({ res, url }: SiteRequest): void {
  const everyMs = Number(/\d+/.exec(url.pathname)![0]) / 5;
  res.writeHead(200, { 'content-type': 'application/x-ndjson' });
  for (let line = 1; line <= 5; line++)
    setTimeout(() => {
      res.write(`{"line":${line}}\n`);
      if (line === 5) res.end();
    }, line * everyMs);
}

/** The clip, with byte ranges. */
function media({ req, res }: SiteRequest): void {
  const range = /^bytes=(\d+)-(\d*)$/.exec(req.headers.range ?? '');
  if (!range) return send(res, 'video/webm', CLIP, 200, { 'accept-ranges': 'bytes' });
  const first = Number(range[1]);
  const last = range[2] ? Math.min(Number(range[2]), CLIP.length - 1) : CLIP.length - 1;
  if (first >= CLIP.length) return send(res, 'text/plain', '', 416, { 'content-range': `bytes */${CLIP.length}` });
  send(res, 'video/webm', CLIP.subarray(first, last + 1), 206, {
    'accept-ranges': 'bytes',
    'content-range': `bytes ${first}-${last}/${CLIP.length}`,
  });
}

function sitemap(base: string, paths: readonly string[]): string {
  const urls = paths.map((path) => `<url><loc>${base}${path}</loc></url>`).join('');
  return `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>`;
}
