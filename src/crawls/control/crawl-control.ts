import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock/clock.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { isActive } from '../../items/data/item-state.facts.js';
import type { Item } from '../../items/data/item.schema.js';
import { CrawlNotFound, ItemNotFound } from '../../items/items.errors.js';
import { ItemsRepository } from '../../items/data/items.repository.js';
import type { Org } from '../../orgs/data/org.schema.js';
import { CrawlNotRunning, NotACrawl } from '../crawls.errors.js';
import type { CrawlJob } from '../data/crawl-job.schema.js';
import { CrawlJobsRepository } from '../data/crawl-jobs.repository.js';
import { RunsRepository } from '../data/runs.repository.js';
import { newJob } from '../rules/new-job.js';
import { RunFinisher } from '../run/run-finisher.js';
import { RunKinds, viewOf } from '../run/run-kind.js';

/**
 * What users ask of running crawls. Each wish is recorded in job and crawl together, and makes the supervisor's next
 * evaluation due at once. That evaluation acts on the wish. Contract: crawling §5.5.
 */
@Injectable()
export class CrawlControl {
  constructor(
    private readonly items: ItemsRepository,
    private readonly jobs: CrawlJobsRepository,
    private readonly runs: RunsRepository,
    private readonly finisher: RunFinisher,
    private readonly kinds: RunKinds,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Stops the crawl: it finishes the pages in flight and keeps what it has.
   * @throws ItemNotFound, NotACrawl, CrawlNotRunning
   */
  async stop(oid: string, crawlId: string): Promise<void> {
    await this.crawl(oid, crawlId);
    if (!(await this.ask(oid, crawlId, { stopping: true }, { stopping: true }))) throw new CrawlNotRunning();
  }

  /**
   * Discards the crawl. Repeating this succeeds, and so does cancelling a crawl that has ended.
   * @throws ItemNotFound, NotACrawl
   */
  async cancel(org: Org, crawlId: string): Promise<void> {
    const item = await this.crawl(org._id, crawlId);
    if (await this.ask(org._id, crawlId, { cancelRequested: true }, {})) return;
    if (!isActive(item.state)) return;
    // The crawl has no job, e.g. because another program started it.
    const job = jobless(item, org, this.clock.timestamp());
    const run = viewOf(job, item);
    if (!run) return;
    await this.finisher.finish({ job, item, run, org }, 'canceled', { held: null, observed: null });
    await this.kinds.of('crawl').cleanUp(job, item, 'canceled');
  }

  /** Pauses the crawl. @throws ItemNotFound, NotACrawl; CrawlNotFound when it no longer runs */
  async pause(oid: string, crawlId: string): Promise<void> {
    const item = await this.crawl(oid, crawlId);
    const pausedAt = item.pausedAt ?? this.clock.timestamp();
    const asked = await this.ask(oid, crawlId, { pausedAt }, { shouldPause: true, pausedAt });
    if (!asked) throw new CrawlNotFound();
  }

  /**
   * Resumes the crawl. Quotas are not checked here: one that is still exceeded pauses the crawl again.
   * @throws as `pause`
   */
  async resume(oid: string, crawlId: string): Promise<void> {
    await this.crawl(oid, crawlId);
    const crawl = { shouldPause: false, pausedAt: null, autoPausedEmailsSent: false };
    if (!(await this.ask(oid, crawlId, { pausedAt: null }, crawl))) throw new CrawlNotFound();
  }

  /** The crawl of the route. @throws ItemNotFound, NotACrawl */
  async crawl(oid: string, crawlId: string): Promise<Item> {
    const item = await this.items.findById(oid, crawlId);
    if (!item) throw new ItemNotFound(crawlId);
    if (item.type === 'upload') throw new NotACrawl();
    return item;
  }

  /** Records a wish. @returns false when there is no running job; neither job nor crawl is changed then */
  private async ask(oid: string, crawlId: string, job: Partial<CrawlJob>, crawl: Partial<Item>): Promise<boolean> {
    return this.unitOfWork.run(async (tx) => {
      if (!(await this.jobs.ask(oid, crawlId, job, this.clock.now(), tx))) return false;
      if (Object.keys(crawl).length > 0) await this.runs.setActiveCrawl(oid, crawlId, crawl, tx);
      return true;
    });
  }
}

/** Stands in for the missing job when the end of a crawl is accounted. */
function jobless(item: Item, org: Org, now: Date): CrawlJob {
  return {
    ...newJob(item.started),
    _id: item._id,
    kind: 'crawl',
    oid: item.oid,
    cid: item.cid ?? item.oid,
    crawlId: item._id,
    userid: item.userid,
    manual: item.manual ?? true,
    active: false,
    finished: now,
    browserWindows: item.browserWindows ?? 1,
    timeout: 0,
    maxCrawlSize: 0,
    dedupeCollId: item.dedupeCollId ?? null,
    storage: org.storage,
    storageFilename: '',
    warcPrefix: '',
    profileKey: null,
  };
}
