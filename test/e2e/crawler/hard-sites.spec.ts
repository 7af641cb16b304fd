import type { CrawlModeConfig, WorkflowConfig } from '../../../crawler/protocol.js';
import { crawlConfig, CrawlerChild } from '../../support/crawler-child.js';
import { startTestSite, type TestSite } from '../../support/site/site.js';
import { faultsOf, WaczFile } from '../../support/wacz-file.js';

describe('a site that makes it hard', () => {
  let site: TestSite;
  const started: CrawlerChild[] = [];

  beforeAll(async () => {
    site = await startTestSite();
  });
  afterEach(async () => {
    await CrawlerChild.discardAll(started);
    site.setStatus(200);
  });
  afterAll(() => site.close());

  const crawl = async (paths: string[], job: WorkflowConfig = {}, over: Partial<CrawlModeConfig> = {}) => {
    const seeds = paths.map((path) => ({ url: /^https?:/.test(path) ? path : site.url + path }));
    const config = crawlConfig({ seeds, scopeType: 'page', behaviorTimeout: 5, ...job }, over);
    const crawler = await CrawlerChild.start(config);
    started.push(crawler);
    return { crawler, ...(await crawler.end()) };
  };

  it('ends pages that never end, and keeps what they had', async () => {
    const { crawler, reason } = await crawl(
      ['/hang.html', '/stream.html', '/redirect-loop', '/storm.html', '/many-links.html'],
      { pageLoadTimeout: 8 },
    );
    expect(reason).toBe('finished');
    expect(crawler.row('/hang.html')).toMatchObject({ status: 200, title: 'Hang' });
    expect(crawler.row('/stream.html')).toMatchObject({ status: 200 });
    expect(crawler.row('/redirect-loop')).toMatchObject({ loadState: 0 });
    expect(crawler.row('/storm.html')).toMatchObject({ status: 200 });
    expect(crawler.row('/many-links.html')).toMatchObject({ status: 200, title: 'Many links' });
    expect(await faultsOf(crawler.waczs[0]!)).toEqual([]);
  });

  it('follows the link of a window whose address answers after the page is left', async () => {
    const { crawler } = await crawl(['/opener.html'], { scopeType: 'any', depth: 1 });
    expect(crawler.row('/reluctant.html')).toMatchObject({ loadState: 4, title: 'Reluctant' });
  });

  it('visits nothing but http and https', async () => {
    const { crawler } = await crawl(['/schemes.html'], { scopeType: 'any', depth: 1, limit: 10 });
    expect(crawler.rows.every(({ url }) => /^https?:/.test(url))).toBe(true);
    expect(crawler.rows.some(({ url }) => url.endsWith('/schemes.html'))).toBe(true);
  });

  it('reaches no private address unless the deployment allows it', async () => {
    const before = site.requests.length;
    const { crawler, ...end } = await crawl(
      ['/', 'http://localhost:1/', 'http://0x7f.1/', 'http://[::1]/'],
      {},
      { allowPrivate: false },
    );
    expect(end).toEqual({ code: 9, reason: 'failed' });
    expect(site.requests.length).toBe(before);
    expect(crawler.rows.every(({ loadState }) => loadState === 0)).toBe(true);
    const said = Object.fromEntries(
      crawler.of('log').flatMap(({ line: { logLevel, details } }) => {
        return logLevel === 'error' ? [[details['page'], details['msg']]] : [];
      }),
    );
    const reason = (host: string) =>
      expect.stringContaining(`the address of ${host} is private, which ALLOW_PRIVATE_ADDRESSES=crawls would allow`);
    expect(said).toMatchObject({
      [`${site.url}/`]: reason('127.0.0.1'),
      'http://127.0.0.1/': reason('127.0.0.1'),
      'http://[::1]/': reason('[::1]'),
    });
    expect(crawler.waczs).toEqual([]);
  });

  it('waits as long as a rate limit says, then gives the page up', async () => {
    const { crawler, reason } = await crawl(['/limited.html', '/gzip.html'], {}, { windows: 1, rateLimitThreshold: 0 });
    expect(reason).toBe('finished');
    expect(crawler.row('/limited.html')).toMatchObject({ loadState: 0, status: 429 });
    expect(site.requests.filter(({ path }) => path === '/limited.html')).toHaveLength(5);
  });

  it('gives way when everything is rate limited', async () => {
    site.setStatus(429);
    const { code, reason } = await crawl(
      ['/switch.html?1', '/switch.html?2', '/switch.html?3'],
      {},
      { rateLimitThreshold: 3 },
    );
    expect({ code, reason }).toEqual({ code: 18, reason: 'rate_limited' });
  });

  it('fails with its seed where the workflow says so', async () => {
    expect(await crawl(['/missing.html'], { failOnFailedSeed: true })).toMatchObject({ code: 9, reason: 'failed' });
  });

  it.each<[WorkflowConfig, string]>([
    [{ seeds: [{ url: 'ftp://a.test/' }] }, 'a seed that is no web address'],
    [{ include: ['('] }, 'a pattern that does not compile'],
  ])('refuses %j: %s', async (job, _why) => {
    expect(await crawl(['/'], job)).toMatchObject({ code: 4, reason: 'config_refused' });
  });

  it('reads sitemaps with index and gzip, and obeys robots.txt', async () => {
    const { crawler } = await crawl(['/deep/5.html', '/private/x.html'], {
      scopeType: 'host',
      useSitemap: true,
      useRobots: true,
    });
    const paths = crawler.rows.map(({ url }) => url.slice(site.url.length)).sort();
    expect(paths).toEqual(['/deep/5.html', '/mapped/1.html', '/mapped/2.html', '/mapped/3.html']);
  });

  it('follows hash routes as pages only where they are', async () => {
    const spa = await crawl(['/spa.html'], { scopeType: 'page-spa' });
    expect(spa.crawler.rows.map(({ url }) => url.slice(site.url.length)).sort()).toEqual([
      '/spa.html',
      '/spa.html#/one',
      '/spa.html#/two',
    ]);
    const prefix = await crawl(['/spa.html'], { scopeType: 'prefix', exclude: ['static'], depth: 1 });
    expect(prefix.crawler.rows.map(({ url }) => url.slice(site.url.length))).toEqual(['/spa.html']);
  });

  it('depth, extra hops and log-in by address work', async () => {
    const deep = await crawl(['/deep/1.html'], { scopeType: 'prefix', depth: 2 });
    expect(deep.crawler.rows).toHaveLength(3);
    const basic = await crawl([`${site.url.replace('//', '//ada:secret@')}/basic.html`]);
    expect(basic.crawler.rows[0]).toMatchObject({ status: 200, title: 'Basic access', url: `${site.url}/basic.html` });
    expect(new WaczFile(basic.crawler.waczs[0]!).index.every(({ url }) => !url.includes('secret'))).toBe(true);
  });

  it('a pattern that back-tracks without end hurts nobody', async () => {
    const { reason, crawler } = await crawl(['/deep/1.html'], {
      scopeType: 'prefix',
      exclude: ['^(?=h)(.+)+\\1z$', '(a+)+$'],
    });
    expect(reason).toBe('finished');
    expect(crawler.rows).toHaveLength(5);
  });
});
