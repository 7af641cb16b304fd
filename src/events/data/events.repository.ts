import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, mongo } from 'mongoose';
import { Clock } from '../../common/clock/clock.js';
import { seconds } from '../../common/units/durations.js';
import { Leases, type Held } from '../../database/leases.js';
import type { Tx } from '../../database/unit-of-work.js';
import { decode } from '../../database/uuid-codec.js';
import { nextTimestamp } from '../../database/fact-order.js';
import { StoredEvent } from './stored-event.schema.js';

/** The lease is renewed while an event is told. A dead process delays the event by `lengthMs`. */
const TERMS = { until: 'leaseUntil', lengthMs: seconds(20), beatMs: seconds(5) };

@Injectable()
export class EventsRepository {
  readonly leases: Leases<StoredEvent>;

  constructor(
    @InjectModel(StoredEvent.name) private readonly events: Model<StoredEvent>,
    clock: Clock,
  ) {
    this.leases = new Leases(events, TERMS, clock);
  }

  async record(begun: readonly Held<StoredEvent>[], tx: Tx): Promise<void> {
    const stored = begun.map(({ record }) => ({ ...record, order: nextTimestamp() }));
    if (stored.length > 0) await this.events.insertMany(stored, { session: tx });
  }

  /** Claims the event whose lease ended longest ago. */
  claim(): Promise<Held<StoredEvent> | null> {
    return this.leases.claimNext({ set: { attempts: { $add: ['$attempts', 1] } } });
  }

  /** The order that the database gave a fact; undefined when it was told and removed meanwhile. */
  async orderOf(id: string): Promise<mongo.Timestamp | undefined> {
    return (await this.events.findById(id, { order: 1 }).lean().exec())?.order;
  }

  /** Earlier facts of the same subject that the listener has not been told yet, in order. */
  async earlierFor(listener: string, subject: string, order: mongo.Timestamp, max: number): Promise<StoredEvent[]> {
    const filter = { subject, order: { $lt: order }, pending: listener };
    return decode((await this.events.find(filter).sort({ order: 1 }).limit(max).lean().exec()) as StoredEvent[]);
  }

  async handledBy(id: string, listener: string): Promise<void> {
    await this.events.updateOne({ _id: id }, { $pull: { pending: listener } }).exec();
  }

  async remove(id: string): Promise<void> {
    await this.events.deleteOne({ _id: id }).exec();
  }
}
