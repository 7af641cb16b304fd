import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Clock } from '../../common/clock/clock.js';
import { minutes } from '../../common/units/durations.js';
import { NEVER } from '../../database/failing.js';
import { FREE_LEASE, Leases, type Held, type Lease } from '../../database/leases.js';
import { decode, uuid } from '../../database/uuid-codec.js';
import { FileSeal } from './file-seal.schema.js';

/** A seal takes one look at the file's end and one request to the authority. */
const TERMS = { until: 'leaseUntil', due: 'dueAt', lengthMs: minutes(5), beatMs: minutes(1) };
const FIRST_WAIT_MS = minutes(1);
const LONGEST_WAIT_MS = minutes(360);
const KEPT_PROBLEM = 500;
/** Item lists have no more files. */
const MOST_SEALS = 10_000;

@Injectable()
export class FileSealsRepository {
  readonly leases: Leases<FileSeal>;

  constructor(
    @InjectModel(FileSeal.name) private readonly seals: Model<FileSeal>,
    private readonly clock: Clock,
  ) {
    this.leases = new Leases(seals, TERMS, clock);
  }

  /** Wants seals for these files of an item. Those that are there stay as they are. */
  async want(oid: string, itemId: string, filenames: readonly string[]): Promise<void> {
    if (filenames.length === 0) return;
    const fields = { oid: uuid(oid), itemId, signedData: null, timeStamp: null, attempts: 0, problem: null };
    const fresh = { ...fields, dueAt: this.clock.now(), leaseUntil: FREE_LEASE };
    const operations = filenames.map((filename) => ({
      updateOne: {
        filter: { _id: `${itemId}/${filename}` },
        update: { $setOnInsert: { ...fresh, filename } },
        upsert: true,
      },
    }));
    await this.seals.collection.bulkWrite(operations as never, { ordered: false });
  }

  claimNext(): Promise<Held<FileSeal> | null> {
    return this.leases.claimNext();
  }

  /** Stores what was made so far. @returns false when another process has the work */
  async keep(lease: Lease, made: Partial<Pick<FileSeal, 'signedData' | 'timeStamp'>>): Promise<boolean> {
    return (await this.seals.updateOne(this.leases.proof(lease), { $set: made }).exec()).matchedCount === 1;
  }

  /** Ends the work on a seal for good. */
  async finish(lease: Lease): Promise<void> {
    await this.leases.giveBack([lease], NEVER, { $set: { problem: null } });
  }

  /** Ends work that left nothing to keep. */
  async drop(lease: Lease): Promise<void> {
    await this.seals.deleteOne(this.leases.proof(lease)).exec();
  }

  /** Lets the work be tried again, later after every failure, and without end. */
  async retry(lease: Lease, attempts: number, problem: string): Promise<void> {
    const wait = Math.min(FIRST_WAIT_MS * 2 ** Math.min(attempts, 20), LONGEST_WAIT_MS);
    const at = new Date(this.clock.nowMs() + wait);
    await this.leases.giveBack([lease], at, {
      $set: { problem: problem.slice(0, KEPT_PROBLEM) },
      $inc: { attempts: 1 },
    });
  }

  /** The seals of an item, by the names of the files. */
  async of(oid: string, itemId: string): Promise<Map<string, FileSeal>> {
    const found = this.seals.find({ oid: uuid(oid) as never, itemId }, null, { limit: MOST_SEALS }).lean();
    const seals = decode((await found.exec()) as FileSeal[]);
    return new Map(seals.map((one) => [one.filename, one]));
  }

  async deleteOf(oid: string, itemId: string): Promise<void> {
    await this.seals.deleteMany({ oid: uuid(oid) as never, itemId }).exec();
  }
}
