import { Injectable } from '@nestjs/common';
import type { Tx } from '../../database/unit-of-work.js';
import type { Workflow } from './workflow.schema.js';
import { WorkflowsReads } from './workflows.reads.js';

/** Reads and writes single workflows. Lists are in `WorkflowsQueries`. */
@Injectable()
export class WorkflowsRepository extends WorkflowsReads {
  async insert(workflow: Workflow, tx?: Tx): Promise<void> {
    await this.workflows.insert(workflow.oid, workflow, { tx });
  }

  /**
   * Writes a change of an active workflow as its next revision. The change applies only to the revision for which it
   * was planned.
   * @returns the changed workflow, or null when it has another revision by now or is gone
   */
  async replaceRevision(before: Workflow, fields: Partial<Workflow>, tx: Tx): Promise<Workflow | null> {
    const rev = before.rev ?? 0;
    return this.workflows.findOneAndUpdate(
      before.oid,
      { _id: before._id, inactive: { $ne: true }, rev: rev === 0 ? { $in: [0, null] } : rev },
      { $set: { ...fields, rev: rev + 1 } },
      { tx },
    );
  }

  /**
   * Writes to an active workflow in the transaction that starts a crawl of it. A deletion at the same moment then
   * conflicts with the start. Earlier readings of the workflow's crawls become void.
   * @returns false when the workflow is gone
   */
  async takeForCrawl(oid: string, cid: string, tx: Tx): Promise<boolean> {
    const update = { $inc: { figuresRev: 1 } };
    return (await this.workflows.updateOne(oid, { _id: cid, inactive: { $ne: true } }, update, { tx })).matched === 1;
  }

  /** Deactivates a workflow. @returns false when it is already deactivated or gone */
  async deactivate(oid: string, cid: string, tx: Tx): Promise<boolean> {
    const update = { $set: { inactive: true, nextRun: null } };
    return (await this.workflows.updateOne(oid, { _id: cid, inactive: { $ne: true } }, update, { tx })).matched === 1;
  }

  /**
   * Deletes a workflow that never had a crawl.
   * @returns the deleted workflow, or null when it has had a crawl by now or is gone
   */
  async deleteUnused(oid: string, cid: string, tx: Tx): Promise<Workflow | null> {
    return this.workflows.findOneAndDelete(oid, { _id: cid, crawlAttemptCount: { $in: [0, null] } }, tx);
  }

  /** Returns ids of workflows of the org, active or not, in no particular order. */
  async someIds(oid: string, limit: number): Promise<string[]> {
    return (await this.workflows.find(oid, {}, { limit, projection: { _id: 1 } })).map(({ _id }) => _id);
  }

  async deleteAll(oid: string, cids: readonly string[]): Promise<void> {
    await this.workflows.deleteMany(oid, { _id: { $in: [...cids] } });
  }
}
