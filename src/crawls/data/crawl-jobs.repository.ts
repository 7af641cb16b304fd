import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, UpdateQuery } from 'mongoose';
import type { Tx } from '../../database/unit-of-work.js';
import { decode, uuid } from '../../database/uuid-codec.js';
import { CrawlJob } from './crawl-job.schema.js';

/** A claimed job: what it was when claimed, and the proof of the claim. */
export interface HeldJob {
  readonly job: CrawlJob;
  readonly leaseId: string;
  readonly claimedAt: Date;
}

/** Who holds a job, and how long unless it is renewed. */
export interface Lease {
  readonly leaseUntil: Date;
  readonly leaseId: string;
}

type JobChange = Pick<UpdateQuery<CrawlJob>, '$set' | '$inc'>;

/** Jobs by id, and the claiming of due ones. */
@Injectable()
export class CrawlJobsRepository {
  constructor(@InjectModel(CrawlJob.name) private readonly jobs: Model<CrawlJob>) {}

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
   * Claims jobs that are due and that nobody holds, the longest due first.
   * @returns those that no other process claimed at the same time; `more`: there may be further ones
   */
  async claimDue(now: Date, lease: Lease, limit: number): Promise<{ held: HeldJob[]; more: boolean }> {
    const due = { dueAt: { $lte: now }, leaseUntil: { $lte: now } };
    const candidates = await this.jobs
      .find(due, { _id: 1 }, { sort: { dueAt: 1 }, limit })
      .lean()
      .exec();
    if (candidates.length === 0) return { held: [], more: false };
    const ids = candidates.map(({ _id }) => _id);
    await this.jobs.updateMany({ ...due, _id: { $in: ids } }, { $set: lease }).exec();
    const won = { _id: { $in: ids }, leaseId: lease.leaseId };
    const jobs = decode(
      (await this.jobs
        .find(won, null, { sort: { dueAt: 1 }, limit })
        .lean()
        .exec()) as CrawlJob[],
    );
    return {
      held: jobs.map((job) => ({ job, leaseId: lease.leaseId, claimedAt: now })),
      more: candidates.length === limit,
    };
  }

  /** Claims one job, due or not. @returns null when somebody holds it */
  async claimOne(jobId: string, now: Date, lease: Lease): Promise<HeldJob | null> {
    const found = await this.jobs
      .findOneAndUpdate({ _id: jobId, leaseUntil: { $lte: now } }, { $set: lease }, { returnDocument: 'after' })
      .lean()
      .exec();
    const job = decode(found as CrawlJob | null);
    return job ? { job, leaseId: lease.leaseId, claimedAt: now } : null;
  }

  /** Keeps leases from running out while the jobs are looked at. Those that were lost stay lost. */
  async renewAll(held: readonly HeldJob[], leaseUntil: Date): Promise<void> {
    const ids = held.map(({ job }) => job._id);
    const leases = [...new Set(held.map(({ leaseId }) => leaseId))];
    await this.jobs.updateMany({ _id: { $in: ids }, leaseId: { $in: leases } }, { $set: { leaseUntil } }).exec();
  }

  /** @returns false when the lease was lost */
  async renew({ job, leaseId }: HeldJob, leaseUntil: Date): Promise<boolean> {
    const done = await this.jobs.updateOne({ _id: job._id, leaseId }, { $set: { leaseUntil } }).exec();
    return done.matchedCount === 1;
  }

  /** Lets go of a job; it is due at `dueAt`, or now when somebody asked for an evaluation since it was claimed. */
  async release(
    { job, leaseId, claimedAt }: HeldJob,
    { dueAt, failures }: { dueAt: Date; failures: number },
    now: Date,
  ): Promise<void> {
    const nudged = { $gt: ['$nudgedAt', claimedAt] };
    await this.jobs
      .updateOne(
        { _id: job._id, leaseId },
        [{ $set: { leaseUntil: now, leaseId: null, failures, dueAt: { $cond: [nudged, now, dueAt] } } }],
        { updatePipeline: true },
      )
      .exec();
  }

  /** A change by whoever holds the job. @returns false when the lease was lost */
  async change({ job, leaseId }: HeldJob, update: JobChange, tx?: Tx): Promise<boolean> {
    const done = await this.jobs.updateOne({ _id: job._id, leaseId }, update, { session: tx }).exec();
    return done.matchedCount === 1;
  }

  /** A wish of a user for a job that is not ended; the job is due at once. @returns false: there is no such job */
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

  /** Ends all jobs of an item that is being deleted: what they run is torn down. */
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

  /** Forgets a job whose teardown is done. @returns false when the lease was lost */
  async remove({ job, leaseId }: HeldJob): Promise<boolean> {
    return (await this.jobs.deleteOne({ _id: job._id, leaseId }).exec()).deletedCount === 1;
  }
}
