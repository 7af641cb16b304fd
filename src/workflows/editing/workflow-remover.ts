import { Injectable } from '@nestjs/common';
import { UnitOfWork, type Tx } from '../../database/unit-of-work.js';
import { SeedFiles } from '../../files/seed-files.js';
import { WorkflowRevisionsRepository } from '../data/workflow-revisions.repository.js';
import { WorkflowsRepository } from '../data/workflows.repository.js';
import { WorkflowCrawls } from '../running/workflow-crawls.js';
import { NotDeactivated, NotDeleted, WorkflowIsRunning, WorkflowNotFound } from '../workflows.errors.js';

/** Deletes workflows that never had a crawl, and deactivates the others. Contract: crawling §4.10. */
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
    await this.unitOfWork.run(async (tx) => {
      // This check is in the transaction because a start of a crawl writes to the workflow too.
      if (await this.crawls.hasActive(oid, cid, tx)) throw new WorkflowIsRunning();
      if (!workflow.crawlAttemptCount) await this.delete(oid, cid, tx);
      else if (!(await this.workflows.deactivate(oid, cid, tx))) throw new NotDeactivated();
    });
    if (workflow.crawlAttemptCount) return 'deactivated';
    const { seedFileId } = workflow.config;
    if (seedFileId) await this.files.deleteIfUnused(oid, seedFileId);
    return 'deleted';
  }

  private async delete(oid: string, cid: string, tx: Tx): Promise<void> {
    if (!(await this.workflows.deleteUnused(oid, cid, tx))) throw new NotDeleted();
    await this.revisions.deleteOf(cid, tx);
  }
}
