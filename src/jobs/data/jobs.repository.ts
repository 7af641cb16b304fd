import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { Clock } from '../../common/clock/clock.js';
import { seconds } from '../../common/units/durations.js';
import { FREE_LEASE, Leases, type Held } from '../../database/leases.js';
import { isDuplicateKey } from '../../database/org-scoped.js';
import type { Tx } from '../../database/unit-of-work.js';
import { decode } from '../../database/uuid-codec.js';
import { Job, newPlan, type JobPlan } from './job.schema.js';

/** Log lines kept with a job. */
const KEPT_LINES = 500;

/** The lease is renewed while the job runs. A process that dies holds the job for `lengthMs`. */
const TERMS = { until: 'plan.leaseUntil', due: 'plan.dueAt', lengthMs: seconds(20), beatMs: seconds(5) };

/** A job that this process is to run. */
export interface ClaimedJob extends Held<Job> {
  readonly plan: JobPlan;
  /** Whether the job's last run died: its process ended, or was away too long to renew the lease. */
  readonly hasJustDied: boolean;
}

export type JobScope = { readonly oid: string } | 'all-orgs';

const inScope = (scope: JobScope): QueryFilter<Job> =>
  (scope === 'all-orgs' ? {} : { oid: scope.oid }) as QueryFilter<Job>;

/** What a claim sets besides the lease, computed from the stored values. A lease that was not given back is a death. */
const CLAIMED = {
  'plan.deaths': {
    $cond: [{ $gt: ['$plan.leaseUntil', FREE_LEASE] }, { $add: [{ $ifNull: ['$plan.deaths', 0] }, 1] }, '$plan.deaths'],
  },
  'plan.tries': { $add: ['$plan.tries', 1] },
  'plan.again': false,
};

function asClaimed({ record, lease }: Held<Job>): ClaimedJob {
  const { plan } = record;
  if (!plan) throw new Error(`job ${record._id} was claimed without a plan`);
  const hasJustDied = plan.leaseUntil > FREE_LEASE;
  const deaths = (plan.deaths ?? 0) + (hasJustDied ? 1 : 0);
  return { record, lease, plan: { ...plan, tries: plan.tries + 1, deaths }, hasJustDied };
}

/** Jobs as rows that workers claim by lease. Only superusers see jobs without an org. */
@Injectable()
export class JobsRepository {
  readonly leases: Leases<Job>;

  constructor(
    @InjectModel(Job.name) private readonly jobs: Model<Job>,
    clock: Clock,
  ) {
    this.leases = new Leases(jobs, TERMS, clock);
  }

  async get(scope: JobScope, jobId: string): Promise<Job | null> {
    return decode(
      (await this.jobs
        .findOne({ ...inScope(scope), _id: jobId })
        .lean()
        .exec()) as Job | null,
    );
  }

  /** @returns false when a job of that id exists */
  async insert(job: Job, tx?: Tx): Promise<boolean> {
    try {
      await this.jobs.insertMany([job], { session: tx });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  /** Overwrites a finished job of a fixed id. @returns false when it runs or doesn't exist */
  async restart(job: Job, tx?: Tx): Promise<boolean> {
    const { _id, ...fields } = job;
    const done = await this.jobs
      .updateOne({ _id, finished: { $ne: null } }, { $set: fields, $unset: { error: 1, logs: 1 } }, { session: tx })
      .exec();
    return done.matchedCount === 1;
  }

  /** Whether any job of the type is under way, in any org. */
  async isRunning(type: string): Promise<boolean> {
    return (await this.jobs.exists({ type, finished: null, plan: { $ne: null } } as QueryFilter<Job>).exec()) !== null;
  }

  /** The org's job of this type that ended last, and its end. */
  async lastFinished(oid: string, type: string): Promise<{ id: string; at: Date } | null> {
    const ended = { oid, type, finished: { $gte: new Date(0) } } as QueryFilter<Job>;
    const query = this.jobs.findOne(ended, { finished: 1 }, { sort: { finished: -1, _id: -1 } });
    const job = (await query.lean().exec()) as Job | null;
    return job?.finished ? { id: job._id, at: job.finished } : null;
  }

  /** Whether a job of this type runs on the file, or is still to run. */
  async isPlanned(type: string, filename: string): Promise<boolean> {
    const filter = { 'plan.dueAt': { $gte: new Date(0) }, type, file_path: filename };
    return (await this.jobs.exists(filter as QueryFilter<Job>).exec()) !== null;
  }

  /** Asks a running job to run once more before it ends. @returns false when it doesn't run */
  async askAgain(jobId: string, tx?: Tx): Promise<boolean> {
    const filter = { _id: jobId, finished: null, plan: { $ne: null } } as QueryFilter<Job>;
    return (
      (await this.jobs.updateOne(filter, { $set: { 'plan.again': true } }, { session: tx }).exec()).matchedCount === 1
    );
  }

  /**
   * Starts a failed job's next attempt; the last attempt goes into `previousAttempts`.
   * @returns false when it is not failed
   */
  async startNextAttempt(jobId: string, now: Date, plan: JobPlan): Promise<boolean> {
    const attempt = { started: '$started', finished: '$finished' };
    const done = await this.jobs
      .updateOne(
        { _id: jobId, finished: { $ne: null }, success: { $ne: true } },
        [
          {
            $set: {
              previousAttempts: { $concatArrays: [{ $ifNull: ['$previousAttempts', []] }, [attempt]] },
              started: now,
              finished: null,
              success: null,
              // The job may have been scheduled for later; that time no longer holds.
              schedule: { $cond: [{ $ifNull: ['$schedule', false] }, null, '$schedule'] },
              plan,
            },
          },
        ] as never,
        { updatePipeline: true },
      )
      .exec();
    return done.matchedCount === 1;
  }

  /**
   * Claims the job of these types that has been due longest. A lease that ran out counts as a death of the run that
   * held it.
   * @param among `unsuspected`: jobs whose run never died
   */
  async claim(types: readonly string[], among: 'all' | 'unsuspected' = 'all'): Promise<ClaimedJob | null> {
    const free = among === 'all' ? {} : { 'plan.leaseUntil': FREE_LEASE, 'plan.deaths': null };
    const where = { type: { $in: types }, ...free };
    const held = await this.leases.claimNext({ where, set: CLAIMED, asBefore: true });
    return held && asClaimed(held);
  }

  /**
   * Ends the job, unless it was asked to run again, has ended, or belongs to another process.
   * @returns whether this call ended it
   */
  async finish({ lease }: ClaimedJob, outcome: { success: boolean; error?: string }, now: Date): Promise<boolean> {
    const filter = {
      ...this.leases.proof(lease),
      finished: null,
      ...(outcome.success ? { 'plan.again': { $ne: true } } : {}),
    } as QueryFilter<Job>;
    const set = { success: outcome.success, finished: now, plan: null, error: outcome.error ?? null };
    return (await this.jobs.updateOne(filter, { $set: set }).exec()).matchedCount === 1;
  }

  /** Gives the job back; it runs again from `dueAt` on. */
  async postpone({ lease }: ClaimedJob, dueAt: Date, error: string | null): Promise<void> {
    await this.leases.giveBack([lease], dueAt, { $set: { error } });
  }

  /** Gives back a job whose run was cut short. That run does not count as a try. */
  async putBack({ lease }: ClaimedJob, dueAt: Date): Promise<void> {
    await this.leases.giveBack([lease], dueAt, { $inc: { 'plan.tries': -1 } });
  }

  /** Starts the next run at once, with all its tries, of a job that was asked for again while it ran. */
  async runAgain({ lease }: ClaimedJob, dueAt: Date): Promise<void> {
    const filter = { ...this.leases.proof(lease), finished: null } as QueryFilter<Job>;
    await this.jobs.updateOne(filter, { $set: { plan: newPlan(dueAt), error: null } }).exec();
  }

  async log(jobId: string, at: Date, message: string): Promise<void> {
    await this.jobs
      .updateOne({ _id: jobId }, { $push: { logs: { $each: [{ at, message }], $slice: -KEPT_LINES } } })
      .exec();
  }

  /** Failed jobs, oldest first, behind `after`. The id decides between jobs that started in the same second. */
  async findFailed(scope: JobScope, after: Pick<Job, '_id' | 'started'> | null, limit: number): Promise<Job[]> {
    const behind = after && [{ started: { $gt: after.started } }, { started: after.started, _id: { $gt: after._id } }];
    const filter = { ...inScope(scope), success: false, ...(behind ? { $or: behind } : {}) } as QueryFilter<Job>;
    return decode((await this.jobs.find(filter).sort({ started: 1, _id: 1 }).limit(limit).lean().exec()) as Job[]);
  }

  /** Deletes the jobs of a deleted org. @param staying types whose jobs stay: all of them, or only the unfinished */
  async deleteAllOf(oid: string, staying: Record<'all' | 'unfinished', readonly string[]>): Promise<void> {
    const some = [{ type: { $in: staying.all } }, { type: { $in: staying.unfinished }, finished: null }];
    await this.jobs.deleteMany({ oid, $nor: some } as QueryFilter<Job>).exec();
  }

  async clearSchedule(jobId: string): Promise<void> {
    await this.jobs.updateOne({ _id: jobId }, { $set: { schedule: null } }).exec();
  }
}
