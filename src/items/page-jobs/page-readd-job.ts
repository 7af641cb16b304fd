import { Injectable } from '@nestjs/common';
import { Str, OneOf } from '../../common/validation/fields.js';
import { JobFields } from '../../jobs/dto/job-fields.dto.js';
import { DomainEvents } from '../../events/domain-events.js';
import type { Job } from '../../jobs/data/job.schema.js';
import { HandlesJob, type JobContext, type JobHandler } from '../../jobs/job-handlers.js';
import { JobStarter } from '../../jobs/job-starter.js';
import type { Item } from '../data/item.schema.js';
import { ItemsRepository } from '../data/items.repository.js';
import { GoneItems } from '../deletion/gone-items.js';
import { CrawlNotFound } from '../items.errors.js';
import { PageReAdder } from './page-readder.js';

declare module '../../jobs/job-kind.js' {
  interface JobTypes {
    readonly 'readd-org-pages': true;
  }
}

export class ReAddOrgPagesJob extends JobFields {
  @OneOf(['readd-org-pages']) type = 'readd-org-pages' as const;
  /** `crawl` or `upload`; both when null. */
  @Str({ nullable: true }) crawl_type: string | null = null;
  @Str({ nullable: true }) crawl_id: string | null = null;
}

/** Reads pages again, of one item or of all items of an org. Contract: archive §6, §10. */
@HandlesJob({
  type: 'readd-org-pages',
  after: 'recalculate-org-stats',
  body: ReAddOrgPagesJob,
  idOf: ({ oid }) => `org-pages-${oid}`,
  show: ({ crawl_type = null, crawl_id = null }) => ({ crawl_type, crawl_id }),
})
@Injectable()
export class PageReAddJob implements JobHandler {
  readonly concurrency = 1;
  readonly maxTries = 3;

  constructor(
    private readonly starter: JobStarter,
    private readonly items: ItemsRepository,
    private readonly reAdder: PageReAdder,
    private readonly gone: GoneItems,
    private readonly events: DomainEvents,
  ) {}

  /** Starts the job for one item. @returns the job's id @throws CrawlNotFound */
  async startForItem(oid: string, itemId: string): Promise<string> {
    if (!(await this.items.findById(oid, itemId))) throw new CrawlNotFound();
    return this.starter.start('readd-org-pages', { oid, fields: { crawl_id: itemId, crawl_type: null } });
  }

  /**
   * Starts the job for all items of an org.
   * @param type the items' type; null means both types
   * @returns the job's id
   */
  async startForOrg(oid: string, type: Item['type'] | null): Promise<string> {
    return this.starter.start('readd-org-pages', { oid, fields: { crawl_id: null, crawl_type: type } });
  }

  async run(job: Job, { signal }: JobContext): Promise<void> {
    const { oid, _id: mark } = job;
    if (!oid) return;
    for await (const item of this.meant(oid, job)) {
      signal.throwIfAborted();
      await this.reAdder.readAgain(item, mark, signal);
    }
    // An earlier try that was killed may have written pages of a deleted item.
    if (job.crawl_id) await this.gone.forgetPages(oid, job.crawl_id);
    await this.events.publish('org.pagesReAdded', { oid });
  }

  private async *meant(oid: string, job: Job): AsyncGenerator<Item> {
    if (job.crawl_id) {
      const item = await this.items.findById(oid, job.crawl_id);
      if (item) yield item;
      return;
    }
    const type = job.crawl_type ? { type: job.crawl_type as Item['type'] } : {};
    yield* this.items.scoped.stream(oid, { ...type, 'files.0': { $exists: true } }, { batchSize: 20 });
  }
}
