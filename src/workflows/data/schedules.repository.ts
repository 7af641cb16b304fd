import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { decode, uuid } from '../../database/uuid-codec.js';
import { Workflow, type SkippedFiring } from './workflow.schema.js';

const ACTIVE = { inactive: { $in: [false, null] } };

/** Schedules of the workflows of all orgs. */
@Injectable()
export class SchedulesRepository {
  constructor(@InjectModel(Workflow.name) private readonly workflows: Model<Workflow>) {}

  /** Workflows whose next firing has come, the longest due first. */
  async findDue(now: Date, limit: number): Promise<Workflow[]> {
    const filter = { nextRun: { $lte: now }, ...ACTIVE } as QueryFilter<Workflow>;
    const found = this.workflows.find(filter, null, { sort: { nextRun: 1 }, limit }).lean();
    return decode((await found.exec()) as Workflow[]);
  }

  /**
   * Takes a due firing: moves `nextRun` on and notes the firing as to be dealt with, in one step.
   * @returns false: somebody else took it, or the schedule was changed
   */
  async claim({ _id, nextRun }: Workflow, firing: { at: Date; leaseUntil: Date }, next: Date | null): Promise<boolean> {
    const done = await this.workflows
      .updateOne({ _id, nextRun, ...ACTIVE }, { $set: { nextRun: next, pendingFiring: firing } })
      .exec();
    return done.matchedCount === 1;
  }

  /** Takes over a firing whose process died. */
  async claimAbandoned(now: Date, leaseUntil: Date): Promise<Workflow | null> {
    const found = await this.workflows
      .findOneAndUpdate(
        { 'pendingFiring.leaseUntil': { $lte: now } },
        { $set: { 'pendingFiring.leaseUntil': leaseUntil } },
        { sort: { 'pendingFiring.leaseUntil': 1 }, returnDocument: 'after' },
      )
      .lean()
      .exec();
    return decode(found as Workflow | null);
  }

  /** A firing is dealt with. @param skipped why it started no crawl */
  async end(cid: string, at: Date, skipped: SkippedFiring | null): Promise<void> {
    const set = { pendingFiring: null, ...(skipped ? { skippedFiring: skipped } : {}) };
    await this.workflows.updateOne({ _id: cid, 'pendingFiring.at': at }, { $set: set }).exec();
  }

  /** Takes away the next firing of a workflow whose schedule can't be read. */
  async drop(cid: string, skippedFiring: SkippedFiring): Promise<void> {
    await this.workflows.updateOne({ _id: cid }, { $set: { nextRun: null, skippedFiring } }).exec();
  }

  /** Scheduled workflows in the order of their ids, behind `after`; only those without a next firing, or all. */
  async findScheduled(after: string | null, limit: number, withoutNextOnly: boolean): Promise<Workflow[]> {
    const where = {
      schedule: { $nin: ['', null] },
      ...ACTIVE,
      ...(after ? { _id: { $gt: uuid(after) } } : {}),
      ...(withoutNextOnly ? { nextRun: null } : {}),
    };
    // As a pipeline: Mongoose has no order of UUIDs.
    const pipeline = [{ $match: where }, { $sort: { _id: 1 as const } }, { $limit: limit }];
    return decode(await this.workflows.aggregate<Workflow>(pipeline).exec());
  }

  /** Sets the next firing unless schedule or firing were changed meanwhile. */
  async setNext({ _id, schedule, nextRun }: Workflow, next: Date | null): Promise<void> {
    await this.workflows.updateOne({ _id, schedule, nextRun: nextRun ?? null }, { $set: { nextRun: next } }).exec();
  }
}
