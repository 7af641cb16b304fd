import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/audit-trail.js';
import type { Principal } from '../../common/access/access.js';
import { Clock } from '../../common/clock/clock.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { DedupeIndex } from '../../collections/dedupe/dedupe-index.js';
import { isSinglePage } from '../../crawls/rules/single-page.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { newId } from '../../common/ids/uuid.js';
import type { StoredCrawlConfig } from '../../items/data/crawl-config.schema.js';
import type { Org } from '../../orgs/data/org.schema.js';
import { OrgUsage } from '../../orgs/org-usage.js';
import { WorkflowsRepository } from '../data/workflows.repository.js';
import type { Workflow } from '../data/workflow.schema.js';
import type { CrawlConfigAddedResponse, CrawlConfigIn } from '../dto/workflows.dto.js';
import { checkCustomBehaviors, checkExclude, checkLang, checkSelectLinks } from '../rules/config.rules.js';
import { toStoredConfig } from '../rules/stored-config.js';
import { newWorkflow } from './new-workflow.js';
import { firstFiring } from '../rules/first-firing.js';
import { ContentCheckNeedsProfile, SeedsOrSeedFile } from '../workflows.errors.js';
import { WorkflowChecks } from './workflow-checks.js';
import { WorkflowSeedFiles } from './workflow-seed-files.js';
import { WorkflowRuns } from '../running/workflow-runs.js';

type SeedSource = Pick<Workflow, 'config' | 'firstSeed' | 'seedCount'>;

/** Creates workflows. The checks are in the contract's order. Contract: crawling §4.1. */
@Injectable()
export class WorkflowCreator {
  constructor(
    private readonly workflows: WorkflowsRepository,
    private readonly checks: WorkflowChecks,
    private readonly seedFiles: WorkflowSeedFiles,
    private readonly runs: WorkflowRuns,
    private readonly usage: OrgUsage,
    private readonly dedupe: DedupeIndex,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly trail: AuditTrail,
  ) {}

  /**
   * Creates a workflow and starts it if asked to. A crawl that cannot start does not undo the creation; `errorDetail`
   * says why.
   */
  async create(org: Org, actor: Principal, input: CrawlConfigIn): Promise<CrawlConfigAddedResponse> {
    const workflow = await this.build(org, actor, input);
    await this.unitOfWork.run(async (tx) => {
      this.trail.about('workflow', workflow._id);
      const { seedFileId } = workflow.config;
      if (seedFileId) await this.seedFiles.take(org._id, seedFileId, workflow.created, tx);
      await this.workflows.insert(workflow, tx);
    });
    if (workflow.dedupeCollId) await this.dedupe.enable(org._id, workflow.dedupeCollId);
    if (input.runNow) return this.runNew(org, actor, workflow._id);
    return {
      added: true,
      id: workflow._id,
      run_now_job: null,
      storageQuotaReached: this.usage.isStorageQuotaReached(org),
      execMinutesQuotaReached: this.usage.isExecMinutesQuotaReached(org),
      errorDetail: null,
    };
  }

  private async build(org: Org, actor: Principal, input: CrawlConfigIn): Promise<Workflow> {
    this.checks.windowLimits(input);
    const config = toStoredConfig(input.config);
    const profileId = input.profileid || null;
    this.checks.channel(input.crawlerChannel);
    const proxyId = profileId ? null : (input.proxyId ?? null);
    if (!profileId && config.failOnContentCheck) throw new ContentCheckNeedsProfile();
    await this.checks.proxy(org, proxyId);
    checkExclude(config);
    checkSelectLinks(config);
    checkLang(config);
    checkCustomBehaviors(config);
    const source = await this.seedSource(org, config);
    const dedupeCollId = input.dedupeCollId || null;
    if (dedupeCollId) await this.checks.dedupeCollection(org, dedupeCollId);
    if (profileId) await this.checks.profile(org, profileId);
    const now = this.clock.timestamp();
    return newWorkflow(input, {
      ...source,
      _id: newId(),
      oid: org._id,
      profileid: profileId,
      proxyId,
      dedupeCollId,
      browserWindows: this.windows(input, config),
      nextRun: firstFiring(input.schedule, now),
      actor,
      now,
    });
  }

  private windows(input: CrawlConfigIn, config: StoredCrawlConfig): number {
    if (isSinglePage(config)) return 1;
    return input.browserWindows ?? input.scale * this.checks.windowsPerInstance;
  }

  private async seedSource(org: Org, config: StoredCrawlConfig): Promise<SeedSource> {
    const seeds = config.seeds ?? [];
    if (config.seedFileId) {
      const file = await this.seedFiles.find(org._id, config.seedFileId);
      if (seeds.length > 0) throw new SeedsOrSeedFile();
      return {
        config: { ...config, seeds: [], scopeType: 'page' },
        firstSeed: file.firstSeed ?? '',
        seedCount: file.seedCount ?? 0,
      };
    }
    const first = seeds[0];
    if (!first) throw new SeedsOrSeedFile();
    return { config, firstSeed: first.url, seedCount: seeds.length };
  }

  private async runNew(org: Org, actor: Principal, cid: string): Promise<CrawlConfigAddedResponse> {
    const answer = { added: true, id: cid, storageQuotaReached: false, execMinutesQuotaReached: false };
    try {
      const crawlId = await this.runs.start(org, actor, cid);
      return { ...answer, run_now_job: crawlId, errorDetail: null };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return {
        ...answer,
        run_now_job: null,
        storageQuotaReached: error.detail === 'storage_quota_reached',
        execMinutesQuotaReached: error.detail === 'exec_minutes_quota_reached',
        errorDetail: error.detail,
      };
    }
  }
}
