import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, mongo } from 'mongoose';
import type { Tx } from '../../database/unit-of-work.js';
import { decode } from '../../database/uuid-codec.js';
import { nextTimestamp } from '../../database/fact-order.js';
import { StoredEvent } from './stored-event.schema.js';

@Injectable()
export class EventsRepository {
  constructor(@InjectModel(StoredEvent.name) private readonly events: Model<StoredEvent>) {}

  async record(events: StoredEvent[], tx: Tx): Promise<void> {
    const stored = events.map((event) => ({ ...event, order: nextTimestamp() }));
    if (stored.length > 0) await this.events.insertMany(stored, { session: tx });
  }

  /** Claims the oldest event whose lease has run out. */
  async claimExpired(now: Date, leaseUntil: Date): Promise<StoredEvent | null> {
    const claimed = await this.events
      .findOneAndUpdate(
        { leaseUntil: { $lt: now } },
        { $set: { leaseUntil }, $inc: { attempts: 1 } },
        { sort: { leaseUntil: 1 }, returnDocument: 'after' },
      )
      .lean()
      .exec();
    return decode(claimed as StoredEvent | null);
  }

  /** What the database gave a fact; undefined when it was told and removed meanwhile. */
  async orderOf(id: string): Promise<mongo.Timestamp | undefined> {
    return (await this.events.findById(id, { order: 1 }).lean().exec())?.order;
  }

  /** Earlier facts of the same subject that the listener has still to be told, in their order. */
  async earlierFor(listener: string, subject: string, order: mongo.Timestamp, max: number): Promise<StoredEvent[]> {
    const filter = { subject, order: { $lt: order }, pending: listener };
    return decode((await this.events.find(filter).sort({ order: 1 }).limit(max).lean().exec()) as StoredEvent[]);
  }

  /** Keeps events that are being told from other processes. */
  async renew(ids: readonly string[], leaseUntil: Date): Promise<void> {
    await this.events.updateMany({ _id: { $in: [...ids] } }, { $set: { leaseUntil } }).exec();
  }

  async handledBy(id: string, listener: string): Promise<void> {
    await this.events.updateOne({ _id: id }, { $pull: { pending: listener } }).exec();
  }

  async remove(id: string): Promise<void> {
    await this.events.deleteOne({ _id: id }).exec();
  }

  /** Lets others try from `leaseUntil` on. */
  async postpone(id: string, leaseUntil: Date): Promise<void> {
    await this.events.updateOne({ _id: id }, { $set: { leaseUntil } }).exec();
  }
}
