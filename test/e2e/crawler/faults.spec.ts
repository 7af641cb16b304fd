import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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
