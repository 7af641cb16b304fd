import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Clock } from '../../common/clock/clock.js';
import { seconds } from '../../common/units/durations.js';
import { FREE_LEASE, Leases, type Held, type Lease } from '../../database/leases.js';
import { isDuplicateKey, OrgScoped } from '../../database/org-scoped.js';
import { DedupeCopy } from './dedupe-copy.schema.js';
import type { IndexKey } from './dedupe-sources.repository.js';

/** A crawl waits for its copy, so another process has it soon when one dies. */
const TERMS = { until: 'leaseUntil', due: 'dueAt', lengthMs: seconds(20), beatMs: seconds(5) };

/** The copies of dedupe indexes that are kept up for crawls. */
@Injectable()
export class DedupeCopiesRepository {
  readonly leases: Leases<DedupeCopy>;
  private readonly copies: OrgScoped<DedupeCopy>;

  constructor(
    @InjectModel(DedupeCopy.name) model: Model<DedupeCopy>,
    private readonly clock: Clock,
  ) {
    this.leases = new Leases(model, TERMS, clock);
    this.copies = new OrgScoped(model);
  }

  /** Whether the crawl's copy was filled once; null when nobody wants one. */
  async isReady(oid: string, crawlId: string): Promise<boolean | null> {
    return (await this.copies.findOne(oid, { _id: crawlId }))?.ready ?? null;
  }

  /** Wants a copy for the crawl from now on. */
  async want({ oid, collectionId }: IndexKey, crawlId: string): Promise<void> {
    const fresh = { collectionId, ready: false, dueAt: this.clock.now(), leaseUntil: FREE_LEASE };
    try {
      await this.copies.insert(oid, { _id: crawlId, ...fresh });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }

  /** Makes the copies of an index due, since the index has changed. */
  async setDue({ oid, collectionId }: IndexKey): Promise<void> {
    await this.copies.updateMany(oid, { collectionId }, { $set: { dueAt: this.clock.now() } });
  }

  claimNext(): Promise<Held<DedupeCopy> | null> {
    return this.leases.claimNext();
  }

  /** Ends a look at a copy. */
  async looked(lease: Lease, { ready, dueAt }: Pick<DedupeCopy, 'ready' | 'dueAt'>): Promise<void> {
    await this.leases.giveBack([lease], dueAt, { $set: { ready } });
  }

  /** Forgets the copy of a crawl that has ended. */
  async drop(oid: string, crawlId: string): Promise<void> {
    await this.copies.deleteMany(oid, { _id: crawlId });
  }

  async deleteAllOf(oid: string): Promise<void> {
    await this.copies.deleteMany(oid, {});
  }
}
