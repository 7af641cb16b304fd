import robotsParser from 'robots-parser';
import { httpUrl } from '../scope/url.js';
import type { PlainFetcher } from './plain-fetch.js';

/** Number of origins remembered; the oldest is dropped first. */
const CACHE_SIZE = 100;
/** RFC 9309 §2.5: at least 500 KiB are read. */
const MAX_BYTES = 512 * 1024;

type Robots = ReturnType<typeof parse>;

/** robots.txt of the sites crawled. A file that can't be fetched allows everything. */
export class RobotsRules {
  private readonly cache = new Map<string, Promise<Robots | null>>();

  constructor(
    private readonly fetcher: PlainFetcher,
    private readonly userAgent: string,
  ) {}

  async allows(url: string): Promise<boolean> {
    const rules = await this.rules(url);
    return rules?.isAllowed(url, this.userAgent) !== false;
  }

  async sitemaps(url: string): Promise<string[]> {
    const rules = await this.rules(url);
    return rules?.getSitemaps() ?? [];
  }

  private rules(url: string): Promise<Robots | null> {
    const origin = httpUrl(url)?.origin;
    if (!origin) return Promise.resolve(null);
    let rules = this.cache.get(origin);
    if (!rules) {
      rules = this.load(origin).catch(() => null);
      this.cache.set(origin, rules);
      const oldest = this.cache.keys().next().value;
      if (this.cache.size > CACHE_SIZE && oldest !== undefined) this.cache.delete(oldest);
    }
    return rules;
  }

  private async load(origin: string): Promise<Robots | null> {
    const address = `${origin}/robots.txt`;
    const text = await this.fetcher.text(address, MAX_BYTES);
    return text === null ? null : parse(address, text);
  }
}

function parse(address: string, text: string) {
  // The package's types describe a CommonJS default, but at run time the import is the function itself.
  const create = robotsParser as unknown as (url: string, text: string) => import('robots-parser').Robot;
  return create(address, text);
}
