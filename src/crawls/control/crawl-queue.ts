import { Injectable } from '@nestjs/common';
import { InvalidPattern, limitedMatcher, PatternTooSlow } from '../../../formats/pattern/pattern.js';
import { CrawlDriver } from '../../drivers/crawl-driver.js';
import type { CrawlQueueResponse, MatchCrawlQueueResponse } from '../dto/crawls.dto.js';
import { InvalidRegex } from '../crawls.errors.js';
import { CrawlSettings } from './crawl-settings.js';

/**
 * `queueMatchAll` reads on in steps of this many URLs until it has found `MAX_MATCHED_BYTES` bytes. Contract: crawling
 * §5.5.
 */
const STEP = 50;
const MAX_MATCHED_BYTES = 500_000;
/** Number of URLs that are read from the driver at once. */
const WINDOW = 1000;
/**
 * Greatest number of URLs in one answer. It is more than a client shows at once, and keeps an answer within a few
 * megabytes.
 */
const MAX_COUNT = 10_000;

/** The queue of a crawl: the URLs that are still to be crawled. */
@Injectable()
export class CrawlQueue {
  constructor(
    private readonly settings: CrawlSettings,
    private readonly driver: CrawlDriver,
  ) {}

  /**
   * Reads a window of the queue, with those of its URLs that `regex` finds.
   * @throws ItemNotFound, CrawlNotRunning, InvalidRegex
   */
  async window(
    oid: string,
    crawlId: string,
    { offset, count, regex }: { offset: number; count: number; regex: string },
  ): Promise<CrawlQueueResponse> {
    await this.settings.activeCrawl(oid, crawlId);
    const matching = regex ? matcherOf(regex) : null;
    const { total, urls } = await this.driver.queue(crawlId, Math.max(0, offset), clamp(count));
    return { total, results: urls, matched: matching ? matching(urls) : [] };
  }

  /**
   * Finds all queued URLs that `regex` matches, from `offset` on. `nextOffset` is -1 at the end.
   * @throws as `window`
   */
  async matchAll(
    oid: string,
    crawlId: string,
    { regex, offset }: { regex: string; offset: number },
  ): Promise<MatchCrawlQueueResponse> {
    await this.settings.activeCrawl(oid, crawlId);
    const matching = matcherOf(regex);
    const matched: string[] = [];
    let bytes = 0;
    let at = Math.max(0, offset);
    for (;;) {
      const { total, urls } = await this.driver.queue(crawlId, at, WINDOW);
      for (let i = 0; i < urls.length; i += STEP) {
        const found = matching(urls.slice(i, i + STEP));
        matched.push(...found);
        bytes += found.reduce((sum, url) => sum + Buffer.byteLength(url), 0);
        at += STEP;
        if (bytes > MAX_MATCHED_BYTES) return { total, matched, nextOffset: at < total ? at : -1 };
      }
      if (urls.length < WINDOW || at >= total) return { total, matched, nextOffset: -1 };
    }
  }
}

const clamp = (count: number): number => Math.min(Math.max(0, count), MAX_COUNT);

/**
 * Makes the matcher of a regular expression.
 * @throws InvalidRegex; the matcher throws it too, for one that takes too long
 */
function matcherOf(source: string): (urls: readonly string[]) => string[] {
  const matching = refusing(() => limitedMatcher(source));
  return (urls) => refusing(() => matching(urls));
}

function refusing<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof InvalidPattern || error instanceof PatternTooSlow ? new InvalidRegex() : error;
  }
}
