import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Clock } from '../../common/clock/clock.js';
import { newId } from '../../common/ids/uuid.js';
import { minutes } from '../../common/units/durations.js';
import { Leases, type Held, type Lease } from '../../database/leases.js';
import type { Tx } from '../../database/unit-of-work.js';
import { decode } from '../../database/uuid-codec.js';
import { FileDeletion } from './file-deletion.schema.js';
import type { StoredFile } from './stored-file.schema.js';

/** The lease of a plan: its holder deletes or keeps the files before it ends, and renews it while working. */
const TERMS = { until: 'leaseUntil', lengthMs: minutes(5), beatMs: minutes(1) };

@Injectable()
export class FileDeletionsRepository {
  readonly leases: Leases<FileDeletion>;

  constructor(
    @InjectModel(FileDeletion.name) private readonly deletions: Model<FileDeletion>,
    clock: Clock,
  ) {
    this.leases = new Leases(deletions, TERMS, clock);
  }

  /**
   * Stores a plan.
   * @param isDue whether any process may carry out the plan at once
   * @returns the caller's lease of the plan; it has already ended when `isDue`
   */
  async plan(
    plan: Pick<FileDeletion, 'oid' | 'attempts'> & { readonly files: readonly StoredFile[] },
    { isDue = false, tx }: { readonly isDue?: boolean; readonly tx?: Tx } = {},
  ): Promise<Lease> {
    const lease = this.leases.begin(newId());
    const { recordId: _id, claimedAt: created, until } = lease;
    await this.insert({ ...plan, _id, files: [...plan.files], created, leaseUntil: isDue ? created : until }, tx);
    return lease;
  }

  async insert(deletion: FileDeletion, tx?: Tx): Promise<void> {
    await this.deletions.insertMany([deletion], { session: tx });
  }

  /** @returns null when another process has claimed the plan, or the plan is gone */
  async find(lease: Lease): Promise<Held<FileDeletion> | null> {
    const record = decode(
      (await this.deletions.findOne(this.leases.proof(lease)).lean().exec()) as FileDeletion | null,
    );
    return record && { record, lease };
  }

  /** Whether an object is being written or waits for its deletion. */
  async isPlanned(filename: string): Promise<boolean> {
    return (await this.deletions.exists({ 'files.filename': filename }).exec()) !== null;
  }

  /** Claims the plan that has been due longest. */
  claimNext(): Promise<Held<FileDeletion> | null> {
    return this.leases.claimNext({ set: { attempts: { $add: ['$attempts', 1] } } });
  }

  /** Removes a plan of the caller's, once its files are deleted or kept. @returns false when another process has it */
  async remove(lease: Lease, tx?: Tx): Promise<boolean> {
    return (await this.deletions.deleteOne(this.leases.proof(lease), { session: tx }).exec()).deletedCount === 1;
  }

  /**
   * Extends the lease of a plan that nobody has claimed, or stores the plan.
   * @throws a duplicate-key error when another process has claimed the plan
   */
  async renewOrInsert(id: string, plan: Pick<FileDeletion, 'oid' | 'files'>, tx: Tx): Promise<void> {
    const { recordId: _id, claimedAt: created, until: leaseUntil } = this.leases.begin(id);
    const update = { $set: { leaseUntil }, $setOnInsert: { ...plan, created } };
    await this.deletions.updateOne({ _id, attempts: 0 }, update, { upsert: true, session: tx }).exec();
  }

  /**
   * Removes a plan that nobody has claimed, so that its files are kept.
   * @returns false when a process has claimed the plan, or the plan is gone
   */
  async withdrawUnclaimed(id: string, tx: Tx): Promise<boolean> {
    const done = await this.deletions.deleteOne({ _id: id, attempts: 0 }, { session: tx }).exec();
    return done.deletedCount === 1;
  }

  /** Removes the plans for this object alone that record no digest of it. */
  async removeStray({ filename, storage }: Pick<StoredFile, 'filename' | 'storage'>): Promise<void> {
    const place = { 'files.storage.name': storage.name, 'files.storage.custom': storage.custom ?? false };
    await this.deletions
      .deleteMany({ 'files.filename': filename, files: { $size: 1 }, 'files.hash': '', ...place })
      .exec();
  }
}
