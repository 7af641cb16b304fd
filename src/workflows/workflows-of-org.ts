import { Injectable } from '@nestjs/common';
import { OwnsOrgData, type OrgDataOwner, type StoredBytes } from '../orgs/org-data.js';
import { WorkflowRevisionsRepository } from './data/workflow-revisions.repository.js';
import { WorkflowsRepository } from './data/workflows.repository.js';

const BATCH = 500;

/** Deletes the workflows and revisions of an org that is deleted. */
@OwnsOrgData('workflows', { after: 'items' })
@Injectable()
export class WorkflowsOfOrg implements OrgDataOwner {
  constructor(
    private readonly workflows: WorkflowsRepository,
    private readonly revisions: WorkflowRevisionsRepository,
  ) {}

  /** Revisions are deleted first, because only their workflow names their org. */
  async deleteForOrg(oid: string): Promise<void> {
    for (;;) {
      const cids = await this.workflows.someIds(oid, BATCH);
      if (cids.length === 0) return;
      await this.revisions.deleteOfAll(cids);
      await this.workflows.deleteAll(oid, cids);
    }
  }

  /** Workflows store nothing but documents. */
  bytesStored(): Promise<StoredBytes> {
    return Promise.resolve({});
  }
}
