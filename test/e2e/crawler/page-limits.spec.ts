import type { ServerResponse } from 'node:http';
import type { LogLine } from '../../../crawler/protocol.js';
import { crawlConfig, CrawlerChild } from '../../support/crawler-child.js';
import { PlainServer } from '../../support/plain-server.js';
import { WaczFile } from '../../support/wacz-file.js';

const page = (title: string, body: string): string =>
  `<!doctype html><link rel="icon" href="data:,"><title>${title}</title><h1>${title}</h1>
   <img src="/there.png?${title}">${body}`;
/** Between two dialogs no script can be ended, and none of ours gets its turn. */
const UNREADABLE = '/dialogs';
const far = '<div style="height:3000px"></div>';

/** Each keeps a visitor waiting in a way of its own; `/held…` is never answered. */
const PAGES: Record<string, string> = {
  '/frame': page('Frame', '<iframe src="/held"></iframe>'),
  '/lazy-frame': page('Lazy', `${far}<iframe loading="lazy" src="/held"></iframe>${far}`),
  '/lazy-picture': page('Lazy picture', `${far}<img loading="lazy" src="/held.png">${far}`),
  '/late-frame': page(
    'Late frame',
    `<script>addEventListener('load', () => setTimeout(() => {
       const frame = document.createElement('iframe'); frame.src = '/held'; document.body.append(frame);
     }, 100));</script>`,
  ),
  '/gone-frame': page(
    'Gone frame',
    `<iframe src="/inner"></iframe><script>addEventListener('load', () => { frames[0].location = '/held'; });</script>`,
  ),
  '/font': page(
    'Font',
    '<style>@font-face { font-family: Held; src: url(/held.woff2) } p { font-family: Held }</style><p>words</p>',
  ),
  '/busy': page('Busy', `<script>addEventListener('load', () => setTimeout(() => { for (;;); }, 300));</script>`),
  '/busy-on-scroll': page('Busy on scroll', `${far}<script>addEventListener('scroll', () => { for (;;); });</script>`),
  '/dialogs': page(
    'Dialogs',
    `<script>addEventListener('beforeunload', (event) => { event.preventDefault(); });
     addEventListener('load', () => setTimeout(() => { for (;;) { alert('a'); confirm('b'); } }, 300));</script>`,
  ),
  '/debugger': page('Debugger', `<script>debugger; print(); setInterval(() => { debugger; print(); }, 50);</script>`),
  /** And its head comes late each time. */
  '/turns': page('Turns', `<script>addEventListener('load', () => setTimeout(() => location.reload(), 50));</script>`),
};
const LOAD_SECONDS = 6;
const BEHAVIOR_SECONDS = 4;
/** What the window may take on top of the times the workflow sets. */
const SLACK_SECONDS = 10;

describe('a page that holds its visitor', () => {
  let site: PlainServer;
  let crawler: CrawlerChild;
  let asked: string[];
  let log: LogLine[];

  beforeAll(async () => {
    asked = [];
    site = await PlainServer.start(({ url = '' }, response) => {
      asked.push(url);
      answer(url, response);
    });
    const seeds = [...Object.keys(PAGES), '/endless-file'].map((path) => ({ url: site.url + path }));
    const times = { pageLoadTimeout: LOAD_SECONDS, behaviorTimeout: BEHAVIOR_SECONDS };
    crawler = await CrawlerChild.start(crawlConfig({ seeds, scopeType: 'page', ...times }));
    await crawler.end(560_000);
    const members = crawler.waczs.flatMap((path) => new WaczFile(path).members);
    const lines = members.filter(({ name }) => name.startsWith('logs/')).map(({ bytes }) => bytes.toString('utf8'));
    log = lines.flatMap((text) => text.split('\n').filter(Boolean)).map((line) => JSON.parse(line) as LogLine);
  }, 600_000);
  afterAll(async () => {
    await crawler.discard();
    await site.close();
  });

  const secondsOf = (path: string): number => {
    const [start, end] = ['Starting page', 'Page finished'].map((message) => {
      const line = log.find((each) => each.message === message && each.details['page'] === site.url + path);
      return Date.parse(line?.timestamp ?? '');
    });
    return (end! - start!) / 1000;
  };

  it.each(Object.keys(PAGES))('%s: what was loaded is kept, and its window is free in time', (path) => {
    const title = /<title>(.*)<\/title>/.exec(PAGES[path]!)![1]!;
    expect(crawler.row(path)).toMatchObject({ status: 200, ...(path === UNREADABLE ? {} : { title }) });
    expect(crawler.row(path)?.loadState).toBeGreaterThan(0);
    const wacz = new WaczFile(crawler.waczs[0]!);
    const archived = new Set(wacz.index.map(({ url }) => url));
    const urls = [path, `/there.png?${encodeURIComponent(title)}`].map((each) => site.url + each);
    const kinds = path === UNREADABLE ? ['pageinfo'] : ['pageinfo', 'text', 'view', 'thumbnail'];
    const records = kinds.map((kind) => `urn:${kind}:${site.url}${path}`);
    expect([...archived]).toEqual(expect.arrayContaining([...urls, ...records]));
    expect(secondsOf(path)).toBeLessThan(LOAD_SECONDS + BEHAVIOR_SECONDS + SLACK_SECONDS);
  });

  it('a download without end is kept in part', () => {
    expect(crawler.row('/endless-file')).toMatchObject({ status: 200, loadState: 2 });
    expect(new WaczFile(crawler.waczs[0]!).lines(`${site.url}/endless-file`)).toHaveLength(1);
    expect(secondsOf('/endless-file')).toBeLessThan(LOAD_SECONDS + BEHAVIOR_SECONDS + SLACK_SECONDS);
  });

  it('none of them is visited twice', () => {
    for (const path of Object.keys(PAGES).filter((each) => each !== '/turns'))
      expect([path, asked.filter((url) => url === path).length]).toEqual([path, 1]);
  });
});

function answer(url: string, response: ServerResponse): void {
  if (url.startsWith('/held')) return;
  if (url === '/endless-file') {
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' });
    const timer = setInterval(() => response.write('x'.repeat(1_000)), 200);
    response.on('close', () => clearInterval(timer));
    return;
  }
  const found = url === '/inner' ? page('Inner', '') : PAGES[url];
  if (found !== undefined) {
    response.writeHead(200, { 'content-type': 'text/html' });
    if (url !== '/turns') return void response.end(found);
    response.write('<!doctype html>');
    setTimeout(() => response.end(found), 400);
  } else response.writeHead(200, { 'content-type': 'image/png' }).end('picture');
}
