import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { Clock } from '../../common/clock/clock.js';
import { minutes, seconds } from '../../common/units/durations.js';
import { FREE_LEASE, Leases, type Held, type Lease } from '../../database/leases.js';
import { decode, uuid } from '../../database/uuid-codec.js';
import { Workflow, type PendingFiring, type SkippedFiring } from './workflow.schema.js';

const ACTIVE = { inactive: { $in: [false, null] } };

/** Starting a crawl takes milliseconds; a process that dies holds a firing this long, and one that fails is tried again. */
const TERMS = { until: 'pendingFiring.leaseUntil', lengthMs: minutes(2), beatMs: seconds(30) };

export type FiringWorkflow = Workflow & { readonly pendingFiring: PendingFiring };

/** Schedules of the workflows of all orgs. */
@Injectable()
export class SchedulesRepository {
  readonly leases: Leases<Workflow>;

  constructor(
    @InjectModel(Workflow.name) private readonly workflows: Model<Workflow>,
    clock: Clock,
  ) {
    this.leases = new Leases(workflows, TERMS, clock);
  }

  /** Workflows whose next firing has come, the longest due first. */
  async findDue(now: Date, limit: number): Promise<Workflow[]> {
    const filter = { nextRun: { $lte: now }, ...ACTIVE } as QueryFilter<Workflow>;
    const found = this.workflows.find(filter, null, { sort: { nextRun: 1 }, limit }).lean();
    return decode((await found.exec()) as Workflow[]);
  }

  /** Takes a due firing, unless somebody else took it or changed the schedule: moves `nextRun` on and leaves it to a claim. */
  async take({ _id, nextRun }: Workflow, at: Date, next: Date | null): Promise<void> {
    const set = { nextRun: next, pendingFiring: { at, leaseUntil: FREE_LEASE } };
    await this.workflows.updateOne({ _id, nextRun, ...ACTIVE }, { $set: set }).exec();
  }

  /** Claims a firing that was taken and that nobody deals with. */
  claimFiring(): Promise<Held<FiringWorkflow> | null> {
    return this.leases.claimNext() as Promise<Held<FiringWorkflow> | null>;
  }

  /** A firing is dealt with. @param skipped why it started no crawl */
  async end(lease: Lease, skipped: SkippedFiring | null): Promise<void> {
    const set = { pendingFiring: null, ...(skipped ? { skippedFiring: skipped } : {}) };
    await this.workflows.updateOne(this.leases.proof(lease), { $set: set }).exec();
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
