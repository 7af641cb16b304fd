import type { QaModeConfig } from '../../../crawler/protocol.js';
import { crawlConfig, CrawlerChild } from '../../support/crawler-child.js';
import { startTestSite, type TestSite } from '../../support/site/site.js';
import { faultsOf, WaczFile } from '../../support/wacz-file.js';

const PAGES = [
  '/gzip.html', '/latin1.html', '/js.html', '/lazy.html', '/scroll.html', '/frames.html', '/worker.html', '/sw.html',
  '/redirect', '/missing.html', '/same-a.html', '/same-b.html', '/spa.html#/one', '/video.html', '/doc.pdf',
]; // prettier-ignore

describe('a quality check of a crawl', () => {
  let site: TestSite;
  let crawl: CrawlerChild;
  let qa: CrawlerChild;

  beforeAll(async () => {
    site = await startTestSite();
    const seeds = PAGES.map((path) => ({ url: site.url + path }));
    // Several WACZs, so that revisits and resources resolve across files.
    crawl = await CrawlerChild.start(crawlConfig({ seeds, scopeType: 'page' }, { rolloverBytes: 200_000 }));
    expect(await crawl.end(180_000)).toMatchObject({ reason: 'finished' });
    await site.close();
    const { rolloverBytes: _bytes, ...base } = crawlConfig({ seeds });
    const config: QaModeConfig = {
      ...base,
      mode: 'qa',
      jobId: 'qa-20261121080000-abcdef01-234',
      warcPrefix: 'qa',
      rolloverBytes: 1_000_000_000,
      sources: crawl
        .of('wacz')
        .map(({ file }, i) => ({ name: file.file, path: crawl.waczs[i]!, sizeBytes: file.size })),
    };
    qa = await CrawlerChild.start(config);
    await qa.end(240_000);
  }, 420_000);

  afterAll(async () => {
    await crawl.discard();
    await qa.discard();
  });

  const compared = (path: string) => qa.of('qaPage').find(({ row }) => row.url.endsWith(path))?.comparison;

  it('runs over several WACZs and ends as finished', async () => {
    expect(crawl.waczs.length).toBeGreaterThan(1);
    expect(await qa.end()).toEqual({ code: 0, reason: 'finished' });
  });

  it.each(PAGES.filter((path) => path !== '/doc.pdf'))('replays %s like the original', (path) => {
    const comparison = compared(path);
    expect(comparison?.screenshotMatch).toBeGreaterThanOrEqual(path === '/video.html' ? 0.99 : 0.999);
    expect(comparison?.textMatch).toBe(1);
    expect(comparison?.resourceCounts.replayGood).toBeGreaterThan(0);
  });

  it('finds the resources a page loads in the archive', () => {
    expect(compared('/lazy.html')?.resourceCounts).toEqual({
      crawlGood: 16,
      crawlBad: 0,
      replayGood: 16,
      replayBad: 0,
    });
    expect(compared('/missing.html')?.resourceCounts).toMatchObject({ crawlBad: 1, replayBad: 1 });
  });

  it('leaves out what is no HTML page', () => {
    expect(compared('/doc.pdf')).toBeUndefined();
    expect(qa.of('qaPage')).toHaveLength(PAGES.length - 1);
  });

  it('keeps the ids of the crawl, and its figures in the records of its own WACZ', async () => {
    const [wacz] = qa.waczs.map((path) => new WaczFile(path));
    const row = crawl.row('/js.html')!;
    expect(qa.of('qaPage').find(({ row: { id } }) => id === row.id)?.row.url).toBe(row.url);
    expect(wacz!.json(`urn:pageinfo:${row.url}`)).toMatchObject({ pageid: row.id, comparison: { textMatch: 1 } });
    expect(await faultsOf(wacz!.path)).toEqual([]);
  });
});
