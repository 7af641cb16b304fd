import { crawlConfig, CrawlerChild } from '../../support/crawler-child.js';
import { visitDirectly } from '../../support/direct-visit.js';
import { eventually } from '../../support/eventually.js';
import { Player } from '../../support/player.js';
import { BEYOND_REPLAY, HARD } from '../../support/site/hard-pages.js';
import { startTestSite, type TestSite } from '../../support/site/site.js';
import { streamPaths } from '../../support/site/streams.js';
import { faultsOf, WaczFile } from '../../support/wacz-file.js';

const PAGES = Object.keys(HARD);
/** A person's browser waits for its end for ever. */
const CUT_OFF = '/cut-off.html';
const VISITED = PAGES.filter((path) => path !== CUT_OFF);

describe('pages that few crawlers get right', () => {
  let site: TestSite;
  let crawl: CrawlerChild;
  let wacz: WaczFile;
  let archived: Set<string>;
  let direct: Map<string, string[]>;
  let player: Player;

  beforeAll(async () => {
    site = await startTestSite();
    direct = await visitDirectly(VISITED.map((path) => site.url + path));
    const seeds = [...PAGES, ...Object.keys(BEYOND_REPLAY)].map((path) => ({ url: site.url + path }));
    crawl = await CrawlerChild.start(crawlConfig({ seeds, scopeType: 'page', pageLoadTimeout: 15 }));
    expect(await crawl.end(240_000)).toMatchObject({ reason: 'finished' });
    await site.close();
    wacz = new WaczFile(crawl.waczs[0]!);
    archived = new Set(wacz.index.map(({ url }) => url));
    player = await Player.open(wacz.path);
  }, 420_000);

  afterAll(async () => {
    await player.close();
    await crawl.discard();
  });

  const missing = (urls: readonly string[]): string[] => urls.filter((url) => !archived.has(url));
  const show = async (path: string): Promise<string> => {
    const { url, ts } = crawl.row(path)!;
    await player.show(url, ts);
    await eventually(async () => expect(await player.textOf(url)).toContain('Paragraph'), 60_000);
    return url;
  };

  it('are in a WACZ without fault', async () => {
    expect(await faultsOf(wacz.path)).toEqual([]);
  });

  it.each(VISITED)('%s: what a visit loads is in the archive', (path) => {
    const loaded = direct.get(site.url + path)!;
    expect(loaded).toContain(site.url + path);
    expect(missing(loaded)).toEqual([]);
  });

  it.each(['hls', 'dash'] as const)('all that the manifests of %s name is in the archive', (kind) => {
    expect(missing(streamPaths(kind).map((path) => site.url + path))).toEqual([]);
  });

  it.each(Object.entries(BEYOND_REPLAY))('%s: the archive has %j', (_page, paths) => {
    expect(missing(paths.map((path) => site.url + path))).toEqual([]);
  });

  it.each(PAGES)('%s replays as it was', async (path) => {
    const url = await show(path);
    await eventually(async () => {
      await player.inPage(url, () => window.scrollTo(0, document.body.scrollHeight));
      expect(await player.textOf(url)).toContain(HARD[path]);
      expect(await player.brokenPictures(url)).toEqual([]);
    }, 60_000);
    expect([...player.asked].filter(([, status]) => status >= 400)).toEqual([]);
  });

  it.each(['hls', 'dash'] as const)('a stream of %s plays to its end in replay', async (kind) => {
    const url = await show(`/${kind}.html`);
    await eventually(async () => expect(await player.textOf(url)).toContain(HARD[`/${kind}.html`]), 60_000);
    await player.inPage(url, async () => {
      const video = document.querySelector('video')!;
      video.playbackRate = 16;
      await video.play();
    });
    await eventually(async () => {
      expect(await player.inPage(url, () => document.querySelector('video')!.ended)).toBe(true);
    }, 60_000);
    const asked = [...player.asked].filter(([asking]) => asking.includes(`/${kind}/`));
    expect(asked.filter(([asking]) => asking.endsWith('.m4s')).length).toBeGreaterThanOrEqual(17);
    expect(asked.filter(([, status]) => status >= 400)).toEqual([]);
  });
});
