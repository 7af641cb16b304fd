import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock/clock.js';
import { UnitOfWork, type Tx } from '../../database/unit-of-work.js';
import type { CrawlerPage, CrawlJobSpec } from '../../drivers/crawl-driver.types.js';
import type { RecordFact } from '../../events/domain-events.js';
import { isSuccessful } from '../../items/data/item-state.facts.js';
import { KeptItems } from '../../items/deletion/kept-items.js';
import { FileRemover } from '../../objects/file-remover.js';
import type { Item } from '../../items/data/item.schema.js';
import { PagesRepository } from '../../pages/data/pages.repository.js';
import type { CrawlJob } from '../data/crawl-job.schema.js';
import { RunsRepository } from '../data/runs.repository.js';
import { toPage } from '../rules/stored-page.js';
import { RunsOfKind, type RunContext, type RunEnd, type RunKind } from '../run/run-kind.js';
import { CrawlEnding } from './crawl-ending.js';
import { CrawlSpecBuilder } from './crawl-spec-builder.js';

/**
 * Number of pages in one batch that makes the batch part of a backlog. The pages of a backlog are stored without the
 * words of their titles, which cost as much again. These words are stored when the crawl ends. What crawlers find
 * between two looks is less than this.
 */
const BACKLOG = 250;

@RunsOfKind('crawl')
@Injectable()
export class CrawlRunKind implements RunKind {
  constructor(
    private readonly specs: CrawlSpecBuilder,
    private readonly ending: CrawlEnding,
    private readonly runs: RunsRepository,
    private readonly pages: PagesRepository,
    private readonly kept: KeptItems,
    private readonly work: UnitOfWork,
    private readonly files: FileRemover,
    private readonly clock: Clock,
  ) {}

  async buildSpec(context: RunContext): Promise<CrawlJobSpec> {
    return this.specs.build(context);
  }

  async ingestPages(job: CrawlJob, pages: readonly CrawlerPage[]): Promise<void> {
    const now = this.clock.now();
    const stored = pages.map((page) => toPage(job.crawlId, page, now));
    const { filePages, errorPages } = await this.pages.insertBatch(job.oid, stored, stored.length < BACKLOG);
    await this.runs.addPageCounts(job.oid, job.crawlId, { files: filePages, errors: errorPages });
  }

  recordStarted({ job }: RunContext, record: RecordFact): void {
    record('crawl.started', { oid: job.oid, crawlId: job.crawlId, scheduled: !job.manual });
  }

  async beforeEnd(end: RunEnd): Promise<Partial<Item> | null> {
    return this.ending.prepare(end);
  }

  async end(end: RunEnd, extra: Partial<Item> | null, tx: Tx, record: RecordFact): Promise<void> {
    await this.ending.apply(end, extra, tx, record);
  }

  /**
   * Deletes the pages of a run that left no archive. The pages of a successful run get the title words that a backlog
   * left out. Holds that a question wrote while the run ended are released.
   */
  async cleanUp(job: CrawlJob, item: Item | null, state: string | null): Promise<void> {
    await this.work.run((tx) => this.kept.letGo(job.oid, job.crawlId, tx));
    if (item && !item.deleted && isSuccessful(state)) {
      await this.pages.fillTitleWords(job.oid, [job.crawlId]);
      return;
    }
    await this.pages.deleteOf(job.oid, [job.crawlId]);
    this.files.wake();
  }
}
