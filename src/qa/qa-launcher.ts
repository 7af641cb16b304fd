import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Principal } from '../common/access/access.js';
import { Clock } from '../common/clock/clock.js';
import { AppConfig } from '../config/app-config.js';
import { CrawlJobsRepository } from '../crawls/data/crawl-jobs.repository.js';
import type { CrawlJob } from '../crawls/data/crawl-job.schema.js';
import { qaRunId } from '../crawls/rules/run-ids.js';
import { newJob } from '../crawls/rules/new-job.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { Item } from '../items/data/item.schema.js';
import type { QaRun } from '../items/data/qa-run.schema.js';
import type { Org } from '../orgs/data/org.schema.js';
import { QaRunsRepository } from './data/qa-runs.repository.js';
import { QaAlreadyRunning } from './qa.errors.js';
import { QaStartCheck } from './qa-start-check.js';

export interface QaSample {
  readonly limit?: number | null;
  readonly urlMatch?: string | null;
}

/** Starts QA runs. Contract: crawling §8. */
@Injectable()
export class QaLauncher {
  constructor(
    private readonly check: QaStartCheck,
    private readonly qaRuns: QaRunsRepository,
    private readonly jobs: CrawlJobsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly trail: AuditTrail,
  ) {}

  /**
   * Records a QA run and its job. The supervisor starts it.
   * @returns the run's id
   * @throws as `QaStartCheck.check`; QaAlreadyRunning also when another start was faster
   */
  async start(org: Org, crawl: Item, starter: Principal, sample: QaSample): Promise<string> {
    const { image, workflow } = await this.check.check(org, crawl);
    const started = this.clock.timestamp();
    const id = qaRunId(workflow._id, started);
    const run: QaRun = {
      id,
      userid: starter.id,
      userName: starter.name,
      started,
      finished: null,
      state: 'starting',
      crawlExecSeconds: 0,
      image,
      stats: { found: 0, done: 0, size: 0, req_crawls: [] },
      files: [],
      fileSize: 0,
      fileCount: 0,
      limit: sample.limit ?? null,
      urlMatch: sample.urlMatch ?? null,
    };
    await this.unitOfWork.run(async (tx) => {
      this.trail.about('qaRun', id);
      if (!(await this.qaRuns.start(org._id, crawl._id, run, tx))) throw new QaAlreadyRunning();
      await this.jobs.insert(this.job(org, crawl, run, workflow._id), tx);
    });
    return id;
  }

  private job(org: Org, crawl: Item, run: QaRun, cid: string): CrawlJob {
    return {
      ...newJob(run.started),
      _id: run.id,
      kind: 'qa',
      oid: org._id,
      cid,
      crawlId: crawl._id,
      userid: run.userid,
      manual: true,
      browserWindows: this.config.crawls.qaBrowserWindows,
      timeout: 0,
      maxCrawlSize: 0,
      dedupeCollId: null,
      storage: { name: org.storage.name, custom: org.storage.custom },
      storageFilename: this.config.crawls.filenameTemplate,
      warcPrefix: 'qa',
      profileKey: null,
    };
  }
}
