import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { Tx } from '../../database/unit-of-work.js';
import { decode } from '../../database/uuid-codec.js';
import { FileDeletion } from './file-deletion.schema.js';
import type { StoredFile } from './stored-file.schema.js';

@Injectable()
export class FileDeletionsRepository {
  constructor(@InjectModel(FileDeletion.name) private readonly deletions: Model<FileDeletion>) {}

  async insert(deletion: FileDeletion, tx?: Tx): Promise<void> {
    await this.deletions.insertMany([deletion], { session: tx });
  }

  async find(id: string): Promise<FileDeletion | null> {
    return decode((await this.deletions.findOne({ _id: id }).lean().exec()) as FileDeletion | null);
  }

  /** Whether an object is being written, or waits for its deletion. */
  async isPlanned(filename: string): Promise<boolean> {
    return (await this.deletions.exists({ 'files.filename': filename }).exec()) !== null;
  }

  /** Claims the oldest that nobody works on. */
  async claimDue(now: Date, leaseUntil: Date): Promise<FileDeletion | null> {
    const claimed = await this.deletions
      .findOneAndUpdate(
        { leaseUntil: { $lte: now } },
        { $set: { leaseUntil }, $inc: { attempts: 1 } },
        { sort: { leaseUntil: 1 }, returnDocument: 'after' },
      )
      .lean()
      .exec();
    return decode(claimed as FileDeletion | null);
  }

  /** Keeps the files that are still there, all of them when null, for another try after `leaseUntil`. */
  async postpone(id: string, files: FileDeletion['files'] | null, leaseUntil: Date): Promise<void> {
    await this.deletions.updateOne({ _id: id }, { $set: { ...(files ? { files } : {}), leaseUntil } }).exec();
  }

  /** Moves the lease on. @returns false when somebody else has claimed the plan meanwhile */
  async renew(id: string, lease: Date, leaseUntil: Date): Promise<boolean> {
    const done = await this.deletions.updateOne({ _id: id, leaseUntil: lease }, { $set: { leaseUntil } }).exec();
    return done.matchedCount === 1;
  }

  /** Drops a plan whose lease is still ours: its files are kept. @returns false when somebody else has claimed it */
  async withdraw(id: string, lease: Date, tx: Tx): Promise<boolean> {
    const done = await this.deletions.deleteOne({ _id: id, leaseUntil: lease }, { session: tx }).exec();
    return done.deletedCount === 1;
  }

  /**
   * Moves on the lease of a plan that nobody has claimed, or stores it.
   * @throws a duplicate key when somebody has claimed it
   */
  async renewOrInsert({ _id, oid, files, created, leaseUntil }: FileDeletion, tx: Tx): Promise<void> {
    const update = { $set: { leaseUntil }, $setOnInsert: { oid, files, created } };
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

  async remove(id: string): Promise<void> {
    await this.deletions.deleteOne({ _id: id }).exec();
  }
}
