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

/** Whoever planned a deletion carries it out, or keeps the files, within this; renewed while he is at it. */
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

  /** @param isDue anybody may carry it out at once. @returns the plan, as the caller's; it is over when `isDue` */
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

  /** @returns null when somebody else has it, or it is gone */
  async find(lease: Lease): Promise<Held<FileDeletion> | null> {
    const record = decode(
      (await this.deletions.findOne(this.leases.proof(lease)).lean().exec()) as FileDeletion | null,
    );
    return record && { record, lease };
  }

  /** Whether an object is being written, or waits for its deletion. */
  async isPlanned(filename: string): Promise<boolean> {
    return (await this.deletions.exists({ 'files.filename': filename }).exec()) !== null;
  }

  /** Claims the oldest that nobody works on. */
  claimNext(): Promise<Held<FileDeletion> | null> {
    return this.leases.claimNext({ set: { attempts: { $add: ['$attempts', 1] } } });
  }

  /** Drops a plan that is the caller's: its files are gone, or kept. @returns false when somebody else has it */
  async remove(lease: Lease, tx?: Tx): Promise<boolean> {
    return (await this.deletions.deleteOne(this.leases.proof(lease), { session: tx }).exec()).deletedCount === 1;
  }

  /**
   * Moves on the lease of a plan that nobody has claimed, or stores it.
   * @throws a duplicate key when somebody has claimed it
   */
  async renewOrInsert(id: string, plan: Pick<FileDeletion, 'oid' | 'files'>, tx: Tx): Promise<void> {
    const { recordId: _id, claimedAt: created, until: leaseUntil } = this.leases.begin(id);
    const update = { $set: { leaseUntil }, $setOnInsert: { ...plan, created } };
    await this.deletions.updateOne({ _id, attempts: 0 }, update, { upsert: true, session: tx }).exec();
  }

  /** Drops a plan that nobody has claimed: its files are kept. @returns false when somebody has, or it is gone */
  async withdrawUnclaimed(id: string, tx: Tx): Promise<boolean> {
    const done = await this.deletions.deleteOne({ _id: id, attempts: 0 }, { session: tx }).exec();
    return done.deletedCount === 1;
  }

  /** Drops plans for this object alone that tell nothing of its contents. */
  async removeStray({ filename, storage }: Pick<StoredFile, 'filename' | 'storage'>): Promise<void> {
    const place = { 'files.storage.name': storage.name, 'files.storage.custom': storage.custom ?? false };
    await this.deletions
      .deleteMany({ 'files.filename': filename, files: { $size: 1 }, 'files.hash': '', ...place })
      .exec();
  }
}
