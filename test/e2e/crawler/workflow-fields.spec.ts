import { writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { WORK_FILES, type WorkflowConfig } from '../../../crawler/protocol.js';
import { crawlConfig, CrawlerChild } from '../../support/crawler-child.js';
import { gitFile, gitLink, GitServer } from '../../support/git-server.js';
import { eventually } from '../../support/eventually.js';
import { PlainServer } from '../../support/plain-server.js';
import { WaczFile } from '../../support/wacz-file.js';

const page = (title: string, body = ''): string =>
  `<!doctype html><link rel="icon" href="data:,"><title>${title}</title><h1>${title}</h1>${body}`;

/** Custom behaviors, as the library of the official crawler takes them. */
const BEHAVIORS = {
  '/acts.js': `class Acts {
    static get id() { return 'Acts'; }
    static isMatch() { return location.pathname === '/first'; }
    static init() { return { state: {} }; }
    async* run(ctx) { await fetch('/by-behavior'); yield ctx.Lib.getState(ctx, 'asked'); }
  }`,
  '/checks.js': `class Checks {
    static get id() { return 'Checks'; }
    static isMatch() { return true; }
    static init() { return { state: {} }; }
    async* run() {}
    async awaitPageLoad(ctx) { ctx.Lib.assertContentValid(() => false, 'not_logged_in'); }
  }`,
};

const POST_LOAD_SECONDS = 3;
const EXTRA_SECONDS = 4;
/** A timer may be told a moment early. */
const TIMER_MS = 50;

const PAGES: Record<string, string> = {
  ...BEHAVIORS,
  '/first': page(
    'First',
    `<a href="/not-selected">a link</a><p data-to="/selected">a place</p>
     <button onclick="fetch('/by-click')">press</button>
     <script>new WebSocket(location.origin.replace('http', 'ws') + '/socket');</script>`,
  ),
  // It takes whatever the crawler hands to a behavior's loader.
  '/second': page(
    'Second',
    `<script>
      const take = (given) => fetch('/taken?' + btoa(JSON.stringify(given) + String(given)));
      Object.defineProperty(self, '__mn_load', { get: () => take, set: () => undefined });
    </script>`,
  ),
  '/selected': page('Selected', '<p data-to="/too-far">further</p>'),
};

describe('what a workflow says of its pages', () => {
  let site: PlainServer;
  let asked: IncomingMessage[];
  /** When each path was asked for first, ms. */
  let times: Map<string, number>;
  const started: CrawlerChild[] = [];

  beforeEach(async () => {
    asked = [];
    times = new Map();
    site = await PlainServer.start((req, res) => {
      asked.push(req);
      if (!times.has(req.url ?? '')) times.set(req.url ?? '', performance.now());
      const found = PAGES[req.url ?? ''];
      const type = req.url?.endsWith('.js') ? 'text/javascript' : 'text/html';
      res.writeHead(found === undefined ? 404 : 200, { 'content-type': type }).end(found ?? '');
    });
  });
  afterEach(async () => {
    await CrawlerChild.discardAll(started);
    await site.close();
  });

  async function crawl(job: WorkflowConfig, seedFile: string): Promise<CrawlerChild> {
    const config = crawlConfig({ scopeType: 'page', ...job }, { hasSeedFile: true, windows: 1 });
    writeFileSync(join(config.dir, WORK_FILES.seedFile), seedFile);
    const crawler = await CrawlerChild.start(config);
    started.push(crawler);
    return crawler;
  }
  const paths = (): (string | undefined)[] => asked.map(({ url }) => url);

  it('holds: seed file, hops, link selectors, language, user agent, clicks, custom behaviors', async () => {
    const crawler = await crawl(
      {
        extraHops: 1,
        selectLinks: ['[data-to]->@data-to'],
        lang: 'de',
        userAgent: 'Archivist/7',
        behaviors: 'autoscroll,autoclick',
        clickSelector: 'button',
        customBehaviors: [`${site.url}/acts.js`],
      },
      `${site.url}/first\n\nno address\n${site.url}/second\r\n`,
    );
    expect(await crawler.end(180_000)).toEqual({ code: 0, reason: 'finished' });
    const visited = crawler.rows.map(({ url, depth, seed = false }) => [url.slice(site.url.length), depth, seed]);
    expect(visited.sort()).toEqual([
      ['/first', 0, true],
      ['/second', 0, true],
      ['/selected', 1, false],
    ]);
    expect(paths()).toEqual(expect.arrayContaining(['/by-behavior', '/by-click']));
    expect(paths()).not.toContain('/not-selected');
    const done = crawler.of('log').filter(({ list }) => list === 'behavior');
    expect(done.map(({ line }) => [line.logLevel, line.context, line.message, line.details['page']])).toEqual(
      expect.arrayContaining(
        [/^Click empty link$/, /^Autoscroll: /].map((message) => [
          'info',
          'behavior',
          expect.stringMatching(message),
          `${site.url}/first`,
        ]),
      ),
    );
    for (const { url, headers } of asked)
      if (PAGES[url ?? '']?.startsWith('<!doctype'))
        expect([headers['user-agent'], headers['accept-language']]).toEqual([
          'Archivist/7',
          expect.stringMatching(/^de\b/),
        ]);
    const info = new WaczFile(crawler.waczs[0]!).json(`urn:pageinfo:${site.url}/first`) as {
      urls: Record<string, unknown>;
    };
    expect(info.urls[`${site.url.replace('http', 'ws')}/socket`]).toMatchObject({ type: 'websocket' });
  });

  it('sends no file of the machine to a site, whatever a repository of behaviors links to', async () => {
    const config = crawlConfig({ scopeType: 'page', seeds: [{ url: `${site.url}/second` }] }, { windows: 1 });
    writeFileSync(join(config.dir, 'secrets.json'), '{"passwordSecret": "hush"}');
    const links = [gitLink('in/a.js', '../../secrets.json'), gitLink('in/b.js', join(config.dir, 'secrets.json'))];
    const git = await GitServer.start([...links, gitFile('in/c.js', BEHAVIORS['/acts.js'])]);
    try {
      config.config.customBehaviors = [`git+${git.url}?path=in`];
      const crawler = await CrawlerChild.start(config);
      started.push(crawler);
      expect(await crawler.end(180_000)).toEqual({ code: 0, reason: 'finished' });
      const taken = paths().map((path) => Buffer.from(path?.split('?')[1] ?? '', 'base64').toString());
      expect(taken).toEqual(expect.arrayContaining([expect.stringContaining('class Acts')]));
      expect(taken.join()).not.toContain('hush');
      expect(JSON.stringify(crawler.of('log'))).not.toContain(config.dir);
    } finally {
      await git.close();
    }
  });

  it('waits after the load before it reads a page, and after that before it takes the next', async () => {
    const delays = { postLoadDelay: POST_LOAD_SECONDS, pageExtraDelay: EXTRA_SECONDS };
    const customBehaviors = [`${site.url}/acts.js`];
    await crawl({ ...delays, behaviors: '', customBehaviors }, `${site.url}/first\n${site.url}/second\n`);
    await eventually(() => expect(paths()).toContain('/second'), 120_000);
    // Each is the cause of the next, with the wait between them: a slow machine only makes it longer.
    const [page, act, next] = ['/first', '/by-behavior', '/second'].map((path) => times.get(path) ?? NaN);
    expect(act! - page!).toBeGreaterThan(POST_LOAD_SECONDS * 1000 - TIMER_MS);
    expect(next! - act!).toBeGreaterThan(EXTRA_SECONDS * 1000 - TIMER_MS);
  });

  it('ends the crawl where a content check fails, when the workflow says so', async () => {
    const checked = { customBehaviors: [`${site.url}/checks.js`], failOnContentCheck: true };
    const crawler = await crawl(checked, `${site.url}/first\n`);
    expect(await crawler.end(180_000)).toEqual({ code: 9, reason: 'content_check' });
    expect(crawler.of('exit').at(-1)).toMatchObject({ failReason: 'not_logged_in' });
    expect(crawler.waczs).toEqual([]);
  });
});
