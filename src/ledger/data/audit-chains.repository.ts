import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Clock } from '../../common/clock/clock.js';
import { minutes } from '../../common/units/durations.js';
import { FREE_LEASE, Leases, type Held, type Lease } from '../../database/leases.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { decode, uuid } from '../../database/uuid-codec.js';
import type { StoredFile } from '../../objects/data/stored-file.schema.js';
import { AuditChain } from './audit-chain.schema.js';
import { AuditDay } from './audit-day.schema.js';
import { chainOf, FIRST_DIGEST, type AuditCheckpoint } from './chain.facts.js';

/** A day's file is written within one lease or several, which are renewed meanwhile. */
const TERMS = { until: 'leaseUntil', holder: 'holder', due: 'dueAt', lengthMs: minutes(5), beatMs: minutes(1) };

@Injectable()
export class AuditChainsRepository {
  readonly leases: Leases<AuditChain>;

  constructor(
    @InjectModel(AuditChain.name) private readonly chains: Model<AuditChain>,
    @InjectModel(AuditDay.name) private readonly days: Model<AuditDay>,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {
    this.leases = new Leases(chains, TERMS, clock);
  }

  /** Begins the chains of these orgs. Those that are there stay as they are. @param oids null: no org */
  async begin(oids: readonly (string | null)[]): Promise<void> {
    if (oids.length === 0) return;
    const fields = { day: null, digest: FIRST_DIGEST, checkpoint: null, writing: null, holder: null };
    const fresh = { ...fields, dueAt: this.clock.now(), leaseUntil: FREE_LEASE };
    const operations = oids.map((oid) => ({
      updateOne: {
        filter: { _id: chainOf(oid) },
        update: { $setOnInsert: { ...fresh, oid: oid === null ? null : uuid(oid) } },
        upsert: true,
      },
    }));
    await this.chains.collection.bulkWrite(operations as never, { ordered: false });
  }

  claimNext(): Promise<Held<AuditChain> | null> {
    return this.leases.claimNext();
  }

  async find(oid: string | null): Promise<AuditChain | null> {
    return decode(
      (await this.chains
        .findOne({ _id: chainOf(oid) })
        .lean()
        .exec()) as AuditChain | null,
    );
  }

  /** All chains, by their ids. */
  async *all(): AsyncGenerator<AuditChain> {
    for await (const one of this.chains.find().sort({ _id: 1 }).lean().cursor({ batchSize: 100 }))
      yield decode(one as AuditChain);
  }

  /** Notes the file that is about to be written. @returns false when another process has the chain */
  async plan(lease: Lease, writing: StoredFile): Promise<boolean> {
    return this.change(lease, { writing });
  }

  /**
   * Records a closed day and moves the chain's end to it.
   * @returns false when another process has the chain; nothing has changed
   */
  async close(lease: Lease, closed: AuditDay): Promise<boolean> {
    return this.unitOfWork.run(async (session) => {
      const ended = { digest: closed.previous, day: { $not: { $gte: closed.day } } };
      const end = { day: closed.day, digest: closed.digest, writing: null };
      const filter = { ...this.leases.proof(lease), ...ended };
      const moved = await this.chains.updateOne(filter as never, { $set: end }, { session }).exec();
      if (moved.matchedCount === 0) return false;
      await this.days.insertMany([closed], { session });
      return true;
    });
  }

  /** Records the end of what is cut from now on. @returns false when another process has the chain */
  async cut(lease: Lease, checkpoint: AuditCheckpoint): Promise<boolean> {
    return this.change(lease, { checkpoint });
  }

  private async change(lease: Lease, fields: Partial<AuditChain>): Promise<boolean> {
    return (await this.chains.updateOne(this.leases.proof(lease), { $set: fields }).exec()).matchedCount === 1;
  }
}
