import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, UpdateQuery } from 'mongoose';
import { Clock } from '../../common/clock/clock.js';
import { seconds } from '../../common/units/durations.js';
import { Leases, type Lease } from '../../database/leases.js';
import type { Tx } from '../../database/unit-of-work.js';
import { decode, uuid } from '../../database/uuid-codec.js';
import { CrawlJob } from './crawl-job.schema.js';
import { HeldRun } from './held-run.js';

/**
 * A process that dies holds its jobs for the length of the lease at most, so that other processes have them within ten
 * seconds. The lease is renewed while a job is looked at, which may take longer.
 */
const TERMS = { until: 'leaseUntil', holder: 'leaseId', due: 'dueAt', lengthMs: seconds(8), beatMs: seconds(2) };

/** Jobs by id, and the claiming of due ones. */
@Injectable()
export class CrawlJobsRepository {
  readonly leases: Leases<CrawlJob>;

  constructor(
    @InjectModel(CrawlJob.name) private readonly jobs: Model<CrawlJob>,
    clock: Clock,
  ) {
    this.leases = new Leases(jobs, TERMS, clock);
  }

  /** @throws the driver's duplicate-key error when the workflow, or the crawl for a QA run, has an active job */
  async insert(job: CrawlJob, tx?: Tx): Promise<void> {
    await this.jobs.insertMany([job], { session: tx });
  }

  async find(oid: string, jobId: string): Promise<CrawlJob | null> {
    return decode((await this.jobs.findOne({ _id: jobId, oid }).lean().exec()) as CrawlJob | null);
  }

  /** The given ids that have a job. */
  async existing(jobIds: readonly string[]): Promise<Set<string>> {
    const found = await this.jobs
      .find({ _id: { $in: [...jobIds] } }, { _id: 1 }, { limit: jobIds.length })
      .lean()
      .exec();
    return new Set(found.map(({ _id }) => _id));
  }

  /**
   * Claims jobs that are due and that no process holds, the longest due first.
   * @returns those that no other process claimed at the same time; `more`: there may be further ones
   */
  async claimDue(limit: number): Promise<{ held: HeldRun[]; more: boolean }> {
    const { held, found } = await this.leases.claimDue(limit);
    return { held: held.map((one) => new HeldRun(one, this)), more: found === limit };
  }

  /** Claims one job, due or not. @returns null when another process holds it, or it is gone */
  async claimOne(jobId: string): Promise<HeldRun | null> {
    const held = await this.leases.claimOne(jobId);
    return held && new HeldRun(held, this);
  }

  /** Releases a job. It is due at `dueAt`, or now when an evaluation was asked for since it was claimed. */
  async release(lease: Lease, { dueAt, failures }: { dueAt: Date; failures: number }, now: Date): Promise<void> {
    const nudged = { $gt: ['$nudgedAt', lease.claimedAt] };
    await this.jobs
      .updateOne(
        this.leases.proof(lease),
        [{ $set: { ...this.leases.freed, failures, dueAt: { $cond: [nudged, now, dueAt] } } }],
        { updatePipeline: true },
      )
      .exec();
  }

  /** Changes a job that this process holds. @returns false when the lease was lost */
  async change(lease: Lease, set: Partial<CrawlJob>, tx?: Tx): Promise<boolean> {
    const update = { $set: set } as UpdateQuery<CrawlJob>;
    return (await this.jobs.updateOne(this.leases.proof(lease), update, { session: tx }).exec()).matchedCount === 1;
  }

  /**
   * Records a user's wish for an active job, and makes the job due at once.
   * @returns false when there is no such job
   */
  async ask(oid: string, jobId: string, wish: Partial<CrawlJob>, now: Date, tx?: Tx): Promise<boolean> {
    const done = await this.jobs
      .updateOne(
        { _id: jobId, oid, active: true },
        { $set: { ...wish, dueAt: now, nudgedAt: now } } as UpdateQuery<CrawlJob>,
        { session: tx },
      )
      .exec();
    return done.matchedCount === 1;
  }

  /** Ends all jobs of an item that is being deleted. Their runs are torn down. */
  async abandonOf(oid: string, crawlId: string, now: Date, tx: Tx): Promise<void> {
    const set = { active: false, cancelRequested: true, dueAt: now, nudgedAt: now };
    await this.jobs.updateMany({ oid, crawlId }, { $set: set } as UpdateQuery<CrawlJob>, { session: tx }).exec();
  }

  /** Makes a job due now. */
  async nudge(jobId: string, now: Date): Promise<void> {
    await this.jobs.updateOne({ _id: jobId }, { $set: { dueAt: now, nudgedAt: now } }).exec();
  }

  /** Bytes that the org's other active jobs have collected and not yet registered as files. */
  async pendingBytesOfOthers(oid: string, jobId: string): Promise<number> {
    const [row] = await this.jobs.aggregate<{ bytes: number }>([
      { $match: { oid: uuid(oid), active: true, _id: { $ne: jobId } } },
      { $group: { _id: null, bytes: { $sum: '$sizePending' } } },
    ]);
    return decode(row)?.bytes ?? 0;
  }

  /** Whether an active crawl writes to this dedupe index. */
  async usesDedupeIndex(oid: string, collectionId: string): Promise<boolean> {
    return (await this.jobs.exists({ oid, dedupeCollId: collectionId, active: true })) !== null;
  }

  /** Deletes a job whose teardown is done. @returns false when the lease was lost */
  async remove(lease: Lease): Promise<boolean> {
    return (await this.jobs.deleteOne(this.leases.proof(lease)).exec()).deletedCount === 1;
  }
}
