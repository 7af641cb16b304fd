import { compilePattern, type Pattern } from '../../../formats/pattern/pattern.js';
import type { CrawlerPage, CrawlJobSpec, PageComparison } from '../crawl-driver.types.js';

/**
 * What a fake crawl does. Times are on the driver's clock: nothing happens until the driver is asked after a time has
 * passed.
 */
export interface FakeScript {
  /**
   * URLs that the crawl finds, in crawl order. The default is each seed, then `pagesPerSeed` - 1 made-up pages below
   * it.
   */
  readonly urls?: readonly string[];
  readonly pagesPerSeed: number;
  /** Time one window takes for one page. */
  readonly pageSeconds: number;
  /** Time between `ensure` and the first sign of life. */
  readonly startSeconds: number;
  /** Time spent in `generate-wacz` and in `uploading-wacz`. */
  readonly packSeconds: number;
  readonly uploadSeconds: number;
  /** Whether pages are visited only by `FakeRun.visit`, so that the run never ends by itself. */
  readonly held: boolean;
  /** Differences from an ordinary good page at this URL, e.g. `{ loadState: 0 }` for a failed one. */
  readonly page?: (url: string) => Partial<CrawlerPage>;
  /** QA runs: the result for a page; undefined: none is reported. */
  readonly comparison: (page: CrawlerPage) => PageComparison | undefined;
  /** The pages to compare, for QA runs of crawls that this driver did not run itself. */
  readonly qaPages?: readonly CrawlerPage[];
  /** Bytes that count as `pendingBytes` for each page not yet in a stored file. */
  readonly bytesPerPage: number;
  /** Bytes by which the WACZ is made larger. */
  readonly padBytes: number;
  /**
   * Exit codes of the first starts, one for each start. The instance crashes with it at once, and is then restarted.
   */
  readonly crashes: readonly number[];
}

const DEFAULT_SCRIPT: FakeScript = {
  pagesPerSeed: 3,
  pageSeconds: 1,
  startSeconds: 0,
  packSeconds: 0,
  uploadSeconds: 0,
  held: false,
  comparison: () => ({
    screenshotMatch: 1,
    textMatch: 1,
    resourceCounts: { crawlGood: 3, crawlBad: 0, replayGood: 3, replayBad: 0 },
  }),
  bytesPerPage: 10_000,
  padBytes: 0,
  crashes: [],
};

export function fakeScript(changes: Partial<FakeScript> = {}): FakeScript {
  return { ...DEFAULT_SCRIPT, ...changes };
}

export interface FakeUrl {
  readonly url: string;
  readonly depth: number;
  /** QA runs: the source crawl's page. */
  readonly original?: CrawlerPage;
}

/** The URLs a crawl job finds, its page limit applied. */
export function crawlUrls(spec: CrawlJobSpec, script: FakeScript): FakeUrl[] {
  const seeds = seedUrls(spec.config);
  const found = script.urls
    ? script.urls.map((url, i) => ({ url, depth: i < Math.max(1, seeds.length) ? 0 : 1 }))
    : [
        ...seeds.map((url) => ({ url, depth: 0 })),
        ...seeds.flatMap((url) =>
          Array.from({ length: script.pagesPerSeed - 1 }, (_, i) => ({
            url: new URL(`page-${String(i + 1)}`, url).href,
            depth: 1,
          })),
        ),
      ];
  const limit = typeof spec.config.limit === 'number' ? spec.config.limit : 0;
  const excluded = patterns(spec.config.exclude);
  return found.filter(({ url }) => !excluded.some((re) => re.test(url))).slice(0, limit > 0 ? limit : undefined);
}

function seedUrls(config: Record<string, unknown>): string[] {
  const seeds: unknown[] = Array.isArray(config.seeds) ? config.seeds : [];
  const urls = seeds
    .map((seed) => (typeof seed === 'object' && seed !== null && 'url' in seed ? seed.url : undefined))
    .filter((url) => typeof url === 'string');
  return urls.length > 0 ? urls : ['https://seed-file.example/'];
}

export function patterns(exclude: unknown): Pattern[] {
  const list: unknown[] = Array.isArray(exclude) ? exclude : [exclude];
  return list.filter((text) => typeof text === 'string' && text !== '').map((text) => compilePattern(String(text)));
}
