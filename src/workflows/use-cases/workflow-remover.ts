import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { SeedFiles } from '../../files/seed-files.js';
import { WorkflowRevisionsRepository } from '../data/workflow-revisions.repository.js';
import { WorkflowsRepository } from '../data/workflows.repository.js';
import { WorkflowCrawls } from '../workflow-crawls.js';
import { NotDeactivated, NotDeleted, WorkflowIsRunning, WorkflowNotFound } from '../workflows.errors.js';

/** Deletes workflows that never had a crawl, and puts the others out of use. Contract: crawling §4.10. */
@Injectable()
export class WorkflowRemover {
  constructor(
    private readonly workflows: WorkflowsRepository,
    private readonly revisions: WorkflowRevisionsRepository,
    private readonly crawls: WorkflowCrawls,
    private readonly files: SeedFiles,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @throws WorkflowNotFound, WorkflowIsRunning, NotDeleted, NotDeactivated */
  async remove(oid: string, cid: string): Promise<'deleted' | 'deactivated'> {
    const workflow = await this.workflows.findActive(oid, cid);
    if (!workflow) throw new WorkflowNotFound();
    if (await this.crawls.hasActive(oid, cid)) throw new WorkflowIsRunning();
    if (workflow.crawlAttemptCount) {
      if (!(await this.workflows.deactivate(oid, cid))) throw new NotDeactivated();
      return 'deactivated';
    }
    const isDeleted = await this.unitOfWork.run(async (tx) => {
      const deleted = await this.workflows.deleteUnused(oid, cid, tx);
      if (deleted) await this.revisions.deleteOf(cid, tx);
      return deleted !== null;
    });
    if (!isDeleted) throw new NotDeleted();
    const { seedFileId } = workflow.config;
    if (seedFileId) await this.files.deleteIfUnused(oid, seedFileId);
    return 'deleted';
  }
}
