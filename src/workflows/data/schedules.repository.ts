import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { Clock } from '../../common/clock/clock.js';
import { minutes, seconds } from '../../common/units/durations.js';
import { FREE_LEASE, Leases, type Held, type Lease } from '../../database/leases.js';
import { decode, uuid } from '../../database/uuid-codec.js';
import { Workflow, type PendingFiring, type SkippedFiring } from './workflow.schema.js';

const ACTIVE = { inactive: { $in: [false, null] } };

/**
 * The lease of a firing. Starting a crawl takes milliseconds. A process that dies holds its firing for the whole lease.
 * A firing that failed is tried again after it.
 */
const TERMS = { until: 'pendingFiring.leaseUntil', lengthMs: minutes(2), beatMs: seconds(30) };

export type FiringWorkflow = Workflow & { readonly pendingFiring: PendingFiring };

/** The schedules of workflows of all orgs. */
@Injectable()
export class SchedulesRepository {
  readonly leases: Leases<Workflow>;

  constructor(
    @InjectModel(Workflow.name) private readonly workflows: Model<Workflow>,
    clock: Clock,
  ) {
    this.leases = new Leases(workflows, TERMS, clock);
  }

  /** Finds active workflows whose next firing is due, the longest due first. */
  async findDue(now: Date, limit: number): Promise<Workflow[]> {
    const filter = { nextRun: { $lte: now }, ...ACTIVE } as QueryFilter<Workflow>;
    const found = this.workflows.find(filter, null, { sort: { nextRun: 1 }, limit }).lean();
    return decode((await found.exec()) as Workflow[]);
  }

  /**
   * Takes a due firing: it moves `nextRun` on and leaves the firing to a claim. Nothing happens when another process
   * took the firing or a user changed the schedule.
   */
  async take({ _id, nextRun }: Workflow, at: Date, next: Date | null): Promise<void> {
    const set = { nextRun: next, pendingFiring: { at, leaseUntil: FREE_LEASE } };
    await this.workflows.updateOne({ _id, nextRun, ...ACTIVE }, { $set: set }).exec();
  }

  /** Claims a firing that was taken and that no process works on. */
  claimFiring(): Promise<Held<FiringWorkflow> | null> {
    return this.leases.claimNext() as Promise<Held<FiringWorkflow> | null>;
  }

  /** Ends a firing. @param skipped why the firing started no crawl, or null */
  async end(lease: Lease, skipped: SkippedFiring | null): Promise<void> {
    const set = { pendingFiring: null, ...(skipped ? { skippedFiring: skipped } : {}) };
    await this.workflows.updateOne(this.leases.proof(lease), { $set: set }).exec();
  }

  /** Removes the next firing of a workflow whose schedule cannot be read. */
  async drop(cid: string, skippedFiring: SkippedFiring): Promise<void> {
    await this.workflows.updateOne({ _id: cid }, { $set: { nextRun: null, skippedFiring } }).exec();
  }

  /**
   * Finds scheduled workflows in the order of their ids.
   * @param after the id behind which the list begins
   * @param withoutNextOnly whether to find only workflows without a next firing
   */
  async findScheduled(after: string | null, limit: number, withoutNextOnly: boolean): Promise<Workflow[]> {
    const where = {
      schedule: { $nin: ['', null] },
      ...ACTIVE,
      ...(after ? { _id: { $gt: uuid(after) } } : {}),
      ...(withoutNextOnly ? { nextRun: null } : {}),
    };
    // This is a pipeline because Mongoose has no order of UUIDs.
    const pipeline = [{ $match: where }, { $sort: { _id: 1 as const } }, { $limit: limit }];
    return decode(await this.workflows.aggregate<Workflow>(pipeline).exec());
  }

  /** Sets the next firing, unless the schedule or the next firing changed meanwhile. */
  async setNext({ _id, schedule, nextRun }: Workflow, next: Date | null): Promise<void> {
    await this.workflows.updateOne({ _id, schedule, nextRun: nextRun ?? null }, { $set: { nextRun: next } }).exec();
  }
}
