import { Injectable } from '@nestjs/common';
import { hasQaRun, knownPageCount } from '../items/data/item-pages.facts.js';
import type { Item } from '../items/data/item.schema.js';
import { QaStatsQueries } from './data/qa-stats.queries.js';
import type { QARunAggregateStatsOut } from './dto/qa.dto.js';
import { boundariesOf, fillBuckets } from './thresholds.js';

/** The distribution of a run's scores. Contract: crawling §8.2. */
@Injectable()
export class QaStats {
  constructor(private readonly queries: QaStatsQueries) {}

  /** @throws MissingThresholds, InvalidThresholds */
  async of(
    crawl: Item,
    qaRunId: string,
    thresholds: { screenshot: string; text: string },
  ): Promise<QARunAggregateStatsOut> {
    const [screenshot, text] = [boundariesOf(thresholds.screenshot), boundariesOf(thresholds.text)];
    const run = {
      oid: crawl.oid,
      crawlId: crawl._id,
      qaRunId,
      isOwn: hasQaRun(crawl, qaRunId),
      pages: knownPageCount(crawl),
    };
    const { screenshotMatch, textMatch } = await this.queries.buckets(run, {
      screenshotMatch: screenshot,
      textMatch: text,
    });
    return { screenshotMatch: fillBuckets(screenshot, screenshotMatch), textMatch: fillBuckets(text, textMatch) };
  }
}
