import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { EXIT_CODES } from '../../../crawler/protocol.js';
import { crawlConfig, CrawlerChild } from '../../support/crawler-child.js';
import { eventually } from '../../support/eventually.js';
import { HeldSite } from '../../support/held-site.js';
import { faultsOf, WaczFile } from '../../support/wacz-file.js';

describe('a site that fails the crawler', () => {
  const started: CrawlerChild[] = [];
  const start = async (url: string, job: object = {}): Promise<CrawlerChild> => {
    const config = { seeds: [{ url }], scopeType: 'prefix' as const, behaviors: '', ...job };
    const crawler = await CrawlerChild.start(crawlConfig(config, { windows: 1 }));
    started.push(crawler);
    return crawler;
  };
  afterEach(async () => {
    await CrawlerChild.discardAll(started);
  });

  it('goes down midway: what was there is kept, what was not is listed as failed', async () => {
    const links = ['/1', '/2', '/3'];
    const site = await HeldSite.start({ '/': links, ...Object.fromEntries(links.map((path) => [path, []])) });
    const { url } = site;
    const crawler = await start(`${url}/`);
    for (const path of ['/', '/1']) {
      await eventually(() => expect(site.waiting).toEqual([path]));
      site.release();
    }
    await eventually(() => expect(site.waiting).toEqual(['/2']));
    await site.close();
    expect(await crawler.end(180_000)).toEqual({ code: 0, reason: 'finished' });
    const good = crawler.rows.filter(({ loadState }) => loadState > 0).map((row) => new URL(row.url).pathname);
    const bad = crawler.rows.filter(({ loadState }) => loadState === 0).map((row) => new URL(row.url).pathname);
    expect([good, bad.sort()]).toEqual([
      ['/', '/1'],
      ['/2', '/3'],
    ]);
    const [path = ''] = crawler.waczs;
    expect(await faultsOf(path)).toEqual([]);
    expect(new WaczFile(path).lines(`${url}/1`)).toHaveLength(1);
  });

  it('links to 100,000 pages: the limit is kept, and so is the order', async () => {
    const server = createServer((request, response) => {
      const links = Array.from({ length: 100_000 }, (_, i) => `<a href="/page/${String(i)}">${String(i)}</a>`);
      response.setHeader('content-type', 'text/html');
      response.end(`<!doctype html><title>${request.url ?? ''}</title>${request.url === '/' ? links.join(' ') : ''}`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const crawler = await start(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`, { limit: 3 });
    expect(await crawler.end(180_000)).toEqual({ code: 0, reason: 'finished' });
    expect(crawler.rows.map(({ url }) => new URL(url).pathname)).toEqual(['/', '/page/0', '/page/1']);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('a promise that fails while nobody waits for it', () => {
  it('ends the process as a crash when it is the crawler, not a page, and the next one goes on', async () => {
    const site = await HeldSite.start({ '/': ['/1'], '/1': [] });
    const config = crawlConfig(
      { seeds: [{ url: `${site.url}/` }], scopeType: 'prefix', behaviors: '' },
      { windows: 1 },
    );
    const beside = fileURLToPath(new URL('../../support/rejecting.mjs', import.meta.url));
    const first = await CrawlerChild.start(config, { beside });
    try {
      await eventually(() => expect(site.waiting).toEqual(['/']));
      first.process.send({ fault: 'page' });
      site.release();
      await eventually(() => expect(site.waiting).toEqual(['/1']));
      first.process.send({ fault: 'own' });
      expect(await first.end()).toEqual({ code: EXIT_CODES.error, reason: 'error' });
      const told = first.of('log').map(({ line }) => [line.logLevel, line.details['error']]);
      expect(told).toContainEqual(['fatal', 'nobody saw this']);
      site.open();
      const next = await CrawlerChild.start(config, { resume: true });
      expect(await next.end()).toEqual({ code: 0, reason: 'finished' });
      const [path = ''] = next.waczs;
      expect(new WaczFile(path).pages.map(({ url }) => new URL(String(url)).pathname).sort()).toEqual(['/', '/1']);
      await CrawlerChild.discardAll([first, next]);
    } finally {
      await site.close();
    }
  });
});
