import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { StateEntry } from '../../../crawler/crawl/state-log.js';
import { WORK_FILES, type WorkflowConfig, type CrawlModeConfig } from '../../../crawler/protocol.js';
import { crawlConfig, CrawlerChild } from '../../support/crawler-child.js';
import { eventually } from '../../support/eventually.js';
import { HeldSite } from '../../support/held-site.js';
import { startTestSite, type TestSite } from '../../support/site/site.js';
import { faultsOf, WaczFile } from '../../support/wacz-file.js';

describe('a running crawl', () => {
  let site: TestSite;
  const started: CrawlerChild[] = [];
  const sites: HeldSite[] = [];

  beforeAll(async () => {
    site = await startTestSite();
  });

  afterEach(async () => {
    await CrawlerChild.discardAll(started);
    for (const held of sites.splice(0)) await held.close();
  });

  afterAll(() => site.close());

  const config = (job: WorkflowConfig = {}, over: Partial<CrawlModeConfig> = {}) =>
    crawlConfig(
      { seeds: [{ url: `${site.url}/static/` }], scopeType: 'prefix', limit: 12, behaviors: '', ...job },
      over,
    );
  const start = async (given: CrawlModeConfig, options?: Parameters<typeof CrawlerChild.start>[1]) => {
    const crawler = await CrawlerChild.start(given, options);
    started.push(crawler);
    return crawler;
  };
  /** A crawl of a site that answers as the test says, of twelve pages unless told otherwise. */
  const heldConfig = async (pages = 12, over: Partial<CrawlModeConfig> = {}) => {
    const links = Array.from({ length: pages - 1 }, (_, i) => `/static/${String(i)}.html`);
    const held = await HeldSite.start({ '/static/': links, ...Object.fromEntries(links.map((path) => [path, []])) });
    sites.push(held);
    return { held, given: config({ seeds: [{ url: `${held.url}/static/` }], limit: pages }, over) };
  };
  /** Lets a crawl come to so many pages: beyond them only those that its windows were at are answered. */
  const letIn = (held: HeldSite, crawler: CrawlerChild, pages: number) =>
    eventually(() => {
      if (crawler.rows.length >= pages) return;
      held.release();
      throw new Error(`${String(crawler.rows.length)} of ${String(pages)} pages`);
    }, 120_000);
  const listed = (crawlers: CrawlerChild[]) =>
    crawlers.flatMap(({ waczs }) => waczs).flatMap((path) => new WaczFile(path).pages);
  const chromiumOf = (dir: string) => {
    const lines = execFileSync('ps', ['-eo', 'pid,args']).toString().split('\n');
    return lines.filter((line) => line.includes(`--user-data-dir=${dir}`)).map((line) => Number.parseInt(line, 10));
  };

  it('pauses with a WACZ and resumes where it was', async () => {
    const { held, given } = await heldConfig();
    const first = await start(given);
    await letIn(held, first, 4);
    first.send({ t: 'pause' });
    held.open();
    expect(await first.end()).toEqual({ code: 0, reason: 'paused' });
    expect(first.waczs).toHaveLength(1);
    const second = await start(given, { resume: true });
    expect(await second.end()).toEqual({ code: 0, reason: 'finished' });
    const urls = listed([first, second]).map(({ url }) => url);
    expect(urls).toHaveLength(12);
    expect(new Set(urls).size).toBe(12);
  });

  it('publishes what a killed process had packed and announced, and packs it no second time', async () => {
    const given = config({ limit: 2 });
    const first = await start(given);
    expect(await first.end()).toEqual({ code: 0, reason: 'finished' });
    const [path = ''] = first.waczs;
    const hash = first.of('wacz')[0]?.file.hash;
    // As it is in the moment before the file gets its name.
    renameSync(path, `${path}.packed`);
    rmSync(`${path}.json`);
    const log = join(given.dir, WORK_FILES.state);
    writeFileSync(log, readFileSync(log, 'utf8').replace(/^.*"t":"packed".*\n/m, ''));
    const second = await start(given, { resume: true });
    await eventually(() => expect(existsSync(path)).toBe(true));
    second.send({ t: 'stored', file: basename(path) });
    expect(await second.end()).toEqual({ code: 0, reason: 'finished' });
    expect(createHash('sha256').update(readFileSync(path)).digest('hex')).toBe(hash);
    expect(JSON.parse(readFileSync(`${path}.json`, 'utf8'))).toMatchObject({ hash });
    expect(second.waczs).toEqual([]);
  });

  it('stops with what it has', async () => {
    const { held, given } = await heldConfig(50);
    const crawler = await start(given);
    await letIn(held, crawler, 3);
    crawler.send({ t: 'stop' });
    held.open();
    expect(await crawler.end()).toEqual({ code: 0, reason: 'stopped' });
    expect(listed([crawler]).length).toBe(crawler.rows.length);
    expect(crawler.rows.length).toBeLessThan(50);
  });

  it('cancels at once and packs nothing', async () => {
    const { held, given } = await heldConfig();
    const crawler = await start(given);
    await letIn(held, crawler, 2);
    crawler.send({ t: 'cancel' });
    expect(await crawler.end()).toMatchObject({ code: 0, reason: 'canceled' });
    expect(crawler.rows.length).toBeLessThan(12);
    expect(crawler.waczs).toEqual([]);
    expect(chromiumOf(crawler.config.dir)).toEqual([]);
  });

  it('quits without packing, and another process goes on', async () => {
    const { held, given } = await heldConfig();
    const first = await start(given);
    await letIn(held, first, 3);
    first.send({ t: 'quit' });
    held.open();
    expect(await first.end()).toEqual({ code: 11, reason: 'quit' });
    const second = await start(given, { resume: true });
    expect(await second.end()).toMatchObject({ reason: 'finished' });
    expect(listed([second])).toHaveLength(12);
    expect(await faultsOf(second.waczs[0]!)).toEqual([]);
  });

  it('answers the queue, drops what is excluded meanwhile, and takes a removed exclusion for later pages', async () => {
    const { held, given } = await heldConfig(51, { windows: 1 });
    const crawler = await start(given);
    await letIn(held, crawler, 2);
    const before = await crawler.ask({ t: 'queue', offset: 0, count: 100, regex: '/4\\d\\.html' });
    if (before.kind !== 'queue') throw new Error('no queue');
    expect(before.total).toBeGreaterThan(30);
    expect(before.matched).toHaveLength(10);
    crawler.send({ t: 'exclude', add: true, regex: '/static/[1-9]\\d\\.html' });
    await eventually(async () => {
      const after = await crawler.ask({ t: 'queue', offset: 0, count: 100 });
      expect(after.kind === 'queue' && after.urls.filter((url) => /\d\d\.html/.test(url))).toEqual([]);
    });
    held.open();
    await crawler.end();
    expect(crawler.rows.map(({ url }) => url).filter((url) => /[1-9]\d\.html/.test(url))).toEqual([]);
    expect(crawler.rows).toHaveLength(11);
    expect(crawler.stats?.found).toBe(11);
  });

  it('leaves a page that never answers as soon as it is excluded', async () => {
    const held = await HeldSite.start({ '/': ['/a', '/b'], '/a': [], '/b': [] });
    sites.push(held);
    const crawler = await start(config({ seeds: [{ url: `${held.url}/` }], pageLoadTimeout: 300 }, { windows: 1 }));
    const waitsFor = (path: string) => eventually(() => expect(held.waiting).toEqual([path]));
    await waitsFor('/');
    held.release();
    await waitsFor('/a');
    crawler.send({ t: 'exclude', add: true, regex: '/a$' });
    await waitsFor('/b');
    held.open();
    expect(await crawler.end()).toEqual({ code: 0, reason: 'finished' });
    expect(crawler.rows.map(({ url }) => new URL(url).pathname)).toEqual(['/', '/b']);
  });

  it('refuses an exclusion that is no pattern without harm', async () => {
    const crawler = await start(config({ limit: 3 }));
    crawler.send({ t: 'exclude', add: true, regex: '(' });
    expect(await crawler.end()).toMatchObject({ reason: 'finished' });
  });

  it('opens and closes windows while running; a second one loads lazy content too', async () => {
    const crawler = await start(config({ limit: 50 }, { windows: 1 }));
    crawler.send({ t: 'cast', on: true });
    await crawler.pages(2);
    crawler.send({ t: 'setWindows', n: 3 });
    await eventually(() => {
      const ids = new Set(crawler.of('frame').map(({ id }) => id));
      if (ids.size < 3) throw new Error(`frames of ${ids.size} windows`);
    });
    crawler.send({ t: 'setWindows', n: 1 });
    await eventually(() => {
      if (crawler.of('frameClosed').length < 2) throw new Error('windows still open');
    });
    crawler.send({ t: 'stop' });
    await crawler.end();
    expect(crawler.of('frame').every(({ url }) => url !== 'about:blank')).toBe(true);
    expect(Buffer.from(crawler.of('frame')[0]!.data, 'base64').subarray(1, 4).toString()).toBe('PNG');
  });

  it('keeps its files until they are stored', async () => {
    const crawler = await start(config({ limit: 2 }), { store: false });
    await eventually(() => {
      if (!crawler.of('state').some(({ status }) => status === 'uploading-wacz')) throw new Error('not uploading');
    });
    expect(crawler.of('exit')).toEqual([]);
    crawler.send({ t: 'stored', file: crawler.of('wacz')[0]!.file.file });
    expect(await crawler.end()).toEqual({ code: 0, reason: 'finished' });
  });

  it('rolls over to a new WACZ, each page in exactly one', async () => {
    const crawler = await start(config({}, { rolloverBytes: 60_000 }));
    expect(await crawler.end()).toMatchObject({ reason: 'finished' });
    expect(crawler.waczs.length).toBeGreaterThan(1);
    for (const path of crawler.waczs) expect(await faultsOf(path)).toEqual([]);
    const ids = listed([crawler]).map(({ id }) => id);
    expect(ids.sort()).toEqual(crawler.rows.map(({ id }) => id).sort());
    for (const row of crawler.rows) {
      const wacz = crawler.waczs.find((path) => path.endsWith(row.filename))!;
      expect(new WaczFile(wacz).pages.some(({ id }) => id === row.id)).toBe(true);
    }
  });

  it('goes on after its browser was killed', async () => {
    const { held, given } = await heldConfig();
    const crawler = await start(given);
    await letIn(held, crawler, 3);
    process.kill(Math.min(...chromiumOf(crawler.config.dir)), 'SIGKILL');
    held.open();
    expect(await crawler.end()).toEqual({ code: 0, reason: 'finished' });
    expect(listed([crawler])).toHaveLength(12);
    expect(crawler.rows.filter(({ loadState }) => loadState === 0)).toEqual([]);
  });

  it.each([2, 5, 8])('goes on after it was killed at %i pages, and leaves no browser behind', async (pages) => {
    const { held, given } = await heldConfig();
    const first = await start(given);
    await letIn(held, first, pages);
    first.kill();
    await first.end();
    await eventually(() => expect(chromiumOf(given.dir)).toEqual([]));
    held.open();
    const second = await start(given, { resume: true });
    expect(await second.end()).toEqual({ code: 0, reason: 'finished' });
    expect(await faultsOf(second.waczs[0]!)).toEqual([]);
    const urls = listed([first, second]).map(({ url }) => url);
    expect(new Set(urls).size).toBe(12);
    expect(urls).toHaveLength(12);
    const journalled = second.journal.flatMap((entry) => (entry.t === 'page' ? [entry.row.url] : []));
    expect(new Set(journalled)).toEqual(new Set(urls));
    expect(second.journal.map(({ seq }) => seq)).toEqual(second.journal.map((_entry, i) => i + 1));
  });

  it('packs without a browser what a killed process left', async () => {
    const { held, given } = await heldConfig();
    const first = await start(given);
    await letIn(held, first, 4);
    first.kill();
    await first.end();
    const told = first.journal.flatMap((entry) => (entry.t === 'page' ? [entry.row.id] : []));
    // As it is in the moment before the last page that was told counts as done.
    const log = join(given.dir, WORK_FILES.state);
    const isOfLast = (line: string): boolean => line.includes('"t":"done"') && line.includes(told.at(-1)!);
    const lines = readFileSync(log, 'utf8').split('\n');
    writeFileSync(log, lines.filter((line) => !isOfLast(line)).join('\n'));
    const packer = await start(given, { resume: true, packageOnly: 'stopped' });
    expect(await packer.end()).toEqual({ code: 0, reason: 'stopped' });
    expect(packer.of('hello')).toEqual([]);
    expect(new Set(listed([packer]).map(({ id }) => id))).toEqual(new Set(told));
    expect(await faultsOf(packer.waczs[0]!)).toEqual([]);
  });

  it('ends at once, and packs nothing, when the API is gone, which is no fault of the pages in flight', async () => {
    const { held, given } = await heldConfig();
    const crawler = await start(given);
    await letIn(held, crawler, 2);
    crawler.process.disconnect();
    await crawler.end();
    const pages = crawler.journal.filter(({ t }) => t === 'page');
    expect(pages.length).toBeLessThan(12);
    expect(crawler.journal.filter(({ t }) => t === 'wacz')).toEqual([]);
    const lines = readFileSync(join(given.dir, WORK_FILES.state), 'utf8').trim().split('\n');
    const entries = lines.map((line) => JSON.parse(line) as StateEntry);
    expect(entries.filter((entry) => entry.t === 'failed' && entry.retries > 0)).toEqual([]);
    await eventually(() => expect(chromiumOf(crawler.config.dir)).toEqual([]));
  });
});
