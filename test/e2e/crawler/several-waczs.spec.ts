import { basename, join } from 'node:path';
import { crawlConfig, CrawlerChild } from '../../support/crawler-child.js';
import { eventually } from '../../support/eventually.js';
import { writeInBlocks } from '../../support/index-blocks.js';
import { requiresOf, warcHeaders } from '../../support/known-originals.js';
import { PictureSite } from '../../support/picture-site.js';
import { Player } from '../../support/player.js';
import { WaczFile } from '../../support/wacz-file.js';

describe('a crawl of several WACZs', () => {
  it('names the WACZ in which the original of a body is, so that players find it in large archives', async () => {
    const site = await PictureSite.start({ pages: 3, bytes: 100_000 });
    const config = { seeds: [{ url: `${site.url}/` }], scopeType: 'prefix' as const, behaviors: '' };
    const crawler = await CrawlerChild.start(crawlConfig(config, { windows: 1, rolloverBytes: 200_000 }));
    try {
      expect(await crawler.end()).toEqual({ code: 0, reason: 'finished' });
      const waczs = crawler.waczs.map((path) => new WaczFile(path)).filter(({ pages }) => pages.length > 0);
      expect(waczs).toHaveLength(3);
      const [first] = waczs;
      const logos = waczs.map((wacz) => {
        const line = wacz.index.find(({ url }) => url.includes('/logo.png'))!;
        return warcHeaders(wacz, line).get('warc-refers-to-container');
      });
      const container = `file://${basename(first!.path)}`;
      expect(logos).toEqual([undefined, container, container]);
      expect(waczs.map(requiresOf)).toEqual([undefined, undefined, undefined]);

      const large = await Promise.all(
        waczs.map(async (wacz) => {
          const path = join(crawler.config.dir, basename(wacz.path));
          await writeInBlocks(wacz, path);
          return path;
        }),
      );
      const player = await Player.open(...large);
      const [page] = waczs[2]!.pages as { url: string; ts: string }[];
      await player.show(page!.url, page!.ts);
      await eventually(async () => {
        expect([...player.asked].filter(([asked]) => asked.includes('.png'))).toHaveLength(4);
        expect(await player.brokenPictures(page!.url)).toEqual([]);
      }, 60_000);
      await player.close();
    } finally {
      await site.close();
      await crawler.discard();
    }
  }, 300_000);
});
