import { Injectable } from '@nestjs/common';
import type { Tx } from '../../database/unit-of-work.js';
import type { Workflow } from './workflow.schema.js';
import { WorkflowsReads } from './workflows.reads.js';

/** Workflows as single documents; lists are in `WorkflowsQueries`. */
@Injectable()
export class WorkflowsRepository extends WorkflowsReads {
  async insert(workflow: Workflow, tx?: Tx): Promise<void> {
    await this.workflows.insert(workflow.oid, workflow, { tx });
  }

  /**
   * Writes a change of an active workflow as its next revision, only over the revision it was planned against.
   * @returns the workflow after it, or null when it has another revision by now, or is gone
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
   * Writes to an active workflow in the transaction that starts a crawl of it, so that a deletion at the same moment
   * meets the crawl; what was read of its crawls before is void. @returns false when it is gone
   */
  async takeForCrawl(oid: string, cid: string, tx: Tx): Promise<boolean> {
    const update = { $inc: { figuresRev: 1 } };
    return (await this.workflows.updateOne(oid, { _id: cid, inactive: { $ne: true } }, update, { tx })).matched === 1;
  }

  /** @returns false: somebody else did, or it is gone */
  async deactivate(oid: string, cid: string, tx: Tx): Promise<boolean> {
    const update = { $set: { inactive: true, nextRun: null } };
    return (await this.workflows.updateOne(oid, { _id: cid, inactive: { $ne: true } }, update, { tx })).matched === 1;
  }

  /** Deletes a workflow that never had a crawl. @returns it, or null: it had one by now, or is gone */
  async deleteUnused(oid: string, cid: string, tx: Tx): Promise<Workflow | null> {
    return this.workflows.findOneAndDelete(oid, { _id: cid, crawlAttemptCount: { $in: [0, null] } }, tx);
  }

  /** Ids of workflows of the org, active or not, in no particular order. */
  async someIds(oid: string, limit: number): Promise<string[]> {
    return (await this.workflows.find(oid, {}, { limit, projection: { _id: 1 } })).map(({ _id }) => _id);
  }

  async deleteAll(oid: string, cids: readonly string[]): Promise<void> {
    await this.workflows.deleteMany(oid, { _id: { $in: [...cids] } });
  }
}
