import { Injectable } from '@nestjs/common';
import type { Principal } from '../../common/access/access.js';
import { Clock } from '../../common/clock/clock.js';
import { newId } from '../../common/ids/uuid.js';
import type { Org } from '../../orgs/data/org.schema.js';
import { OrgUsage } from '../../orgs/org-usage.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { WorkflowRevisionsRepository } from '../data/workflow-revisions.repository.js';
import { WorkflowsRepository } from '../data/workflows.repository.js';
import type { WorkflowRevision } from '../data/workflow-revision.schema.js';
import type { Workflow } from '../data/workflow.schema.js';
import type { CrawlConfigUpdateResponse } from '../dto/crawl-config-update-response.dto.js';
import type { UpdateCrawlConfig } from '../dto/update-crawl-config.dto.js';
import { planUpdate, type UpdatePlan } from '../rules/plan-update.js';
import { firstFiring } from '../schedule/first-firing.js';
import { WorkflowChangedMeanwhile, WorkflowNotFound } from '../workflows.errors.js';
import { UpdateChecks } from './update-checks.js';
import { WorkflowRuns } from './workflow-runs.js';

/** Writers of one workflow that a change waits out before it gives up. */
const MAX_TRIES = 8;

/** In whose name a change is made. */
export type Author = Pick<Principal, 'id' | 'name'>;

interface Applied {
  readonly plan: UpdatePlan;
  readonly before: Workflow;
  readonly after: Workflow;
}

export const revisionOf = (workflow: Workflow): WorkflowRevision => ({
  _id: newId(),
  cid: workflow._id,
  schedule: workflow.schedule,
  config: workflow.config,
  profileid: workflow.profileid,
  crawlerChannel: workflow.crawlerChannel,
  proxyId: workflow.proxyId,
  crawlTimeout: workflow.crawlTimeout,
  maxCrawlSize: workflow.maxCrawlSize,
  scale: workflow.scale,
  browserWindows: workflow.browserWindows,
  crawlFilenameTemplate: workflow.crawlFilenameTemplate,
  shareable: workflow.shareable,
  modified: workflow.modified ?? workflow.created,
  modifiedBy: workflow.modifiedBy,
  rev: workflow.rev ?? 0,
});

const isEmpty = (fields: object): boolean => Object.keys(fields).length === 0;

/** Changes workflows; every settings change keeps what was before as a revision. Contract: crawling §4.2. */
@Injectable()
export class WorkflowEditor {
  constructor(
    private readonly workflows: WorkflowsRepository,
    private readonly revisions: WorkflowRevisionsRepository,
    private readonly checks: UpdateChecks,
    private readonly runs: WorkflowRuns,
    private readonly usage: OrgUsage,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async update(org: Org, actor: Principal, cid: string, input: UpdateCrawlConfig): Promise<CrawlConfigUpdateResponse> {
    const { plan, before, after } = await this.apply(org, actor, cid, input);
    const settingsChanged = !isEmpty(plan.settings);
    const metadataChanged = !isEmpty(plan.metadata);
    const answer = { updated: true, settings_changed: settingsChanged, metadata_changed: metadataChanged };
    if (!settingsChanged && !metadataChanged && !input.runNow)
      return {
        ...answer,
        updatedRunning: false,
        storageQuotaReached: false,
        execMinutesQuotaReached: false,
        started: null,
      };
    await this.checks.dropUnusedSeedFile(org, before.config, after.config);
    const started = input.runNow ? await this.runs.start(org, actor, cid) : null;
    const updatedRunning =
      !input.runNow && input.updateRunning && settingsChanged && (await this.runs.reconfigure(org, after));
    const flags = await this.usage.quotaFlags(org._id);
    return { ...answer, updatedRunning, ...flags, started };
  }

  /**
   * Replaces the exclusions of a workflow, as an exclusion on its running crawl does.
   * @returns null when the workflow is no longer as it was
   */
  async setExclude(actor: Principal, before: Workflow, exclude: string[]): Promise<Workflow | null> {
    const settings = { config: { ...before.config, exclude } };
    return this.write(before, { settings, metadata: {}, companions: {} }, actor);
  }

  /** Sets the browser windows, as scaling a running crawl does; no change is no revision. */
  async setBrowserWindows(oid: string, cid: string, actor: Author, browserWindows: number): Promise<void> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const before = await this.workflows.findActive(oid, cid);
      if (!before || before.browserWindows === browserWindows) return;
      const plan = { settings: { browserWindows }, metadata: {}, companions: {} };
      if (await this.write(before, plan, actor)) return;
    }
    throw new WorkflowChangedMeanwhile();
  }

  /** Plans against what is stored and writes only over that; planned anew when somebody was faster. */
  private async apply(org: Org, actor: Principal, cid: string, input: UpdateCrawlConfig): Promise<Applied> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const before = await this.workflows.findActive(org._id, cid);
      if (!before) throw new WorkflowNotFound();
      const wanted = await this.checks.wanted(org, before, input);
      const plan = planUpdate(before, wanted.update);
      if (wanted.seedSource && plan.settings.config) Object.assign(plan.settings, wanted.seedSource);
      if (isEmpty(plan.settings) && isEmpty(plan.metadata) && !input.runNow) return { plan, before, after: before };
      const after = await this.write(before, plan, actor);
      if (after) return { plan, before, after };
    }
    throw new WorkflowChangedMeanwhile();
  }

  /** @returns the workflow as written, or null when it is no longer as it was */
  private async write(before: Workflow, plan: UpdatePlan, actor: Author): Promise<Workflow | null> {
    const now = this.clock.timestamp();
    const fields = {
      ...plan.companions,
      ...plan.metadata,
      ...plan.settings,
      ...this.scheduling(before, plan.settings, actor, now),
      modified: now,
      modifiedBy: actor.id,
      modifiedByName: actor.name,
    };
    return this.unitOfWork.run(async (tx) => {
      await this.checks.takeSeedFile(before, plan.settings, now, tx);
      const after = await this.workflows.replaceRevision(before, fields, tx);
      if (after && !isEmpty(plan.settings)) await this.revisions.insert(revisionOf(before), tx);
      return after;
    });
  }

  private scheduling(before: Workflow, { schedule }: Partial<Workflow>, actor: Author, now: Date): Partial<Workflow> {
    if (schedule === undefined) return {};
    const scheduledBy = schedule ? (before.schedule && before.scheduledBy) || actor.id : null;
    return { nextRun: firstFiring(schedule, now), scheduledBy };
  }
}
