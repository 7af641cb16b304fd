import { crawlConfig, CrawlerChild } from '../../support/crawler-child.js';
import { pagesReplayed } from '../../support/replayed.js';
import { startTestSite, type TestSite } from '../../support/site/site.js';
import { ORDINARY } from '../../support/site/pages.js';
import { faultsOf, WaczFile } from '../../support/wacz-file.js';

describe('a crawl of the test site', () => {
  let site: TestSite;
  let crawler: CrawlerChild;
  let wacz: WaczFile;

  beforeAll(async () => {
    site = await startTestSite();
    crawler = await CrawlerChild.start(crawlConfig({ seeds: [{ url: `${site.url}/` }], scopeType: 'host' }));
    await crawler.end(240_000);
    wacz = new WaczFile(crawler.waczs[0]!);
  });

  afterAll(async () => {
    await crawler.discard();
    await site.close();
  });

  const line = (path: string) => wacz.lines(site.url + path).filter(({ url }) => url === site.url + path)[0];

  it('ends as finished with one WACZ', async () => {
    expect(await crawler.end()).toEqual({ code: 0, reason: 'finished' });
    expect(crawler.waczs).toHaveLength(1);
  });

  it('makes a WACZ that independent tools find no fault in', async () => {
    expect(await faultsOf(wacz.path)).toEqual([]);
  });

  it('makes a WACZ whose pages replay with their text', async () => {
    expect(await pagesReplayed([wacz.path])).toBe(3);
  }, 400_000);

  it('lists every page in the WACZ as it was reported', () => {
    const listed = wacz.pages.map(({ id }) => id).sort();
    expect(listed).toEqual(crawler.rows.map(({ id }) => id).sort());
    expect(crawler.rows.map(({ url }) => url)).toEqual(expect.arrayContaining(ORDINARY.map((path) => site.url + path)));
  });

  it('gives the text of a page in its list, where a player searches', () => {
    const [header = {}] = ['pages/pages.jsonl', 'pages/extraPages.jsonl'].map(
      (name) => JSON.parse(wacz.member(name).toString().split('\n', 1)[0]!) as object,
    );
    expect(header).toMatchObject({ format: 'json-pages-1.0', hasText: true });
    const record = (path: string): string => wacz.body(wacz.lines(`urn:text:${site.url}${path}`)[0]!).toString();
    const listed = (path: string) => wacz.pages.find(({ url }) => url === site.url + path);
    for (const path of ['/', '/js.html', '/br.html']) expect(listed(path)?.['text']).toBe(record(path));
    expect(listed('/doc.pdf')).not.toHaveProperty('text');
    expect(crawler.rows.every((row) => !('text' in row))).toBe(true);
  });

  it.each([
    ['/', 4, 200, 'text/html'],
    ['/gzip.html', 4, 200, 'text/html'],
    ['/br.html', 4, 200, 'text/html'],
    ['/missing.html', 4, 404, 'text/html'],
    ['/error.html', 2, 500, 'text/html'],
    ['/doc.pdf', 2, 200, 'application/pdf'],
    ['/download', 2, 200, 'application/octet-stream'],
    ['/redirect', 4, 200, 'text/html'],
    ['/slow.html', 4, 200, 'text/html'],
  ])('reports %s with load state %i, status %i, %s', (path, loadState, status, mime) => {
    expect(crawler.row(path)).toMatchObject({ loadState, status, mime });
  });

  it('marks the seed, and only the seed', () => {
    const seeds = crawler.rows.filter(({ seed }) => seed);
    expect(seeds.map(({ url }) => url)).toEqual([`${site.url}/`]);
    expect(seeds[0]).toMatchObject({ depth: 0, title: 'Home', favIconUrl: `${site.url}/img/icon.png` });
  });

  it('leaves the title out for what is no page', () => {
    expect(crawler.row('/doc.pdf')).not.toHaveProperty('title');
    expect(crawler.row('/download')).not.toHaveProperty('title');
  });

  it('stores bodies decoded and byte for byte', () => {
    expect(wacz.body(line('/gzip.html')!).toString()).toContain('<h1>Gzip</h1>');
    expect(wacz.body(line('/br.html')!).toString()).toContain('<h1>Brotli</h1>');
    expect(wacz.body(line('/latin1.html')!).includes(Buffer.from('Caf\xe9 cr\xe8me', 'latin1'))).toBe(true);
    expect(wacz.record(line('/gzip.html')!).toString('latin1')).toMatch(/x-orig-content-encoding: gzip/i);
    expect(wacz.body(line('/download')!)).toEqual(Buffer.alloc(5_000, 7));
  });

  it('stores posted requests under the key replay computes', () => {
    expect(line('/api/echo')).toMatchObject({ method: 'POST', requestBody: 'q=hello&n=1' });
    expect(line('/api/form')!.key).toContain('__wb_method=post&a=1&b=two');
    expect(JSON.parse(wacz.body(line('/api/form')!).toString())).toEqual({ form: 'a=1&b=two' });
  });

  it('scrolls: lazy, observed and appended pictures are there', () => {
    for (let i = 0; i < 6; i++) {
      expect(line(`/img/lazy-${i}.png`)).toBeDefined();
      expect(line(`/img/seen-${i}.png`)).toBeDefined();
    }
    expect(line('/img/feed-3-3.png')).toBeDefined();
  });

  it('fetches what another screen would load', () => {
    for (const path of ['/img/s0.png', '/img/s1.png', '/img/s2.png', '/img/background.png', '/img/print.png']) {
      expect(line(path)).toBeDefined();
    }
  });

  it('stores the video whole, as one 200', () => {
    const lines = wacz.lines(`${site.url}/media/clip.webm`);
    expect(lines.map(({ status }) => status)).toEqual(['200']);
    expect(wacz.body(lines[0]!)).toHaveLength(6388);
  });

  it('stores the same picture once and refers to it from elsewhere', () => {
    const lines = ['/copy/a/shared.png', '/copy/b/shared.png'].map((path) => line(path)!);
    expect(lines.map(({ mime }) => mime).sort()).toEqual(['image/png', 'warc/revisit']);
    const revisit = lines.find(({ mime }) => mime === 'warc/revisit')!;
    expect(wacz.record(revisit).toString('latin1')).toMatch(/WARC-Refers-To-Target-URI: .*shared\.png/);
    expect(wacz.body(revisit)).toHaveLength(0);
  });

  it('records frames of both origins, workers and redirects', () => {
    expect(line('/inner.html')).toBeDefined();
    expect(wacz.lines(`${site.otherUrl}/inner.html`)).toHaveLength(1);
    expect(line('/worker.js')).toBeDefined();
    expect(line('/api/data.json?q=worker')).toBeDefined();
    expect(line('/redirect')).toMatchObject({ status: '302' });
  });

  it('follows popups as links and survives dialogs', () => {
    expect(crawler.row('/opened.html')).toMatchObject({ loadState: 4 });
    expect(crawler.row('/dialogs.html')).toMatchObject({ loadState: 4 });
  });

  it('keeps text, view, thumbnail and page info of a page', () => {
    const url = `${site.url}/js.html`;
    const text = wacz.body(wacz.lines(`urn:text:${url}`)[0]!).toString();
    expect(text).toContain('form post: {"form":"a=1&b=two"}');
    expect(text).not.toContain('fetch(');
    const view = wacz.body(wacz.lines(`urn:view:${url}`)[0]!);
    expect([view.readUInt32BE(16), view.readUInt32BE(20)]).toEqual([1920, 1080]);
    expect(wacz.lines(`urn:thumbnail:${url}`)[0]).toMatchObject({ mime: 'image/jpeg' });
    const row = crawler.row('/js.html')!;
    expect(wacz.json(`urn:pageinfo:${url}`)).toMatchObject({
      pageid: row.id,
      ts: row.ts,
      urls: { [url]: { status: 200, mime: 'text/html', type: 'document' }, [`${site.url}/api/echo`]: { status: 200 } },
    });
  });

  it('has all members the format asks for', () => {
    const names = wacz.members.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['pages/pages.jsonl', 'pages/extraPages.jsonl', 'datapackage.json']));
    expect(wacz.warcs.every(({ name }) => name.startsWith('archive/org-test-manual-'))).toBe(true);
    const { resources } = JSON.parse(wacz.member('datapackage.json').toString()) as { resources: unknown[] };
    expect(resources.length).toBeGreaterThanOrEqual(6);
  });
});
