import { readFileSync, writeFileSync } from 'node:fs';
import type { QaModeConfig } from '../../../crawler/protocol.js';
import { visitDirectly } from '../../support/direct-visit.js';
import { crawlConfig, CrawlerChild } from '../../support/crawler-child.js';
import { startTestSite, type TestSite } from '../../support/site/site.js';
import { faultsOf, WaczFile } from '../../support/wacz-file.js';

const PAGES = [
  '/gzip.html', '/latin1.html', '/js.html', '/lazy.html', '/scroll.html', '/frames.html', '/worker.html', '/sw.html',
  '/redirect', '/missing.html', '/same-a.html', '/same-b.html', '/spa.html#/one', '/video.html', '/doc.pdf',
  '/late.html',
]; // prettier-ignore

/** Those whose every resource is followed from the site through the archive to the replay. */
const VISITED = PAGES.filter((path) => !['/missing.html', '/doc.pdf'].includes(path));
const FIDELITY = new URL('../../../docs/fidelity.md', import.meta.url);

describe('a quality check of a crawl', () => {
  let site: TestSite;
  let crawl: CrawlerChild;
  let qa: CrawlerChild;
  let direct: Map<string, string[]>;

  beforeAll(async () => {
    site = await startTestSite();
    const seeds = PAGES.map((path) => ({ url: site.url + path }));
    direct = await visitDirectly(VISITED.map((path) => site.url + path));
    // Several WACZs, so that revisits and resources resolve across files.
    crawl = await CrawlerChild.start(crawlConfig({ seeds, scopeType: 'page' }, { rolloverBytes: 200_000 }));
    expect(await crawl.end(180_000)).toMatchObject({ reason: 'finished' });
    await site.close();
    const { rolloverBytes: _bytes, ...base } = crawlConfig({ seeds });
    const config: QaModeConfig = {
      ...base,
      mode: 'qa',
      jobId: 'qa-20201121080000-abcdef01-234',
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

  it('holds and replays every resource that a direct visit loads, as docs/fidelity.md lists', () => {
    const textOfWorkerPage = crawl.waczs.flatMap((path) => {
      const file = new WaczFile(path);
      return file.lines(`urn:text:${site.url}/worker.html`).map((line) => file.body(line).toString('utf8'));
    });
    expect(textOfWorkerPage.join()).toContain('worker got');
    const archived = new Set(crawl.waczs.flatMap((path) => new WaczFile(path).index.map(({ url }) => url)));
    const [wacz] = qa.waczs.map((path) => new WaczFile(path));
    const nameOf = (url: string): string => url.replace(site.otherUrl, 'other origin: ').replace(site.url, '');
    // By name: the ports of the two origins are other ones each time.
    const byName = (a: string, b: string): number => (nameOf(a) < nameOf(b) ? -1 : 1);
    const rows: string[][] = [];
    for (const [page, resources] of direct) {
      const info = wacz?.json(`urn:pageinfo:${crawl.rows.find(({ url }) => url === page)?.url ?? ''}`);
      const replayed = (info?.['urls'] ?? {}) as Record<string, { status?: number }>;
      expect(resources.length).toBeGreaterThan(0);
      for (const url of [...resources].sort(byName)) {
        const status = replayed[url]?.status ?? 0;
        // The browser tells nobody what a worker asks for, but the page shows what the worker got.
        const isShown = url.includes('worker') && compared('/worker.html')?.textMatch === 1;
        const answers = [archived.has(url), (status >= 200 && status < 400) || isShown];
        rows.push([nameOf(page), nameOf(url), ...answers.map((yes) => (yes ? 'yes' : 'no'))]);
      }
    }
    const table = tableOf(['Page', 'Resource', 'In the WACZ', 'Replays'], rows);
    const text = readFileSync(FIDELITY, 'utf8');
    const made = `${text.slice(0, text.indexOf('\n|') + 1)}${table}\n`;
    if (process.env['FIDELITY_WRITE']) writeFileSync(FIDELITY, made);
    else expect(text).toBe(made);
    expect(rows.filter((row) => row.includes('no'))).toEqual([]);
  });

  it('waits for what a page and its service worker ask for', () => {
    const read = (url: string): string =>
      crawl.waczs
        .map((path) => new WaczFile(path))
        .flatMap((file) => file.lines(url).map((line) => file.body(line).toString('utf8')))
        .join();
    expect(read(`urn:text:${site.url}/late.html`)).toMatch(/5 lines\s+late/);
    expect(read(`${site.url}/late/3000/lines.ndjson`)).toContain('{"line":5}');
    for (const url of ['/sw.js', '/api/data.json?q=installed', '/late/1500/data.json?q=activated'])
      expect([url, read(site.url + url)]).toEqual([url, expect.stringMatching(/installed|activated/)]);
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

  it('describes the replayed resources as the crawl describes them', () => {
    const resources = (files: string[], path: string) =>
      files.flatMap((file) => {
        const wacz = new WaczFile(file);
        const url = `urn:pageinfo:${site.url}${path}`;
        return wacz.lines(url).length > 0 ? [wacz.json(url)['urls']] : [];
      });
    for (const path of ['/lazy.html', '/frames.html']) {
      const crawled = resources(crawl.waczs, path);
      expect(crawled).toHaveLength(1);
      expect(resources(qa.waczs, path)).toEqual(crawled);
    }
  });
});

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
