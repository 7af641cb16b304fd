import { Injectable, Logger } from '@nestjs/common';
import { CrawlDriver } from '../../drivers/crawl-driver.js';
import type { JobObservation } from '../../drivers/crawl-driver.types.js';
import type { Item } from '../../items/data/item.schema.js';
import { CrawlJobsRepository } from '../data/crawl-jobs.repository.js';
import type { HeldRun } from '../data/held-run.js';
import { CrawlLogsRepository } from '../data/crawl-logs.repository.js';
import { RunIngest } from './run-ingest.js';
import { RunKinds, viewOf } from './run-kind.js';
import { RunMeter } from './run-meter.js';

/**
 * Ends what a finished, cancelled or deleted run left at the driver, then deletes the job. Contract: crawling §11.9.
 */
@Injectable()
export class RunTeardown {
  private readonly logger = new Logger('crawls');

  constructor(
    private readonly driver: CrawlDriver,
    private readonly ingest: RunIngest,
    private readonly meter: RunMeter,
    private readonly kinds: RunKinds,
    private readonly jobs: CrawlJobsRepository,
    private readonly logs: CrawlLogsRepository,
  ) {}

  /**
   * Tears the run down.
   * @param item null: the item, or its org, is gone
   * @returns true when the job is gone; false: instances are still ending, so another try is needed soon
   */
  async run(held: HeldRun, item: Item | null): Promise<boolean> {
    const { job } = held;
    const run = item && viewOf(job, item);
    let observed = await this.driver.observe(job._id);
    if (hasLiveInstance(observed)) {
      await this.driver.cancel(job._id);
      observed = await this.driver.observe(job._id);
    }
    await this.ingest.drain(held, { pagesTo: null, keepLogs: run !== null });
    if (run?.meteredUntil) await this.meter.account(held, observed, run.meteredUntil, true);
    if (observed.instances.some(({ phase }) => phase === 'running')) return false;
    // These lines came in while the item was being deleted.
    if (!item) await this.logs.deleteOf(job.oid, job.crawlId);
    await this.kinds.of(job.kind).cleanUp(job, item, run?.state ?? null);
    await this.driver.remove(job._id);
    await this.jobs.remove(held.lease);
    this.logger.log({ event: 'crawl_job_removed', oid: job.oid, jobId: job._id });
    return true;
  }
}

const hasLiveInstance = ({ instances }: JobObservation): boolean =>
  instances.some(({ phase }) => phase === 'running' || phase === 'pending' || phase === 'backoff');
