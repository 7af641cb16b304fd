import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/audit-trail.js';
import { Clock } from '../../common/clock/clock.js';
import { DedupeIndex } from '../../collections/dedupe/dedupe-index.js';
import { seconds, wholeSecond } from '../../common/units/durations.js';
import { AppConfig } from '../../config/app-config.js';
import { isDuplicateKey } from '../../database/org-scoped.js';
import { DomainEvents } from '../../events/domain-events.js';
import type { Item } from '../../items/data/item.schema.js';
import { NEW_ITEM } from '../../items/data/new-item.facts.js';
import { ItemsRepository } from '../../items/data/items.repository.js';
import type { Org } from '../../orgs/data/org.schema.js';
import type { Workflow } from '../data/workflow.schema.js';
import { WorkflowsRepository } from '../data/workflows.repository.js';
import { WorkflowNotFound } from '../workflows.errors.js';
import { CrawlAlreadyRunning } from '../../crawls/crawls.errors.js';
import type { CrawlJob } from '../../crawls/data/crawl-job.schema.js';
import { CrawlJobsRepository } from '../../crawls/data/crawl-jobs.repository.js';
import { manualCrawlId, scheduledCrawlId } from '../../crawls/rules/run-ids.js';
import { newJob } from '../../crawls/rules/new-job.js';
import { CrawlStartCheck, type StartPlan } from '../../crawls/launch/crawl-start-check.js';

/** The largest number of seconds by which the time in a crawl's id may be later than its start. */
const MAX_LATER = 5;

interface NewDocuments {
  readonly item: Omit<Item, 'oid'>;
  readonly job: CrawlJob;
}

/** The user in whose name a crawl runs. */
export interface Starter {
  readonly id: string;
  readonly name: string;
}

/** Starts crawls of workflows, at once for users or at a firing for the scheduler. Contract: crawling §4.9, §12.2. */
@Injectable()
export class CrawlLauncher {
  constructor(
    private readonly check: CrawlStartCheck,
    private readonly workflows: WorkflowsRepository,
    private readonly items: ItemsRepository,
    private readonly jobs: CrawlJobsRepository,
    private readonly events: DomainEvents,
    private readonly dedupe: DedupeIndex,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly trail: AuditTrail,
  ) {}

  /**
   * Records a crawl and its crawl job; the supervisor then starts it. Of concurrent starts of one workflow, one
   * succeeds. Of a start and a deletion, the one that comes first succeeds.
   * @param workflow an active workflow of this org
   * @param options `scheduled` is the moment of the schedule's firing. The crawl's id is made from it, so that a firing
   *   starts one crawl, whichever process handles it. Quotas then make the crawl `skipped_…` instead of refusing it.
   * @returns the crawl's id
   * @throws WriteRefused 403, CrawlAlreadyRunning, TooManyCrawlsQueued 429, InvalidProfileId, ProxyNotFound,
   *   StartSeedFileNotFound 404, SeedFileNotSupported, CrawlStartFailed 500, WorkflowNotFound 404 when it was deleted
   *   after it was read
   */
  async start(
    org: Org,
    workflow: Workflow,
    starter: Starter,
    { scheduled = null }: { scheduled?: Date | null } = {},
  ): Promise<string> {
    const plan = await this.check.check(org, workflow, scheduled !== null);
    if (workflow.dedupeCollId) await this.dedupe.enable(org._id, workflow.dedupeCollId);
    const started = this.clock.creationTime();
    for (let later = 0; ; later++) {
      const named = new Date(started.getTime() + seconds(later));
      const crawlId = scheduled ? scheduledCrawlId(workflow._id, scheduled) : manualCrawlId(workflow._id, named);
      const run = { crawlId, started, manual: scheduled === null, starter };
      if (await this.insert(org, workflow, this.documents(org, workflow, plan, run))) return crawlId;
      // A crawl that was started and cancelled within this second has the id of this second. The id of the next second
      // is free.
      const isTaken = scheduled !== null || later === MAX_LATER || (await this.check.isRunning(org, workflow));
      if (isTaken) throw new CrawlAlreadyRunning();
    }
  }

  /**
   * Stores the crawl and its crawl job in one transaction.
   * @returns false when the workflow has an active crawl, or a crawl has this id
   * @throws WorkflowNotFound, StartSeedFileNotFound
   */
  private async insert(org: Org, workflow: Workflow, { item, job }: NewDocuments): Promise<boolean> {
    try {
      await this.events.transact(async (tx, record) => {
        if (!(await this.workflows.takeForCrawl(org._id, job.cid, tx))) throw new WorkflowNotFound();
        await this.check.take(workflow, item.started, tx);
        await this.jobs.insert(job, tx);
        await this.items.insert(org._id, item, tx);
        if (!job.manual)
          await this.trail.record({ action: 'system.crawlStarted', oid: org._id, about: ['item', job._id] }, tx);
        record('crawl.created', {
          oid: org._id,
          crawlId: job._id,
          cid: job.cid,
          manual: job.manual,
          userId: item.userid,
          userName: item.userName ?? '',
          started: wholeSecond(item.started).toISOString(),
        });
      });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  private documents(
    org: Org,
    workflow: Workflow,
    plan: StartPlan,
    run: { crawlId: string; started: Date; manual: boolean; starter: Starter },
  ): NewDocuments {
    const { crawlId, started, manual, starter } = run;
    const { windowsPerInstance } = this.config.crawls;
    const item: Omit<Item, 'oid'> = {
      ...NEW_CRAWL,
      _id: crawlId,
      type: 'crawl',
      cid: workflow._id,
      userid: starter.id,
      userName: starter.name,
      name: workflow.name,
      tags: workflow.tags,
      started,
      image: plan.image,
      config: plan.config,
      jobType: workflow.jobType,
      schedule: workflow.schedule,
      crawlTimeout: workflow.crawlTimeout,
      maxCrawlSize: workflow.maxCrawlSize,
      scale: Math.ceil(workflow.browserWindows / windowsPerInstance),
      browserWindows: workflow.browserWindows,
      profileid: workflow.profileid,
      crawlerChannel: workflow.crawlerChannel,
      proxyId: plan.proxyId,
      firstSeed: workflow.firstSeed,
      seedCount: workflow.seedCount,
      dedupeCollId: workflow.dedupeCollId,
      cid_rev: workflow.rev,
      manual,
    };
    return { item, job: this.job(org, workflow, plan, run) };
  }

  private job(
    org: Org,
    workflow: Workflow,
    plan: StartPlan,
    { crawlId, started, manual, starter }: { crawlId: string; started: Date; manual: boolean; starter: Starter },
  ): CrawlJob {
    return {
      ...newJob(started),
      _id: crawlId,
      kind: 'crawl',
      oid: org._id,
      cid: workflow._id,
      crawlId,
      userid: starter.id,
      manual,
      browserWindows: workflow.browserWindows,
      timeout: workflow.crawlTimeout ?? 0,
      maxCrawlSize: workflow.maxCrawlSize ?? 0,
      dedupeCollId: workflow.dedupeCollId,
      storage: plan.storage,
      storageFilename: plan.storageFilename,
      warcPrefix: plan.warcPrefix,
      profileKey: plan.profileKey,
    };
  }
}

const NEW_CRAWL = {
  ...NEW_ITEM,
  state: 'starting',
  description: '',
  finished: null,
  qaCrawlExecSeconds: 0,
  stopping: false,
  shouldPause: false,
  pausedAt: null,
  rateLimitedAt: null,
  qa: null,
  qaFinished: {},
  pendingSize: 0,
  autoPausedEmailsSent: false,
  dedupeStats: null,
};
