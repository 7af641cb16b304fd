import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { LEAST_ORIGINAL_BYTES } from '../../../crawler/warc/references.js';
import { WORK_FILES, type CrawlModeConfig } from '../../../crawler/protocol.js';
import { writeCombined } from '../../support/combined.js';
import { crawlConfig, CrawlerChild, type FindOriginals } from '../../support/crawler-child.js';
import { eventually } from '../../support/eventually.js';
import { bytesOf, KnownOriginals, requiresOf, warcHeaders } from '../../support/known-originals.js';
import { PictureSite } from '../../support/picture-site.js';
import { Player } from '../../support/player.js';
import { pagesReplayed } from '../../support/replayed.js';
import { digestOf, faultsOf, WaczFile, type IndexLine } from '../../support/wacz-file.js';

const FIRST = 'manual-20201121080000-first0000-000';
const SECOND = 'manual-20201128080000-second000-000';

const config = (site: PictureSite, over: Partial<CrawlModeConfig>): CrawlModeConfig =>
  crawlConfig({ seeds: [{ url: `${site.url}/` }], scopeType: 'prefix', behaviors: '' }, over);

const again = (site: PictureSite, over: Partial<CrawlModeConfig> = {}): CrawlModeConfig =>
  config(site, { jobId: SECOND, asksOriginals: true, ...over });

const isRevisit = ({ mime }: IndexLine): boolean => mime === 'warc/revisit';

/** Lines of a site's own answers: all but those about pages. */
const answersIn = (wacz: WaczFile): IndexLine[] => wacz.index.filter(({ url }) => !url.startsWith('urn:'));

describe('a second crawl of an unchanged site', () => {
  let site: PictureSite;
  let first: CrawlerChild;
  let known: KnownOriginals;
  const started: CrawlerChild[] = [];

  beforeAll(async () => {
    site = await PictureSite.start();
    first = await CrawlerChild.start(config(site, { jobId: FIRST }));
    expect(await first.end()).toEqual({ code: 0, reason: 'finished' });
    known = new KnownOriginals().add(FIRST, ...first.waczs);
  }, 300_000);

  afterAll(async () => {
    await CrawlerChild.discardAll([first]);
    await site.close();
  });

  /** What was crawled stands beside the first crawl. */
  afterEach(async () => {
    const waczs = started.flatMap((crawler) => crawler.waczs);
    if (waczs.length > 0) expect(await pagesReplayed([...waczs, ...first.waczs])).toBeGreaterThan(0);
    await CrawlerChild.discardAll(started);
  }, 300_000);

  const crawl = async (given: CrawlModeConfig, originals: FindOriginals, resume = false): Promise<CrawlerChild> => {
    const crawler = await CrawlerChild.start(given, { originals, resume });
    started.push(crawler);
    return crawler;
  };

  const requirement = () => {
    const [path = ''] = first.waczs;
    return { filename: basename(path), hash: digestOf(path), size: bytesOf([path]), crawlId: FIRST };
  };

  /** Every large body is either here or in the first crawl, at the very record that is named. */
  function expectComplete(waczs: readonly WaczFile[]): void {
    const originals = first.waczs.map((path) => new WaczFile(path));
    const own = waczs.flatMap((wacz) => answersIn(wacz).filter((line) => !isRevisit(line)));
    for (const wacz of waczs) {
      for (const line of answersIn(wacz).filter(isRevisit)) {
        const headers = warcHeaders(wacz, line);
        const container = headers.get('warc-refers-to-container');
        const url = headers.get('warc-refers-to-target-uri');
        const ts = headers.get('warc-refers-to-date')?.replace(/\D/g, '');
        const among = container
          ? originals.filter(({ path }) => container === `file://${basename(path)}`).flatMap(answersIn)
          : own;
        const found = among.filter((other) => other.url === url && other.ts === ts && !isRevisit(other));
        expect(found.map(({ digest }) => digest)).toEqual([line.digest]);
      }
    }
  }

  /** Pages of the archive show all their pictures in the player. */
  async function expectPictures({ pages }: WaczFile, paths: readonly string[]): Promise<void> {
    const player = await Player.open(...paths);
    try {
      for (const { url, ts, title } of pages.slice(0, 3).map((page) => page as Record<string, string>)) {
        await player.show(url!, ts!);
        await eventually(async () => {
          expect(await player.textOf(url!)).toContain(title);
          expect([...player.asked].filter(([asked]) => asked.includes('.png'))).toHaveLength(4);
          expect(await player.brokenPictures(url!)).toEqual([]);
        }, 60_000);
      }
    } finally {
      await player.close();
    }
  }

  it('takes 4 % of the first at most, and replays with it', async () => {
    const second = await crawl(again(site), known.find);
    expect(await second.end()).toEqual({ code: 0, reason: 'finished' });
    expect(second.rows).toHaveLength(site.pages);
    expect(bytesOf(second.waczs) / bytesOf(first.waczs)).toBeLessThanOrEqual(0.04);
    const [path = ''] = second.waczs;
    const wacz = new WaczFile(path);
    const large = answersIn(wacz).filter(({ url }) => !url.endsWith('/favicon.ico'));
    expect(large.length).toBe(site.pages * 5);
    expect(large.every(isRevisit)).toBe(true);
    for (const line of large)
      expect(warcHeaders(wacz, line).get('warc-refers-to-container')).toBe(`file://${basename(first.waczs[0] ?? '')}`);
    expect(requiresOf(wacz)).toEqual([requirement()]);
    expect(await faultsOf(path)).toEqual([]);
    expectComplete([wacz]);
    expect(second.of('original').map(({ itemId }) => itemId)).toEqual([FIRST]);
    expect(await pagesReplayed([...second.waczs, ...first.waczs])).toBe(3);
    // As the service lists them, and in one file without any service.
    await expectPictures(wacz, [...second.waczs, ...first.waczs]);
    const combined = join(second.config.dir, 'combined.wacz');
    await writeCombined([...second.waczs, ...first.waczs], combined);
    await expectPictures(wacz, [combined]);
  }, 300_000);

  it('asks for each body once, and for no small one', async () => {
    const asked = new KnownOriginals().add(FIRST, ...first.waczs);
    const second = await crawl(again(site), asked.find);
    await second.end();
    expect(asked.asked).toHaveLength(new Set(asked.asked).size);
    const sizes = new Map(
      first.waczs
        .map((path) => new WaczFile(path))
        .flatMap((wacz) =>
          answersIn(wacz)
            .filter((line) => !isRevisit(line))
            .map((line) => [line.digest, wacz.body(line).length] as const),
        ),
    );
    expect(asked.asked.filter((digest) => (sizes.get(digest) ?? Infinity) < LEAST_ORIGINAL_BYTES)).toEqual([]);
  }, 300_000);

  it('captures what has changed whole', async () => {
    site.changed.add('/page-2').add('/picture-3-1.png');
    const second = await crawl(again(site), known.find);
    await second.end();
    site.changed.clear();
    const wacz = new WaczFile(second.waczs[0] ?? '');
    const whole = answersIn(wacz).filter((line) => !isRevisit(line) && line.status === '200');
    expect(whole.map(({ url }) => new URL(url).pathname).sort()).toEqual(['/page-2', '/picture-3-1.png']);
    expectComplete([wacz]);
  }, 300_000);

  it('is captured whole when nobody answers, and says so once', async () => {
    const second = await crawl(again(site), () => null);
    expect(await second.end()).toEqual({ code: 0, reason: 'finished' });
    expect(second.rows.map(({ loadState }) => loadState)).toEqual(second.rows.map(() => 4));
    const wacz = new WaczFile(second.waczs[0] ?? '');
    expect(requiresOf(wacz)).toBeUndefined();
    expectComplete([wacz]);
    const containers = answersIn(wacz).filter((line) => warcHeaders(wacz, line).has('warc-refers-to-container'));
    expect(containers).toEqual([]);
    expect(bytesOf(second.waczs)).toBeGreaterThan(0.95 * bytesOf(first.waczs));
    const log = wacz.members.find(({ name }) => name.startsWith('logs/'))?.bytes.toString() ?? '';
    expect(log.split('\n').filter((line) => line.includes('"context":"dedupe"'))).toHaveLength(1);
  }, 300_000);

  it('needs the same after a kill at any moment, and loses no body', async () => {
    const given = again(site, { windows: 1 });
    const killed = await crawl(given, known.find);
    await killed.pages(2);
    killed.kill();
    await killed.end();
    // The second process finds an index that was deleted meanwhile.
    const next = await crawl(given, () => [], true);
    expect(await next.end()).toEqual({ code: 0, reason: 'finished' });
    const wacz = new WaczFile(next.waczs[0] ?? '');
    expect(wacz.pages).toHaveLength(site.pages);
    const revisits = answersIn(wacz).filter((line) => warcHeaders(wacz, line).has('warc-refers-to-container'));
    expect(revisits.length).toBeGreaterThanOrEqual(8);
    expect(revisits.length).toBeLessThan(site.pages * 5);
    expect(requiresOf(wacz)).toEqual([requirement()]);
    expectComplete([wacz]);
    const told = next.journal.flatMap((entry) => (entry.t === 'original' ? [entry.itemId] : []));
    expect(told).toEqual([FIRST]);
  }, 300_000);

  it('skips its pages where that is wanted, and ends like any other after a kill', async () => {
    const given = again(site, { windows: 1 });
    const skipping = { ...given, config: { ...given.config, dedupePagesMinDepth: 1 } };
    const killed = await crawl(skipping, known.find);
    await killed.pages(1);
    site.asked.length = 0;
    await eventually(() => expect(site.asked.length).toBeGreaterThan(0), 60_000);
    killed.kill();
    await killed.end();
    const next = await crawl(skipping, known.find, true);
    expect(await next.end()).toEqual({ code: 0, reason: 'finished' });
    const wacz = new WaczFile(next.waczs[0] ?? '');
    // The page that was visited at the kill may be run: nobody knows how far its records came.
    expect(wacz.pages.length).toBeLessThanOrEqual(2);
    const documents = answersIn(wacz).filter(({ url }) => /\/(?:page-\d)?$/.test(url));
    expect(documents).toHaveLength(site.pages);
    expect(documents.every(isRevisit)).toBe(true);
    expect(next.stats).toMatchObject({ found: site.pages, done: site.pages, failed: 0 });
    expect(requiresOf(wacz)).toEqual([requirement()]);
    expectComplete([wacz]);
  }, 300_000);

  it('says of each of its WACZs what that one needs, when it is paused and resumed', async () => {
    const given = again(site, { windows: 1 });
    const paused = await crawl(given, known.find);
    await paused.pages(2);
    paused.send({ t: 'pause' });
    expect(await paused.end()).toEqual({ code: 0, reason: 'paused' });
    const next = await crawl(given, () => [], true);
    expect(await next.end()).toEqual({ code: 0, reason: 'finished' });
    const [one, other] = [...paused.waczs, ...next.waczs].map((path) => new WaczFile(path));
    if (!one || !other) throw new Error('not two WACZs');
    expect(requiresOf(one)).toEqual([requirement()]);
    expect(requiresOf(other)).toBeUndefined();
    expectComplete([one, other]);
    const state = readFileSync(join(given.dir, WORK_FILES.state), 'utf8');
    expect(state.match(/"t":"original"/g)).toHaveLength(1);
  }, 300_000);
});
