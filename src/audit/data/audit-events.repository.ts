import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import mongoose, { type Model, type mongo } from 'mongoose';
import { minutes } from '../../common/units/durations.js';
import { rawCollection } from '../../database/raw-collection.js';
import type { Tx } from '../../database/unit-of-work.js';
import { uuid } from '../../database/uuid-codec.js';
import { AuditEvent, type ChangedSetting, type AuditOutcome } from './audit-event.schema.js';

/** A process that says nothing of an entry for so long has died, or may not settle it any more. */
export const HELD_MS = minutes(10);

/**
 * Whoever writes does not wait until the entry is on disk or elsewhere. The database stores and copies writes in their
 * order, so a change that comes after an entry, and survives, has it. What is lost with a machine is then at most the
 * settling of an entry: it becomes `unknown`.
 */
const SOON = { writeConcern: { w: 1 } };

/** What an entry says from its beginning. */
export type NewAuditEntry = Pick<
  AuditEvent,
  'at' | 'oid' | 'actorKind' | 'actor' | 'key' | 'action' | 'targetKind' | 'target' | 'fields' | 'address' | 'requestId'
>;

/** What an entry says at its end. */
export interface Ending {
  readonly outcome: Exclude<AuditOutcome, 'begun'>;
  readonly status: number | null;
  readonly changed?: readonly ChangedSetting[];
  /** What was acted on, where only the change tells it. */
  readonly about?: Pick<AuditEvent, 'targetKind' | 'target'> | null;
  /** The org, where the change makes it. */
  readonly oid?: string | null;
}

/** An entry and how it ended, at what time. */
export interface Settled {
  readonly id: string;
  readonly ending: Ending;
  readonly at: Date;
}

/**
 * Writes the audit log, past Mongoose: every request that changes something waits for it. An entry is settled from
 * `begun` alone, so whoever comes second changes nothing.
 */
@Injectable()
export class AuditEventsRepository {
  /** Whether somebody is to be sent what is settled. */
  private areSent = false;

  constructor(@InjectModel(AuditEvent.name) private readonly events: Model<AuditEvent>) {}

  /** Has every entry that is settled from now on say since when it is to be sent (`sendAt`). */
  sendWhatIsSettled(): void {
    this.areSent = true;
  }

  /** Stores an entry before the change. @returns its id */
  async begin(entry: NewAuditEntry): Promise<string> {
    const _id = new mongoose.mongo.ObjectId();
    const heldUntil = new Date(entry.at.getTime() + HELD_MS);
    await this.collection.insertOne({ _id, ...stored(entry), outcome: 'begun', status: null, heldUntil }, SOON);
    return _id.toHexString();
  }

  /** Settles an entry within the transaction of its change, unless it is settled already. */
  async settle(settled: Settled, tx: Tx): Promise<void> {
    const { filter, update } = this.settling(settled);
    await this.collection.updateOne(filter, update, { session: tx });
  }

  /** Settles entries by one write. @returns how many there were to settle */
  async settleAll(all: readonly Settled[]): Promise<number> {
    const changes = all.map((settled) => ({ updateOne: this.settling(settled) }));
    const { matchedCount } = await this.collection.bulkWrite(changes, { ordered: false, ...SOON });
    return matchedCount;
  }

  /**
   * Corrects the status of what a transaction has settled, when its request was answered otherwise after all.
   * @param foreseen the status that the transaction foresaw
   */
  async answeredOtherwise(id: string, foreseen: number, status: number | null): Promise<void> {
    const _id = new mongoose.mongo.ObjectId(id);
    await this.collection.updateOne({ _id, outcome: 'done', status: foreseen }, { $set: { status } });
  }

  /** Stores an entry of what has happened, or happens in this transaction. */
  async record(entry: NewAuditEntry, { outcome, status, changed }: Ending, tx?: Tx): Promise<void> {
    const _id = new mongoose.mongo.ObjectId();
    const more = changed && changed.length > 0 ? { changed } : {};
    await this.collection.insertOne(
      { _id, ...stored(entry), outcome, status, ...more, ...this.sending(entry.at) },
      tx ? { session: tx } : {},
    );
  }

  /** Says that these go on. What was given up stays so. */
  async hold(ids: readonly string[], now: Date): Promise<void> {
    await this.collection.updateMany(
      { _id: { $in: ids.map((id) => new mongoose.mongo.ObjectId(id)) }, outcome: 'begun' },
      { $set: { heldUntil: new Date(now.getTime() + HELD_MS) } },
    );
  }

  /** Gives up entries that nobody holds, the oldest first. @returns how many were found, up to `limit` */
  async giveUp(now: Date, limit: number): Promise<number> {
    const due = { heldUntil: { $lt: now } };
    const found = await this.collection
      .find(due, { projection: { _id: 1 } })
      .sort({ heldUntil: 1 })
      .limit(limit)
      .toArray();
    if (found.length === 0) return 0;
    await this.collection.updateMany(
      { _id: { $in: found.map(({ _id }) => _id) }, outcome: 'begun', ...due },
      { $set: { outcome: 'unknown', ...this.sending(now) }, $unset: { heldUntil: '' } },
    );
    return found.length;
  }

  private get collection(): mongo.Collection {
    return rawCollection(this.events).collection;
  }

  private settling({ id, ending, at }: Settled) {
    const { outcome, status, changed, about, oid } = ending;
    const target = about?.target ? { ...about } : null;
    const $set = {
      outcome,
      status,
      ...(changed && changed.length > 0 ? { changed } : {}),
      ...target,
      ...(oid ? { oid: uuid(oid) } : {}),
      ...this.sending(at),
    };
    const marked = target ? { $addToSet: { marks: `t:${String(target.target)}` } } : {};
    return {
      filter: { _id: new mongoose.mongo.ObjectId(id), outcome: 'begun' },
      update: { $set, $unset: { heldUntil: '' as const }, ...marked },
    };
  }

  private sending(at: Date): { sendAt?: Date } {
    return this.areSent ? { sendAt: at } : {};
  }
}

const stored = ({ oid, actor, key, action, target, ...entry }: NewAuditEntry) => ({
  ...entry,
  oid: oid && uuid(oid),
  actor: actor && uuid(actor),
  key: key && uuid(key),
  action,
  target,
  marks: [
    ...(actor ? [`u:${actor}`] : []),
    ...(key ? [`k:${key}`] : []),
    `a:${action}`,
    ...(target ? [`t:${target}`] : []),
  ],
});
