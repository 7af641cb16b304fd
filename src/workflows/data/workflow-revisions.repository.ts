import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { PageBounds } from '../../common/pagination/page.js';
import type { Tx } from '../../database/unit-of-work.js';
import { decode } from '../../database/uuid-codec.js';
import { WorkflowRevision } from './workflow-revision.schema.js';

/** Stores earlier settings of workflows. Callers first check that the workflow belongs to the org. */
@Injectable()
export class WorkflowRevisionsRepository {
  constructor(@InjectModel(WorkflowRevision.name) private readonly revisions: Model<WorkflowRevision>) {}

  async insert(revision: WorkflowRevision, tx?: Tx): Promise<void> {
    await this.revisions.insertMany([revision], { session: tx });
  }

  /** Lists a workflow's revisions, the oldest first. */
  async list(cid: string, bounds: PageBounds): Promise<WorkflowRevision[]> {
    const found = await this.revisions
      .find({ cid }, null, { ...bounds, sort: { rev: 1 } })
      .lean()
      .exec();
    return decode(found as WorkflowRevision[]);
  }

  async count(cid: string): Promise<number> {
    return this.revisions.countDocuments({ cid }).exec();
  }

  async deleteOfAll(cids: readonly string[]): Promise<void> {
    await this.revisions.deleteMany({ cid: { $in: [...cids] } }).exec();
  }

  async deleteOf(cid: string, tx?: Tx): Promise<void> {
    await this.revisions.deleteMany({ cid }, { session: tx }).exec();
  }
}
