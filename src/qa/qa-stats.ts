import { Injectable } from '@nestjs/common';
import type { Item } from '../items/data/item.schema.js';
import { QaStatsQueries } from './data/qa-stats.queries.js';
import type { QARunAggregateStatsOut } from './dto/qa.dto.js';
import { boundariesOf, fillBuckets } from './thresholds.js';

/** How a run's scores are spread. Contract: crawling §8.2. */
@Injectable()
export class QaStats {
  constructor(private readonly queries: QaStatsQueries) {}

  /** @throws MissingThresholds, InvalidThresholds */
  async of(
    crawl: Item,
    qaRunId: string,
    thresholds: { screenshot: string; text: string },
  ): Promise<QARunAggregateStatsOut> {
    const run = { crawlId: crawl._id, qaRunId };
    const [screenshot, text] = [boundariesOf(thresholds.screenshot), boundariesOf(thresholds.text)];
    const [screenshotMatch, textMatch] = await Promise.all([
      this.queries.buckets(crawl.oid, run, 'screenshotMatch', screenshot),
      this.queries.buckets(crawl.oid, run, 'textMatch', text),
    ]);
    return { screenshotMatch: fillBuckets(screenshot, screenshotMatch), textMatch: fillBuckets(text, textMatch) };
  }
}
