import { Injectable } from '@nestjs/common';
import { CollectionsReads } from '../../collections/data/collections.reads.js';
import { IndexCopier } from '../../dedupe/index-copier.js';
import { CrawlDriver } from '../../drivers/crawl-driver.js';
import { OrgUsage } from '../../orgs/org-usage.js';
import { quotasOf } from '../../orgs/rules/quota.rules.js';
import type { FinalState } from '../../items/data/item-state.facts.js';
import type { CrawlJob } from '../data/crawl-job.schema.js';
import { RunsRepository } from '../data/runs.repository.js';
import type { RunContext } from './run-kind.js';

export type Gate =
  | { readonly open: true }
  | { readonly open: false; readonly skip: FinalState }
  | { readonly open: false; readonly wait: 'waiting_org_limit' | 'waiting_dedupe_index' };

const OPEN: Gate = { open: true };

/**
 * States that an existing dedupe index must have for a crawl to start. An idle one is ready at once, since nothing has
 * to be loaded. Contract: crawling §11.2 step 6.
 */
const INDEX_IS_THERE: readonly (string | null)[] = ['ready', 'crawling', 'idle'];

/** Decides whether a run may start. Contract: crawling §10.2, §10.3, §11.2. */
@Injectable()
export class RunGates {
  constructor(
    private readonly runs: RunsRepository,
    private readonly usage: OrgUsage,
    private readonly driver: CrawlDriver,
    private readonly collections: CollectionsReads,
    private readonly copies: IndexCopier,
  ) {}

  async check({ job, org }: RunContext): Promise<Gate> {
    if (this.usage.isStorageQuotaReached(org)) return { open: false, skip: 'skipped_storage_quota_reached' };
    if (this.usage.isExecMinutesQuotaReached(org)) return { open: false, skip: 'skipped_time_quota_reached' };
    if (!(await this.hasPlace(job, quotasOf(org).maxConcurrentCrawls)))
      return { open: false, wait: 'waiting_org_limit' };
    return (await this.hasIndex(job)) ? OPEN : { open: false, wait: 'waiting_dedupe_index' };
  }

  private async hasPlace({ _id, oid }: CrawlJob, maxConcurrentCrawls: number): Promise<boolean> {
    if (maxConcurrentCrawls <= 0) return true;
    const first = await this.runs.oldestActive(oid, maxConcurrentCrawls);
    return first.length < maxConcurrentCrawls || first.includes(_id);
  }

  /**
   * Whether the run's dedupe index is ready, and so is the copy of it that the crawlers read, if they do. A collection
   * that is gone, or whose index was deleted, delays no run.
   */
  private async hasIndex({ oid, crawlId, dedupeCollId }: CrawlJob): Promise<boolean> {
    if (!dedupeCollId || !this.driver.usesDedupeIndex) return true;
    const state = (await this.collections.find(oid, dedupeCollId))?.indexState ?? null;
    if (state === null) return true;
    return INDEX_IS_THERE.includes(state) && this.copies.isFilled({ oid, collectionId: dedupeCollId }, crawlId);
  }
}
