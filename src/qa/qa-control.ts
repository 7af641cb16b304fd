import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { CrawlJobsRepository } from '../crawls/data/crawl-jobs.repository.js';
import type { Item } from '../items/data/item.schema.js';
import { PagesRepository } from '../pages/data/pages.repository.js';
import { QaRunsRepository } from './data/qa-runs.repository.js';
import { QaNotRunning } from './qa.errors.js';

/** Stops and cancels the active QA run by a request that the supervisor carries out. Contract: crawling §8. */
@Injectable()
export class QaControl {
  constructor(
    private readonly jobs: CrawlJobsRepository,
    private readonly qaRuns: QaRunsRepository,
    private readonly pages: PagesRepository,
    private readonly clock: Clock,
  ) {}

  /** Stops the run and keeps the results so far. @throws QaNotRunning */
  async stop(crawl: Item): Promise<void> {
    await this.ask(crawl, { stopping: true });
  }

  /** Stops and discards the run. @throws QaNotRunning */
  async cancel(crawl: Item): Promise<void> {
    await this.ask(crawl, { cancelRequested: true });
  }

  private async ask(crawl: Item, wish: { stopping?: boolean; cancelRequested?: boolean }): Promise<void> {
    const { qa, oid } = crawl;
    if (!qa) throw new QaNotRunning();
    if (await this.jobs.ask(oid, qa.id, wish, this.clock.now())) return;
    // A run with a job is being cleaned up. One without a job, e.g. of another program, would stay active for ever.
    if (await this.jobs.find(oid, qa.id)) return;
    await this.qaRuns.settle(oid, crawl._id, qa.id);
    if (!qa.finished) await this.pages.unsetQa(oid, crawl._id, [qa.id]);
  }
}
