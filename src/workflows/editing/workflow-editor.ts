import { Injectable } from '@nestjs/common';
import type { Principal } from '../../common/access/access.js';
import { DedupeIndex } from '../../collections/dedupe/dedupe-index.js';
import { listsRevision } from '../../common/http/entity-tags.js';
import type { Org } from '../../orgs/data/org.schema.js';
import { OrgUsage } from '../../orgs/org-usage.js';
import { WorkflowsRepository } from '../data/workflows.repository.js';
import type { Workflow } from '../data/workflow.schema.js';
import type { CrawlConfigUpdateResponse, UpdateCrawlConfig } from '../dto/workflows.dto.js';
import { planUpdate, type UpdatePlan } from './plan-update.js';
import { WorkflowChangedMeanwhile, WorkflowNotAsExpected, WorkflowNotFound } from '../workflows.errors.js';
import { RevisionWriter, type Author } from './revision-writer.js';
import { UpdateChecks } from './update-checks.js';
import { WorkflowRuns } from '../running/workflow-runs.js';
import { WorkflowSeedFiles } from './workflow-seed-files.js';

/** Number of tries of a change that other writers of the workflow overtake. */
const MAX_TRIES = 8;

interface WantedChange {
  readonly input: UpdateCrawlConfig;
  /** Value of `If-Match`: the change is for this revision alone. */
  readonly expected: string | undefined;
}

interface Applied {
  readonly plan: UpdatePlan;
  readonly before: Workflow;
  readonly after: Workflow;
}

const isEmpty = (fields: object): boolean => Object.keys(fields).length === 0;

/** Changes workflows. Every change of settings keeps the former ones as a revision. Contract: crawling §4.2. */
@Injectable()
export class WorkflowEditor {
  constructor(
    private readonly workflows: WorkflowsRepository,
    private readonly checks: UpdateChecks,
    private readonly writer: RevisionWriter,
    private readonly seedFiles: WorkflowSeedFiles,
    private readonly runs: WorkflowRuns,
    private readonly usage: OrgUsage,
    private readonly dedupe: DedupeIndex,
  ) {}

  /** @throws WorkflowNotFound, WorkflowNotAsExpected */
  async update(org: Org, actor: Principal, cid: string, change: WantedChange): Promise<CrawlConfigUpdateResponse> {
    const { input } = change;
    const { plan, before, after } = await this.apply(org, actor, cid, change);
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
    await this.seedFiles.dropUnused(before, after);
    if (plan.metadata.dedupeCollId) await this.dedupe.enable(org._id, plan.metadata.dedupeCollId);
    const started = input.runNow ? await this.runs.start(org, actor, cid) : null;
    const updatedRunning =
      !input.runNow && input.updateRunning && settingsChanged && (await this.runs.reconfigure(org, after));
    const flags = await this.usage.quotaFlags(org._id);
    return { ...answer, updatedRunning, ...flags, started };
  }

  /**
   * Replaces the exclusions of a workflow, as an exclusion on its running crawl does.
   * @returns null when the workflow changed since `before` was read
   */
  async setExclude(actor: Principal, before: Workflow, exclude: string[]): Promise<Workflow | null> {
    const settings = { config: { ...before.config, exclude } };
    return this.writer.write(before, { settings, metadata: {}, companions: {} }, actor);
  }

  /** Sets the browser windows, as scaling a running crawl does. An unchanged number makes no revision. */
  async setBrowserWindows(oid: string, cid: string, actor: Author, browserWindows: number): Promise<void> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const before = await this.workflows.findActive(oid, cid);
      if (!before || before.browserWindows === browserWindows) return;
      const plan = { settings: { browserWindows }, metadata: {}, companions: {} };
      if (await this.writer.write(before, plan, actor)) return;
    }
    throw new WorkflowChangedMeanwhile();
  }

  /**
   * Plans a change against the stored workflow and writes it only over that revision. The change is planned anew when
   * another writer was faster, and refused when it is not for the revision that is then there.
   */
  private async apply(org: Org, actor: Principal, cid: string, change: WantedChange): Promise<Applied> {
    const { input, expected } = change;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const before = await this.workflows.findActive(org._id, cid);
      if (!before) throw new WorkflowNotFound();
      if (expected !== undefined && !listsRevision(expected, before.rev ?? 0)) throw new WorkflowNotAsExpected();
      const wanted = await this.checks.wanted(org, before, input);
      const plan = planUpdate(before, wanted.update);
      if (wanted.seedSource && plan.settings.config) Object.assign(plan.settings, wanted.seedSource);
      if (isEmpty(plan.settings) && isEmpty(plan.metadata) && !input.runNow) return { plan, before, after: before };
      const after = await this.writer.write(before, plan, actor);
      if (after) return { plan, before, after };
    }
    throw new WorkflowChangedMeanwhile();
  }
}
