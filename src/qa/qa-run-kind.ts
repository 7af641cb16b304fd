import { Injectable } from '@nestjs/common';
import type { CrawlJob } from '../crawls/data/crawl-job.schema.js';
import { RunsRepository } from '../crawls/data/runs.repository.js';
import { RunsOfKind, type RunContext, type RunEnd, type RunKind } from '../crawls/run/run-kind.js';
import type { Tx } from '../database/unit-of-work.js';
import type { CrawlerPage, CrawlJobSpec } from '../drivers/crawl-driver.types.js';
import type { RecordFact } from '../events/domain-events.js';
import { isFailed, isSuccessful } from '../items/data/item-state.facts.js';
import type { Item } from '../items/data/item.schema.js';
import { FileRemover } from '../objects/file-remover.js';
import { OrgUsage } from '../orgs/org-usage.js';
import { PagesRepository } from '../pages/data/pages.repository.js';
import { QaRunsRepository } from './data/qa-runs.repository.js';
import { QaSpecBuilder } from './qa-spec-builder.js';

/** The kind of run that checks the quality of a crawl. Contract: crawling §8.1. */
@RunsOfKind('qa')
@Injectable()
export class QaRunKind implements RunKind {
  constructor(
    private readonly specs: QaSpecBuilder,
    private readonly runs: RunsRepository,
    private readonly qaRuns: QaRunsRepository,
    private readonly pages: PagesRepository,
    private readonly files: FileRemover,
    private readonly usage: OrgUsage,
  ) {}

  buildSpec(context: RunContext): Promise<CrawlJobSpec> {
    return this.specs.build(context);
  }

  /** Writes results to the pages of the crawl, whose ids the QA run reports. */
  async ingestPages(job: CrawlJob, pages: readonly CrawlerPage[]): Promise<void> {
    for (const page of pages) {
      if (!page.comparison) continue;
      const { screenshotMatch = null, textMatch = null, resourceCounts = null } = page.comparison;
      const at = { crawlId: job.crawlId, pageId: page.id, qaRunId: job._id };
      await this.pages.setQa(job.oid, at, { screenshotMatch, textMatch, resourceCounts });
    }
  }

  recordStarted({ job }: RunContext, record: RecordFact): void {
    record('qa.started', { oid: job.oid, crawlId: job.crawlId, qaRunId: job._id });
  }

  beforeEnd(): Promise<Partial<Item> | null> {
    return Promise.resolve(null);
  }

  async end({ job, state }: RunEnd, _extra: Partial<Item> | null, tx: Tx, record: RecordFact): Promise<void> {
    if (!isSuccessful(state)) await this.discardFiles(job, tx);
    record('qa.finished', { oid: job.oid, crawlId: job.crawlId, qaRunId: job._id, state });
  }

  /** Moves the ended run to the finished ones. A failed run leaves no results. */
  async cleanUp(job: CrawlJob, item: Item | null, state: string | null): Promise<void> {
    if (item) await this.qaRuns.settle(job.oid, job.crawlId, job._id);
    if (!item || state === null || isFailed(state)) await this.pages.unsetQa(job.oid, job.crawlId, [job._id]);
    this.files.wake();
  }

  private async discardFiles(job: CrawlJob, tx: Tx): Promise<void> {
    const files = await this.runs.takeFiles(job, tx);
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    await this.usage.addBytes(job.oid, 'crawl', -bytes, tx);
    await this.files.planForLater(job.oid, files, tx);
  }
}
