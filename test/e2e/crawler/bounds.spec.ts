import { readdirSync, statSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { CrawlModeConfig, WorkflowConfig } from '../../../crawler/protocol.js';
import { crawlConfig, CrawlerChild } from '../../support/crawler-child.js';
import { PlainServer } from '../../support/plain-server.js';
import { faultsOf, WaczFile } from '../../support/wacz-file.js';

const MIB = 2 ** 20;
const CRAWL_MS = 240_000;

const page = (title: string, body = ''): string =>
  `<!doctype html><link rel="icon" href="data:,"><title>${title}</title><h1>${title}</h1>${body}`;

describe('a site without measure', () => {
  const started: CrawlerChild[] = [];
  const servers: PlainServer[] = [];

  afterEach(async () => {
    await CrawlerChild.discardAll(started);
    for (const server of servers.splice(0)) await server.close();
  });

  const crawl = async (job: WorkflowConfig, over: Partial<CrawlModeConfig>): Promise<CrawlerChild> => {
    const crawler = await CrawlerChild.start(crawlConfig({ behaviors: '', ...job }, over));
    started.push(crawler);
    expect(await crawler.end(CRAWL_MS)).toEqual({ code: 0, reason: 'finished' });
    expect(crawler.waczs).toHaveLength(1);
    expect(await faultsOf(crawler.waczs[0]!)).toEqual([]);
    return crawler;
  };

  it(
    'is kept in part: what is huge or broken is truncated, what eats the memory fails, the rest is whole',
    async () => {
      const sent = new Map<string, number>();
      /** As much as the other side takes. */
      const pour = (path: string, res: ServerResponse, most = Infinity): void => {
        const part = Buffer.alloc(MIB / 4, 'x');
        let here = 0;
        const next = (): void => {
          if (here >= most) return void res.destroy();
          if (res.closed) return;
          here += part.length;
          sent.set(path, (sent.get(path) ?? 0) + part.length);
          if (res.write(part)) setTimeout(next, 1);
          else res.once('drain', next);
        };
        next();
      };
      const bomb = `<script>const kept = []; const eat = () => { if (kept.length < 60) kept.push(new Uint8Array(${String(64 * MIB)}).fill(1)); setTimeout(eat, 20); }; eat();</script><img src="/drip.png">`;
      // A site of its own: what it sends is no other response's doing.
      const flood = await PlainServer.start((_req, res) => {
        res.writeHead(200, { 'content-type': 'image/png' });
        pour('/flood.png', res);
      });
      servers.push(flood);
      const pages: Record<string, string> = {
        '/huge.html': page('Huge', `<script>fetch('/huge').catch(() => 0)</script>`),
        '/flood.html': page('Flood', `<img src="${flood.url}/flood.png">`),
        '/broken.html': page('Broken', `<img src="/broken.png">`),
        '/bomb.html': page('Bomb', bomb),
        '/to-file.html': page('To file', `<script>location = 'file:///etc/passwd'</script>`),
        '/fine.html': page('Fine'),
      };
      const site = await PlainServer.start((req, res) => {
        const { pathname } = new URL(req.url ?? '/', 'http://site');
        const type = pathname.endsWith('.png') ? 'image/png' : 'text/html';
        const fixed = pages[pathname];
        if (fixed !== undefined) return void res.writeHead(200, { 'content-type': type }).end(fixed);
        if (pathname === '/file') return void res.writeHead(302, { location: 'file:///etc/passwd' }).end();
        if (pathname === '/chrome') return void res.writeHead(302, { location: 'chrome://version/' }).end();
        const length = { '/huge': 10_000 * MIB, '/broken.png': 20 * MIB }[pathname];
        res.writeHead(200, { 'content-type': type, ...(length ? { 'content-length': length } : {}) });
        if (pathname === '/drip.png') drip(res);
        else pour(pathname, res, pathname === '/broken.png' ? MIB : Infinity);
      });
      servers.push(site);
      const { url } = site;
      const seeds = [...Object.keys(pages), '/file', '/chrome'].map((path) => ({ url: url + path }));
      const crawler = await crawl(
        { seeds, scopeType: 'page', behaviorTimeout: 5 },
        { windows: 3, maxResourceBytes: 2 * MIB, memoryLimitBytes: 600 * MIB },
      );

      const wacz = new WaczFile(crawler.waczs[0]!);
      expect(kept(wacz, `${url}/huge`)).toEqual(['length', 2 * MIB]);
      expect(kept(wacz, `${flood.url}/flood.png`)).toEqual(['length', 2 * MIB]);
      expect(kept(wacz, `${url}/broken.png`)).toEqual(['disconnect', expect.any(Number)]);
      expect(kept(wacz, `${url}/fine.html`)).toEqual([undefined, Buffer.byteLength(pages['/fine.html']!)]);

      const states = Object.fromEntries(crawler.rows.map((row) => [row.url.slice(url.length), row.loadState]));
      expect(states).toMatchObject({ '/bomb.html': 0, '/file': 0, '/chrome': 0 });
      for (const path of ['/huge.html', '/flood.html', '/broken.html', '/fine.html'])
        expect([path, states[path]]).toEqual([path, 4]);
      expect(crawler.rows).toHaveLength(seeds.length);
      expect(Object.keys(states).sort()).toEqual(seeds.map((seed) => seed.url.slice(url.length)).sort());
      const logs = wacz.members.filter(({ name }) => name.startsWith('logs/')).map(({ bytes }) => bytes.toString());
      expect(logs.join()).toContain('Ending a page that takes too much memory');

      // Neither the disk nor the line has had more than a little of what was offered.
      for (const bytes of sent.values()) expect(bytes).toBeLessThan(2_000 * MIB);
      expect(bytesBelow(crawler.config.dir)).toBeLessThan(300 * MIB);
      expect(wacz.warcs.some(({ bytes }) => bytes.includes('root:x:0'))).toBe(false);
    },
    CRAWL_MS + 60_000,
  );

  it(
    'is kept in part: what is endless is truncated when its time is over',
    async () => {
      const site = await PlainServer.start((req, res) => {
        res.writeHead(200, { 'content-type': req.url === '/drip.png' ? 'image/png' : 'text/html' });
        if (req.url === '/drip.html') res.end(page('Drip', `<img src="/drip.png">`));
        else drip(res);
      });
      servers.push(site);
      const urls = ['/drip.html', '/never.html'].map((path) => site.url + path);
      // Nothing else in this crawl has to come to its end in that time.
      const crawler = await crawl(
        { seeds: urls.map((url) => ({ url })), scopeType: 'page', pageLoadTimeout: 12, behaviorTimeout: 5 },
        { windows: 2 },
      );
      const wacz = new WaczFile(crawler.waczs[0]!);
      expect(kept(wacz, `${site.url}/drip.png`)).toEqual(['time', expect.any(Number)]);
      expect(kept(wacz, `${site.url}/never.html`)).toEqual(['time', expect.any(Number)]);
      expect(crawler.rows.map((row) => row.url).sort()).toEqual(urls);
      expect(crawler.row('/drip.html')).toMatchObject({ loadState: 4 });
    },
    CRAWL_MS + 60_000,
  );

  it(
    'reaches private addresses by no link, resource, redirect, name or sitemap, but those that are opened',
    async () => {
      const secrets = await Promise.all(
        ['127.0.0.1', '::1'].map((host) => PlainServer.start((_req, res) => res.end('secret'), host)),
      );
      servers.push(...secrets);
      const [secret, secret6] = secrets.map((server) => server.url) as [string, string];
      // The name is resolved by the machine: a DNS answer that leads to a private address.
      const named = secret.replace('127.0.0.1', 'localhost');
      const redirects: Record<string, string> = {
        '/away': `${secret}/page`,
        '/away-by-name': `${named}/page`,
        '/away.css': `${secret}/style.css`,
        '/away-6': `${secret6}/page`,
      };
      const tries = `
        <link rel="stylesheet" href="/away.css">
        <img src="${secret}/a.png"><img src="${named}/b.png"><iframe src="${secret}/frame"></iframe><script src="${secret6}/script.js"></script>
        <video src="${secret}/clip.webm" autoplay muted></video>
        <script>
          fetch('${secret}/fetched', { mode: 'no-cors' }).catch(() => 0);
          fetch('/away', { mode: 'no-cors' }).catch(() => 0);
          new WebSocket('${secret.replace('http', 'ws')}/socket');
          navigator.sendBeacon('${secret}/beacon');
          open('${named}/opened');
        </script>
        <a href="${secret}/page">by address</a><a href="${named}/page">by name</a>
        ${Object.keys(redirects).map((path) => `<a href="${path}">by redirect</a>`)}`;
      // What behaviors fetch goes another way than what the browser loads.
      const fetched = `<img srcset="${named}/c.png 1x, ${secret6}/d.png 2x"><img data-src="${secret}/lazy.png">`;
      const site = await PlainServer.start((req, res) => {
        const path = req.url ?? '/';
        const location = redirects[path];
        if (location) return void res.writeHead(302, { location }).end();
        if (path === '/robots.txt')
          return void res.end(`Sitemap: ${secret}/sitemap.xml\nSitemap: ${named}/sitemap.xml`);
        const known = path === '/' || path === '/fine.html';
        res.writeHead(known ? 200 : 404, { 'content-type': 'text/html' });
        res.end(path === '/' ? page('Tries', `${tries}<a href="/fine.html">fine</a>`) : page('Fine', fetched));
      }, '127.0.0.2');
      servers.push(site);
      const crawler = await crawl(
        {
          seeds: [{ url: `${site.url}/` }],
          scopeType: 'any',
          depth: 1,
          useSitemap: true,
          behaviors: 'autoscroll,autoplay,autofetch',
          behaviorTimeout: 5,
        },
        { allowPrivate: false, allowAddresses: ['127.0.0.2/32'] },
      );
      expect(secrets.map(({ connections }) => connections)).toEqual([0, 0]);
      const states = Object.fromEntries(crawler.rows.map(({ url, loadState }) => [url, loadState]));
      expect(states).toMatchObject({
        [`${site.url}/`]: expect.any(Number),
        [`${site.url}/fine.html`]: expect.any(Number),
        ...Object.fromEntries(
          [
            `${secret}/page`,
            `${named}/page`,
            `${named}/opened`,
            ...Object.keys(redirects).map((path) => site.url + path),
          ]
            .filter((url) => !url.endsWith('.css'))
            .map((url) => [url, 0]),
        ),
      });
      for (const path of ['/', '/fine.html']) expect(states[site.url + path]).toBeGreaterThan(0);
      // Whoever reads why a page failed sees what refused it, also where it was led there.
      const said = crawler.of('log').map(({ line: { details } }) => [details['page'], details['msg']]);
      expect(said).toContainEqual([`${site.url}/away-by-name`, expect.stringContaining('localhost is private')]);
      const wacz = new WaczFile(crawler.waczs[0]!);
      const foreign = wacz.index.filter(({ url }) => !url.startsWith('urn:') && !url.startsWith(site.url));
      expect(foreign).toEqual([]);
    },
    CRAWL_MS + 60_000,
  );
});

/** Sends a little again and again, for ever. */
function drip(res: ServerResponse): void {
  const timer = setInterval(() => res.write('<p>more'), 200);
  res.on('close', () => clearInterval(timer));
}

function kept(wacz: WaczFile, url: string): [reason: string | undefined, bytes: number] {
  const [line] = wacz.lines(url);
  if (!line) return ['nothing', 0];
  const record = wacz.record(line).toString('latin1');
  return [/^WARC-Truncated: (\w+)/m.exec(record.slice(0, 2_000))?.[1], wacz.body(line).length];
}

function bytesBelow(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
