import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { CrawlJobsRepository } from '../crawls/data/crawl-jobs.repository.js';
import type { Item } from '../items/data/item.schema.js';
import { PagesRepository } from '../pages/data/pages.repository.js';
import { QaRunsRepository } from './data/qa-runs.repository.js';
import { QaNotRunning } from './qa.errors.js';

/** Stops and cancels the active QA run; the supervisor acts on the wish. Contract: crawling §8. */
@Injectable()
export class QaControl {
  constructor(
    private readonly jobs: CrawlJobsRepository,
    private readonly qaRuns: QaRunsRepository,
    private readonly pages: PagesRepository,
    private readonly clock: Clock,
  ) {}

  /** Keeps what has been compared so far. @throws QaNotRunning */
  async stop(crawl: Item): Promise<void> {
    await this.ask(crawl, { stopping: true });
  }

  /** Discards the run. @throws QaNotRunning */
  async cancel(crawl: Item): Promise<void> {
    await this.ask(crawl, { cancelRequested: true });
  }

  private async ask(crawl: Item, wish: { stopping?: boolean; cancelRequested?: boolean }): Promise<void> {
    const { qa, oid } = crawl;
    if (!qa) throw new QaNotRunning();
    if (await this.jobs.ask(oid, qa.id, wish, this.clock.now())) return;
    // An ended run is being torn down; one without a job, e.g. of another program, would stay active for ever.
    if (await this.jobs.find(oid, qa.id)) return;
    await this.qaRuns.settle(oid, crawl._id, qa.id);
    if (!qa.finished) await this.pages.unsetQa(oid, crawl._id, [qa.id]);
  }
}
