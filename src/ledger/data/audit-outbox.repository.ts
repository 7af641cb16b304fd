import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { AuditEvent } from '../../audit/data/audit-event.schema.js';
import { Clock } from '../../common/clock/clock.js';
import { minutes } from '../../common/units/durations.js';
import { FREE_LEASE, Leases, type Held, type Lease } from '../../database/leases.js';
import { findRows } from '../../database/read-rows.js';
import { AuditReceiver } from './audit-receiver.schema.js';

/** One batch takes as long as a receiver may take to answer. */
const TERMS = { until: 'leaseUntil', holder: 'holder', due: 'dueAt', lengthMs: minutes(2), beatMs: minutes(0.5) };
/** An entry is visible this long after the time that it says at the latest; transactions last a minute. */
const LATE_MS = minutes(10);

/** Entries that receivers have not got yet. */
@Injectable()
export class AuditOutboxRepository {
  readonly leases: Leases<AuditReceiver>;

  constructor(
    @InjectModel(AuditReceiver.name) private readonly receivers: Model<AuditReceiver>,
    @InjectModel(AuditEvent.name) private readonly events: Model<AuditEvent>,
    private readonly clock: Clock,
  ) {
    this.leases = new Leases(receivers, TERMS, clock);
  }

  /** Begins to send to these. Those that are there stay as they are. */
  async begin(names: readonly string[]): Promise<void> {
    const free = { dueAt: this.clock.now(), leaseUntil: FREE_LEASE, holder: null };
    const fresh = { $setOnInsert: { ...free, sentUpTo: null, failures: 0 } };
    const operations = names.map((_id) => ({ updateOne: { filter: { _id }, update: fresh, upsert: true } }));
    if (operations.length > 0) await this.receivers.collection.bulkWrite(operations as never, { ordered: false });
  }

  claimNext(names: readonly string[]): Promise<Held<AuditReceiver> | null> {
    return this.leases.claimNext({ where: { _id: { $in: [...names] } } });
  }

  /** The next entries for a receiver, in the order in which they were settled. */
  async next({ _id, sentUpTo }: AuditReceiver, limit: number): Promise<AuditEvent[]> {
    const from = sentUpTo === null ? new Date(0) : new Date(sentUpTo.getTime() - LATE_MS);
    const filter = { sendAt: { $exists: true, $gte: from }, sentTo: { $ne: _id } } as QueryFilter<AuditEvent>;
    return findRows(this.events, filter, { sort: { sendAt: 1 }, limit });
  }

  /** Notes that the receiver has these. @param names all that are to get them */
  async sent({ recordId }: Lease, events: readonly AuditEvent[], names: readonly string[]): Promise<void> {
    const got = { $setUnion: [{ $ifNull: ['$sentTo', []] }, [recordId]] };
    const byAll = { $setIsSubset: [[...names], '$sentTo'] };
    await this.events
      .updateMany(
        { _id: { $in: events.map(({ _id }) => _id) } },
        [
          { $set: { sentTo: got } },
          {
            $set: {
              sendAt: { $cond: [byAll, '$$REMOVE', '$sendAt'] },
              sentTo: { $cond: [byAll, '$$REMOVE', '$sentTo'] },
            },
          },
        ] as never,
        { updatePipeline: true },
      )
      .exec();
  }

  /** Ends the work on a receiver until `dueAt`. */
  async giveBack(lease: Lease, dueAt: Date, known: Pick<AuditReceiver, 'sentUpTo' | 'failures'>): Promise<void> {
    await this.leases.giveBack([lease], dueAt, { $set: known });
  }
}
