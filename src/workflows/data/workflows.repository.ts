import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { OrgScoped } from '../../database/org-scoped.js';
import type { Tx } from '../../database/unit-of-work.js';
import { uuids } from '../../database/uuid-codec.js';
import { Workflow } from './workflow.schema.js';

/** Workflows as single documents; lists are in `WorkflowsQueries`. */
@Injectable()
export class WorkflowsRepository {
  private readonly workflows: OrgScoped<Workflow>;

  constructor(@InjectModel(Workflow.name) model: Model<Workflow>) {
    this.workflows = new OrgScoped(model);
  }

  /** A workflow, deactivated or not. */
  async find(oid: string, cid: string, tx?: Tx): Promise<Workflow | null> {
    return this.workflows.findOne(oid, { _id: cid }, { tx });
  }

  async findActive(oid: string, cid: string, tx?: Tx): Promise<Workflow | null> {
    return this.workflows.findOne(oid, { _id: cid, inactive: { $ne: true } }, { tx });
  }

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

  /** Whether a workflow, active or not, starts from this seed file. */
  async refersToSeedFile(oid: string, fileId: string, tx?: Tx): Promise<boolean> {
    return this.workflows.exists(oid, { 'config.seedFileId': fileId }, tx);
  }

  /** Whether an active workflow uses this profile. */
  async usesProfile(oid: string, profileId: string, tx?: Tx): Promise<boolean> {
    return this.workflows.exists(oid, { profileid: profileId, inactive: { $ne: true } }, tx);
  }

  /** Which of these profiles active workflows use. */
  async profilesInUse(oid: string, profileIds: readonly string[]): Promise<Set<string>> {
    const used = await this.workflows.aggregate<{ _id: string }>(oid, [
      { $match: { inactive: { $ne: true }, profileid: { $in: uuids(profileIds) } } },
      { $group: { _id: '$profileid' } },
    ]);
    return new Set(used.map(({ _id }) => _id));
  }
}
