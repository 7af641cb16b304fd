import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock/clock.js';
import { CrawlDriver } from '../../drivers/crawl-driver.js';
import { DomainEvents, type RecordFact } from '../../events/domain-events.js';
import type { StoredCrawlConfig } from '../../items/data/crawl-config.schema.js';
import { isActive } from '../../items/data/item-state.facts.js';
import type { Item } from '../../items/data/item.schema.js';
import { ItemNotFound } from '../../items/items.errors.js';
import type { Org } from '../../orgs/data/org.schema.js';
import type { Workflow } from '../../workflows/data/workflow.schema.js';
import { CrawlNotRunning } from '../crawls.errors.js';
import type { CrawlJob } from '../data/crawl-job.schema.js';
import { CrawlJobsRepository } from '../data/crawl-jobs.repository.js';
import { RunsRepository } from '../data/runs.repository.js';
import type { CrawlScale } from '../dto/crawls.dto.js';
import { CrawlStartCheck } from '../launch/crawl-start-check.js';
import { WindowLimits } from './window-limits.js';

/** Changes what a running crawl does. Contract: crawling §5.5 scale, §5.6, §14.4. */
@Injectable()
export class CrawlSettings {
  constructor(
    private readonly jobs: CrawlJobsRepository,
    private readonly runs: RunsRepository,
    private readonly check: CrawlStartCheck,
    private readonly driver: CrawlDriver,
    private readonly events: DomainEvents,
    private readonly windows: WindowLimits,
    private readonly clock: Clock,
  ) {}

  /** The crawl, when it is active. @throws ItemNotFound; CrawlNotRunning for one that has ended, and for an upload */
  async activeCrawl(oid: string, crawlId: string): Promise<Item> {
    const item = await this.runs.findItem(oid, crawlId);
    if (!item) throw new ItemNotFound(crawlId);
    if (item.type !== 'crawl' || !isActive(item.state)) throw new CrawlNotRunning();
    return item;
  }

  /**
   * Sets the number of browser windows.
   * @returns the windows; the workflow takes them over by the event `crawl.scaled`
   * @throws WindowsOrScaleRequired, InputRefused 422, CrawlNotRunning
   */
  async scale(oid: string, crawlId: string, input: CrawlScale, by: { id: string; name: string }): Promise<number> {
    const browserWindows = this.windows.windowsOf(input);
    const crawl = { browserWindows, scale: this.windows.instancesFor(browserWindows) };
    const { cid } = await this.activeCrawl(oid, crawlId);
    await this.apply(oid, crawlId, { job: { browserWindows }, crawl }, (record) => {
      if (cid) record('crawl.scaled', { oid, crawlId, cid, browserWindows, userId: by.id, userName: by.name });
    });
    return browserWindows;
  }

  /**
   * Gives a running crawl its workflow's present settings. Its instances start again once.
   * @throws CrawlNotRunning, InvalidProfileId, ProxyNotFound, SeedFileNotSupported, CrawlStartFailed
   */
  async reconfigure(org: Org, crawlId: string, workflow: Workflow): Promise<void> {
    const plan = await this.check.plan(org, workflow);
    const { browserWindows, crawlTimeout, maxCrawlSize } = workflow;
    const job: Partial<CrawlJob> = {
      browserWindows,
      timeout: crawlTimeout ?? 0,
      maxCrawlSize: maxCrawlSize ?? 0,
      storageFilename: plan.storageFilename,
      profileKey: plan.profileKey,
      restartTime: this.clock.now(),
    };
    const crawl: Partial<Item> = {
      config: plan.config,
      browserWindows,
      scale: this.windows.instancesFor(browserWindows),
      crawlTimeout,
      maxCrawlSize,
      crawlerChannel: workflow.crawlerChannel,
      image: plan.image,
      proxyId: plan.proxyId,
      profileid: workflow.profileid,
      cid_rev: workflow.rev,
    };
    await this.apply(org._id, crawlId, { job, crawl });
  }

  /**
   * Adds or removes an exclusion. The crawl keeps the new list, and its instances are told. An instance that cannot be
   * reached now reads the list at its next start.
   * @param config the workflow's config with the new list
   */
  async setExclusions(
    oid: string,
    crawlId: string,
    config: Pick<StoredCrawlConfig, 'exclude'>,
    change: { regex: string; add: boolean },
  ): Promise<void> {
    const item = await this.activeCrawl(oid, crawlId);
    if (!item.config) throw new CrawlNotRunning();
    const crawl = { config: { ...item.config, exclude: config.exclude } };
    await this.apply(oid, crawlId, { job: {}, crawl });
    if (change.add) await this.driver.addExclusion(crawlId, change.regex);
    else await this.driver.removeExclusion(crawlId, change.regex);
  }

  private async apply(
    oid: string,
    crawlId: string,
    change: { job: Partial<CrawlJob>; crawl: Partial<Item> },
    tell?: (record: RecordFact) => void,
  ): Promise<void> {
    const applied = await this.events.transact(async (tx, record) => {
      if (!(await this.jobs.ask(oid, crawlId, change.job, this.clock.now(), tx))) return false;
      tell?.(record);
      return this.runs.setActiveCrawl(oid, crawlId, change.crawl, tx);
    });
    if (!applied) throw new CrawlNotRunning();
  }
}
