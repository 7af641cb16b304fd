import { Injectable } from '@nestjs/common';
import { OwnsOrgData, type OrgDataOwner, type StoredBytes } from '../orgs/org-data.js';
import { WorkflowRevisionsRepository } from './data/workflow-revisions.repository.js';
import { WorkflowsRepository } from './data/workflows.repository.js';

const BATCH = 500;

/** Workflows and their revisions, for the deletion of orgs. */
@OwnsOrgData('workflows', { after: 'items' })
@Injectable()
export class WorkflowsOfOrg implements OrgDataOwner {
  constructor(
    private readonly workflows: WorkflowsRepository,
    private readonly revisions: WorkflowRevisionsRepository,
  ) {}

  /** Revisions first: they know their org only through the workflow. */
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
