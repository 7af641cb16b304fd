import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import type { ApiClient } from '../../support/api-client.js';
import { builtCrawler } from '../../support/build-crawler.js';
import { eventually } from '../../support/eventually.js';
import { PlainServer } from '../../support/plain-server.js';
import { Player } from '../../support/player.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';
import { WaczFile } from '../../support/wacz-file.js';

const BOUND_MS = 120_000;
/** A loaded machine answers some questions too late. Such a crawl captures whole, as it should, and says so. */
const TRIES = 3;
/** Text that does not compress below what an original has to have. */
const NOISE = Array.from({ length: 40 }, (_, i) => createHash('sha256').update(String(i)).digest('hex')).join(' ');
const FILLER = `<p>All that is said: ${NOISE}</p>`;
const HEAD = '<!doctype html><link rel="icon" href="data:,">';

const picture = (width: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${String(width)}" height="8"><!--${NOISE}--></svg>`;

/** Pages of which some change, and what was asked for since the last crawl began. */
class NewsSite {
  asked: string[] = [];
  edition = 1;
  private visits = 0;

  private constructor(private readonly server: PlainServer) {}

  static async start(): Promise<NewsSite> {
    let site: NewsSite | undefined = undefined;
    const server = await PlainServer.start((request, response) => site?.answer(request.url ?? '/', response));
    site = new NewsSite(server);
    return site;
  }

  get url(): string {
    return this.server.url;
  }

  close(): Promise<void> {
    return this.server.close();
  }

  private answer(path: string, response: ServerResponse): void {
    this.asked.push(path);
    const page = this.page(path);
    if (path.endsWith('.svg')) response.setHeader('content-type', 'image/svg+xml').end(picture(path.length));
    else if (path === '/steady.js')
      response.setHeader('content-type', 'text/javascript').end('fetch("/from-script.json")');
    else if (path === '/steady.css')
      response.setHeader('content-type', 'text/css').end('p { background: url(/from-style.svg) }');
    else if (page) response.setHeader('content-type', 'text/html; charset=utf-8').end(HEAD + page + FILLER);
    else response.writeHead(404).end();
  }

  private page(path: string): string | undefined {
    const pages: Record<string, string> = {
      '/': `<title>Front</title>Visit ${String(this.visits++)}<a href="/steady">s</a><a href="/news">n</a>`,
      '/steady': `<title>Steady</title><link rel="stylesheet" href="/steady.css"><script src="/steady.js"></script>
        <script>fetch('/from-page.json')</script><img src="/steady.svg"><iframe src="/inner"></iframe>
        <a href="later">found later</a>`,
      '/inner': '<title>Inner</title><img src="/inner.svg">',
      '/news': `<title>News</title>Edition ${String(this.edition)}<img src="/news.svg">`,
      '/later': '<title>Later</title><img src="/later.svg">',
    };
    return pages[path];
  }
}

describe('pages that have not changed, in a crawl that skips them', () => {
  jest.setTimeout(4 * BOUND_MS);
  let on: AppUnderTest;
  let api: ApiClient;
  let oid: string;
  let site: NewsSite;
  let folder: string;
  let collectionId: string;
  let cid: string;

  beforeAll(async () => {
    await builtCrawler();
    folder = await mkdtemp(join(tmpdir(), 'page-skip-'));
    site = await NewsSite.start();
    const env = { CRAWL_DRIVER: 'local', ALLOW_PRIVATE_ADDRESSES: 'crawls' };
    on = await startApp({
      env: { ...env, CHROMIUM_PATH: process.env['CHROMIUM_PATH'] ?? '' },
      schedules: true,
      realTime: true,
    });
    api = await on.admin();
    oid = await on.defaultOrgId();
    collectionId = (await api.post(`/orgs/${oid}/collections`, { name: 'News' })).body.id;
    const config = { seeds: [{ url: `${site.url}/` }], scopeType: 'prefix', behaviors: '', exclude: ['/later'] };
    const workflow = { name: 'News', config: { ...config, dedupePagesMinDepth: 1 }, dedupeCollId: collectionId };
    cid = (await api.post(`/orgs/${oid}/crawlconfigs/`, workflow)).body.id;
  });
  afterAll(async () => {
    await on?.close();
    await site?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const logOf = async (crawlId: string): Promise<string> =>
    (await api.fetch('GET', `/orgs/${oid}/crawls/${crawlId}/logs?logLevel=info`)).text();

  /** Runs the workflow to its end, and waits until the index has the crawl. */
  async function run(): Promise<any> {
    site.asked = [];
    const { body } = await api.post(`/orgs/${oid}/crawlconfigs/${cid}/run`);
    return eventually(
      async () => {
        const shown = (await api.get(`/orgs/${oid}/crawls/${body.started as string}/replay.json`)).body;
        expect([shown.state, shown.dedupeStats === null]).toEqual(['complete', false]);
        expect((await api.get(`/orgs/${oid}/collections/${collectionId}`)).body).toMatchObject({ indexState: 'ready' });
        return shown;
      },
      BOUND_MS,
      200,
    );
  }

  async function answeredRun(): Promise<any> {
    for (let tries = 0; tries < TRIES; tries++) {
      const shown = await run();
      if (!(await logOf(shown.id as string)).includes('does not answer')) return shown;
    }
    throw new Error('the machine is too busy for answers');
  }

  const patch = async (config: object): Promise<void> =>
    expect((await api.patch(`/orgs/${oid}/crawlconfigs/${cid}`, { config })).status).toBe(200);

  /** The files of an item and of those it needs, its own first. */
  async function filesOf(crawlId: string): Promise<string[]> {
    const { body } = await api.get(`/orgs/${oid}/crawls/${crawlId}/replay.json`, { withDependencies: true });
    const resources = body.resources as { name: string; path: string; crawlId: string }[];
    const own = [...resources].sort(
      (one, other) => Number(other.crawlId === crawlId) - Number(one.crawlId === crawlId),
    );
    const paths: string[] = [];
    for (const { name, path } of own) {
      const answer = await fetch(new URL(path, on.baseUrl));
      paths.push(join(folder, name));
      await writeFile(paths.at(-1)!, Buffer.from(await answer.arrayBuffer()));
    }
    return paths;
  }

  const titlesOf = (path: string): unknown[] => new WaczFile(path).pages.map(({ title }) => title).sort();

  /** Widths of the pictures of a page that is shown as a crawl captured it. */
  async function picturesOf(paths: readonly string[], page: string): Promise<number[]> {
    const url = `${site.url}${page}`;
    const ts = new WaczFile(paths[0] ?? '').lines(url)[0]?.ts ?? '';
    const player = await Player.open(...paths);
    try {
      await player.show(url, ts);
      await eventually(async () => expect(await player.textOf(url)).toContain('All that is said'), BOUND_MS, 100);
      return await player.inPage(url, async () => {
        await Promise.all([...document.images].map((one) => one.decode().catch(() => undefined)));
        return [...document.images].map(({ naturalWidth }) => naturalWidth);
      });
    } finally {
      await player.close();
    }
  }

  it('are not loaded, their links are followed, and they replay with what they need', async () => {
    const first = await run();
    expect(first).toMatchObject({ pageCount: 3, stats: { found: 3, done: 3 } });
    expect(site.asked).toEqual(
      expect.arrayContaining(['/steady.js', '/from-script.json', '/from-page.json', '/inner']),
    );

    site.edition = 2;
    await patch({ exclude: [] });
    const second = await answeredRun();
    expect(second).toMatchObject({ pageCount: 3, stats: { found: 4, done: 4 }, errorPageCount: 0 });
    expect([...site.asked].sort()).toEqual(['/', '/later', '/later.svg', '/news', '/news.svg', '/steady'].sort());
    expect(second.requiresCrawls).toEqual([first.id]);
    const lines = (await logOf(second.id as string)).split('\n').filter((line) => line.includes('Page unchanged'));
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        logLevel: 'info',
        message: 'Page unchanged, skipped',
        details: { page: `${site.url}/steady`, item: first.id, since: expect.stringMatching(/^\d{4}-.*Z$/) },
      }),
    ]);
    const files = await filesOf(second.id as string);
    expect(titlesOf(files[0] ?? '')).toEqual(['Front', 'Later', 'News']);
    expect(await picturesOf(files, '/steady')).toEqual(['/steady.svg'.length]);

    // Now the news are what the second crawl holds, and their picture what it referred to in the first.
    await patch({ exclude: ['/steady'] });
    const third = await answeredRun();
    expect(site.asked).toEqual(['/', '/news']);
    expect(third).toMatchObject({ pageCount: 1, stats: { found: 2, done: 2 } });
    expect([...third.requiresCrawls].sort()).toEqual([first.id, second.id].sort());
    expect(await picturesOf(await filesOf(third.id as string), '/news')).toEqual(['/news.svg'.length]);
  });
});
