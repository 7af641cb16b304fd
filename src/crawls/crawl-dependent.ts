import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import type { Tx } from '../database/unit-of-work.js';
import type { Item } from '../items/data/item.schema.js';
import { DependsOnItems, type ItemDependent } from '../items/deletion/item-dependents.js';
import { CrawlJobsRepository } from './data/crawl-jobs.repository.js';
import { CrawlLogsRepository } from './data/crawl-logs.repository.js';

/** Deletes the jobs and log lines of a crawl with the crawl. */
@DependsOnItems()
@Injectable()
export class CrawlDependent implements ItemDependent {
  constructor(
    private readonly jobs: CrawlJobsRepository,
    private readonly logs: CrawlLogsRepository,
    private readonly clock: Clock,
  ) {}

  async purge(item: Item): Promise<void> {
    if (item.type !== 'upload') await this.logs.deleteOf(item.oid, item._id);
  }

  async release(item: Item, tx: Tx): Promise<void> {
    if (item.type !== 'upload') await this.jobs.abandonOf(item.oid, item._id, this.clock.now(), tx);
  }
}
