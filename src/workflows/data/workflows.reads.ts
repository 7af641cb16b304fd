import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { OrgScoped } from '../../database/org-scoped.js';
import type { Tx } from '../../database/unit-of-work.js';
import { uuids } from '../../database/uuid-codec.js';
import { Workflow } from './workflow.schema.js';

/** Reads of workflows that any room may use. */
@Injectable()
export class WorkflowsReads {
  protected readonly workflows: OrgScoped<Workflow>;

  constructor(@InjectModel(Workflow.name) model: Model<Workflow>) {
    this.workflows = new OrgScoped(model);
  }

  /** Finds a workflow, active or not. */
  async find(oid: string, cid: string, tx?: Tx): Promise<Workflow | null> {
    return this.workflows.findOne(oid, { _id: cid }, { tx });
  }

  async findActive(oid: string, cid: string, tx?: Tx): Promise<Workflow | null> {
    return this.workflows.findOne(oid, { _id: cid, inactive: { $ne: true } }, { tx });
  }

  /** Whether a workflow, active or not, starts from this seed file. */
  async refersToSeedFile(oid: string, fileId: string, tx?: Tx): Promise<boolean> {
    return this.workflows.exists(oid, { 'config.seedFileId': fileId }, tx);
  }

  async usesProfile(oid: string, profileId: string, tx?: Tx): Promise<boolean> {
    return this.workflows.exists(oid, { profileid: profileId, inactive: { $ne: true } }, tx);
  }

  /** Returns those of the profiles that active workflows use. */
  async profilesInUse(oid: string, profileIds: readonly string[]): Promise<Set<string>> {
    const used = await this.workflows.aggregate<{ _id: string }>(oid, [
      { $match: { inactive: { $ne: true }, profileid: { $in: uuids(profileIds) } } },
      { $group: { _id: '$profileid' } },
    ]);
    return new Set(used.map(({ _id }) => _id));
  }
}
