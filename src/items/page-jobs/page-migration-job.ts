import { Injectable } from '@nestjs/common';
import { OneOf } from '../../common/validation/fields.js';
import { JobFields } from '../../jobs/dto/job-fields.dto.js';
import { PageReAddsRepository } from '../../pages/data/page-readds.repository.js';
import type { Job } from '../../jobs/data/job.schema.js';
import { HandlesJob, type JobContext, type JobHandler } from '../../jobs/job-handlers.js';
import type { Item } from '../data/item.schema.js';
import { ItemMigrationsRepository } from '../data/item-migrations.repository.js';
import { PageReAdder } from './page-readder.js';

/** States of crawls that captured no pages, so that there is nothing to look for in the files. */
const WITHOUT_PAGES = new Set(['canceled', 'failed']);

declare module '../../jobs/job-kind.js' {
  interface JobTypes {
    readonly 'optimize-pages': true;
  }
}

export class OptimizePagesJob extends JobFields {
  @OneOf(['optimize-pages']) type = 'optimize-pages' as const;
}

/**
 * Migrates items that the reference left in its old format. In the present format pages say which file holds them.
 * Superusers start this job once after taking over a database. Contract: archive §10, `optimize-pages`.
 */
@HandlesJob({
  type: 'optimize-pages',
  after: 'readd-org-pages',
  body: OptimizePagesJob,
  retry: 'superusers',
})
@Injectable()
export class PageMigrationJob implements JobHandler {
  readonly concurrency = 1;
  readonly maxTries = 3;

  constructor(
    private readonly items: ItemMigrationsRepository,
    private readonly readds: PageReAddsRepository,
    private readonly reAdder: PageReAdder,
  ) {}

  /** An item is done once its version says so. An interrupted item is migrated again. */
  async run(job: Job, { signal }: JobContext): Promise<void> {
    for (let item = await this.items.claimOld(); item; item = await this.items.claimOld()) {
      signal.throwIfAborted();
      if (await this.needsPages(item)) await this.reAdder.readAgain(item, job._id, signal);
      await this.items.finish(item._id);
    }
  }

  private async needsPages(item: Item): Promise<boolean> {
    if (await this.readds.lacksFilename(item.oid, item._id)) return true;
    const hasNone = (item.pageCount ?? 0) === 0 && (item.stats?.done ?? 0) > 0;
    return hasNone && !WITHOUT_PAGES.has(item.state);
  }
}
