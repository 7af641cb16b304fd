import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { Clock } from '../../common/clock/clock.js';
import { seconds } from '../../common/units/durations.js';
import { type Failing, triedAgain } from '../../database/failing.js';
import { Leases } from '../../database/leases.js';
import { OrgScoped } from '../../database/org-scoped.js';
import type { Tx } from '../../database/unit-of-work.js';
import { decode } from '../../database/uuid-codec.js';
import type { StoredFile } from '../../objects/data/stored-file.schema.js';
import { ResumableUpload } from './resumable-upload.schema.js';

/** The lease of the writing request. Renewals are frequent, so that it soon hears of a waiting request. */
const TERMS = {
  ...{ until: 'lockedUntil', holder: 'lockOwner', wanted: 'isLockWanted' },
  ...{ lengthMs: seconds(30), beatMs: seconds(1) },
};

@Injectable()
export class ResumableUploadsRepository {
  readonly leases: Leases<ResumableUpload>;
  private readonly uploads: OrgScoped<ResumableUpload>;

  constructor(
    @InjectModel(ResumableUpload.name) private readonly model: Model<ResumableUpload>,
    clock: Clock,
  ) {
    this.uploads = new OrgScoped(model);
    this.leases = new Leases(model, TERMS, clock);
  }

  async insert(oid: string, upload: Omit<ResumableUpload, 'oid'>): Promise<void> {
    await this.uploads.insert(oid, upload);
  }

  async find(oid: string, id: string): Promise<ResumableUpload | null> {
    return this.uploads.findOne(oid, { _id: id });
  }

  /** How many of the org's uploads are not complete. */
  async countOpen(oid: string, limit: number): Promise<number> {
    return this.uploads.count(oid, { itemId: null }, { limit });
  }

  /** @returns false when the upload is gone, complete, or no longer as long as `offset` */
  async append(
    oid: string,
    id: string,
    { offset, piece, expires }: { offset: number; piece: StoredFile; expires: Date },
    tx: Tx,
  ): Promise<boolean> {
    const change = { $push: { pieces: piece }, $inc: { offset: piece.size }, $set: { expires } };
    return (await this.uploads.updateOne(oid, { _id: id, offset, itemId: null }, change, { tx })).matched === 1;
  }

  /** Gives the pieces to the item. @returns false when the upload was gone or complete before */
  async complete(
    oid: string,
    id: string,
    { itemId, expires }: { itemId: string; expires: Date },
    tx: Tx,
  ): Promise<boolean> {
    const change = { $set: { itemId, expires, pieces: [] } };
    return (await this.uploads.updateOne(oid, { _id: id, itemId: null }, change, { tx })).matched === 1;
  }

  /** @returns the upload before its deletion, or null when it was gone */
  async take(oid: string, id: string, tx: Tx): Promise<ResumableUpload | null> {
    return this.uploads.findOneAndDelete(oid, { _id: id }, tx);
  }

  async listOf(oid: string, limit: number): Promise<ResumableUpload[]> {
    return this.uploads.find(oid, {}, { limit });
  }

  /** Expired uploads of all orgs, those that expired first. */
  async findExpiredAcrossOrgs(now: Date, limit: number): Promise<Pick<ResumableUpload, '_id' | 'oid' | 'failing'>[]> {
    const query = this.model
      .find({ expires: { $lt: now }, ...triedAgain(now) } as QueryFilter<ResumableUpload>, { oid: 1, failing: 1 })
      .sort({ expires: 1 })
      .limit(limit);
    return decode((await query.lean().exec()) as Pick<ResumableUpload, '_id' | 'oid' | 'failing'>[]);
  }

  /** Records on an upload why it could not be deleted. */
  async setFailing(oid: string, id: string, failing: Failing): Promise<void> {
    await this.uploads.updateOne(oid, { _id: id }, { $set: { failing } });
  }
}
