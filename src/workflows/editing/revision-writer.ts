import { Injectable } from '@nestjs/common';
import type { Principal } from '../../common/access/access.js';
import { Clock } from '../../common/clock/clock.js';
import { newId } from '../../common/ids/uuid.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { WorkflowRevisionsRepository } from '../data/workflow-revisions.repository.js';
import type { WorkflowRevision } from '../data/workflow-revision.schema.js';
import { WorkflowsRepository } from '../data/workflows.repository.js';
import type { Workflow } from '../data/workflow.schema.js';
import type { UpdatePlan } from './plan-update.js';
import { firstFiring } from '../rules/first-firing.js';
import { WorkflowSeedFiles } from './workflow-seed-files.js';

/** The user in whose name a change is made. */
export type Author = Pick<Principal, 'id' | 'name'>;

const revisionOf = (workflow: Workflow): WorkflowRevision => ({
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

/**
 * Writes a change of a workflow as its next revision. When settings change, the former ones are kept. Contract:
 * crawling §4.2.
 */
@Injectable()
export class RevisionWriter {
  constructor(
    private readonly workflows: WorkflowsRepository,
    private readonly revisions: WorkflowRevisionsRepository,
    private readonly seedFiles: WorkflowSeedFiles,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Writes a planned change.
   * @returns the workflow as written, or null when it changed since `before` was read
   * @throws SeedFileNotFound
   */
  async write(before: Workflow, plan: UpdatePlan, actor: Author): Promise<Workflow | null> {
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
    const fileId = plan.settings.config?.seedFileId;
    return this.unitOfWork.run(async (tx) => {
      if (fileId && fileId !== before.config.seedFileId) await this.seedFiles.take(before.oid, fileId, now, tx);
      const after = await this.workflows.replaceRevision(before, fields, tx);
      if (after && Object.keys(plan.settings).length > 0) await this.revisions.insert(revisionOf(before), tx);
      return after;
    });
  }

  private scheduling(before: Workflow, { schedule }: Partial<Workflow>, actor: Author, now: Date): Partial<Workflow> {
    if (schedule === undefined) return {};
    const scheduledBy = schedule ? (before.schedule && before.scheduledBy) || actor.id : null;
    return { nextRun: firstFiring(schedule, now), scheduledBy };
  }
}
