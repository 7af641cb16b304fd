import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { newId } from '../../common/ids/uuid.js';
import { ORDERS_PER_MS } from '../../database/fact-order.js';
import { isDuplicateKey, OrgScoped } from '../../database/org-scoped.js';
import { decode, uuid, uuids } from '../../database/uuid-codec.js';
import { Notification, type DeliveryPlan, type DeliveryTry } from './notification.schema.js';

/** Tries that are kept with a notification; two overall attempts and a bit. */
const KEPT_TRIES = 12;
const NOBODY = { 'plan.leaseUntil': new Date(0), 'plan.claim': null };

/** What came of one try of a claimed notification. */
export interface Outcome {
  readonly id: string;
  /** The claim that the try was made under; without it nothing is written. */
  readonly claim: string;
  /** The next try; null when the overall attempt is over. */
  readonly next: DeliveryPlan | null;
  /** Null when nothing was sent. */
  readonly made: DeliveryTry | null;
  readonly succeeded: boolean;
  /** Whether this try is the first that counts the overall attempt. */
  readonly countAttempt: boolean;
}

export interface Busy {
  readonly hosts: readonly string[];
  readonly oids: readonly string[];
}

@Injectable()
export class NotificationsRepository {
  private readonly scoped: OrgScoped<Notification>;

  constructor(@InjectModel(Notification.name) private readonly model: Model<Notification>) {
    this.scoped = new OrgScoped(model);
  }

  /** Stores a notification once: the id is made from the fact it tells of. @returns whether it is new */
  async insertOnce(notification: Notification): Promise<boolean> {
    try {
      await this.scoped.insert(notification.oid, notification);
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  get(oid: string, notificationId: string): Promise<Notification | null> {
    return this.scoped.findOne(oid, { _id: notificationId });
  }

  /** Whether a notification of this event was ever recorded for the item. */
  async existsForItem(oid: string, event: string, itemId: string): Promise<boolean> {
    return this.scoped.exists(oid, { event, 'body.itemId': itemId } as object);
  }

  /** Starts a new overall attempt; it counts at once. */
  async startAttempt(oid: string, notificationId: string, plan: DeliveryPlan, now: Date): Promise<void> {
    await this.scoped.updateOne(
      oid,
      { _id: notificationId },
      { $set: { plan, lastAttempted: now }, $inc: { attempts: 1 }, $unset: { held: 1 } },
    );
  }

  /**
   * Claims due notifications for one worker, oldest first, leaving out hosts and orgs that are busy. Steps that may
   * overlap with another worker's: only what this claim won is returned, in the order of the facts.
   */
  async claim(now: Date, leaseUntil: Date, limit: number, busy: Busy): Promise<Notification[]> {
    const due = {
      'plan.dueAt': { $lte: now },
      'plan.leaseUntil': { $lte: now },
      ...(busy.hosts.length > 0 ? { 'plan.host': { $nin: busy.hosts } } : {}),
      ...(busy.oids.length > 0 ? { oid: { $nin: uuids(busy.oids) } } : {}),
    } as unknown as QueryFilter<Notification>;
    const candidates = await this.model.find(due, { _id: 1 }).sort({ 'plan.dueAt': 1 }).limit(limit).lean().exec();
    if (candidates.length === 0) return [];
    const ids = candidates.map(({ _id }) => _id);
    const claim = newId();
    const own = { $set: { 'plan.leaseUntil': leaseUntil, 'plan.claim': claim } };
    await this.model.updateMany({ ...due, _id: { $in: ids } }, own).exec();
    const won = { _id: { $in: ids }, 'plan.claim': claim } as QueryFilter<Notification>;
    return decode((await this.model.find(won).sort({ 'plan.seq': 1 }).lean().exec()) as Notification[]);
  }

  /**
   * Of these order keys, the `seq` of the first notification that others have to send before: one that nobody has tried
   * yet or that is being tried. `except` are those of the asking worker.
   */
  async firstOfOthers(keys: readonly string[], except: readonly string[], now: Date): Promise<Map<string, number>> {
    const rows = await this.model
      .aggregate<{ _id: string; seq: number }>([
        {
          $match: {
            'plan.orderKey': { $in: [...keys] },
            _id: { $nin: uuids(except) },
            $or: [{ 'plan.tries': 0 }, { 'plan.leaseUntil': { $gt: now } }],
          },
        },
        { $group: { _id: '$plan.orderKey', seq: { $min: '$plan.seq' } } },
      ])
      .exec();
    return new Map(rows.map(({ _id, seq }) => [_id, Number(seq)]));
  }

  /** Keeps claims from running out while their work goes on. */
  async renew(claims: readonly string[], ids: readonly string[], leaseUntil: Date): Promise<void> {
    const filter = { _id: { $in: [...ids] }, 'plan.claim': { $in: [...claims] } } as QueryFilter<Notification>;
    await this.model.updateMany(filter, { $set: { 'plan.leaseUntil': leaseUntil } }).exec();
  }

  /** Gives claimed notifications back untried, to be claimed from `dueAt` on; now when absent. */
  async giveBack(claims: readonly string[], ids: readonly string[], dueAt?: Date): Promise<void> {
    const filter = { _id: { $in: [...ids] }, 'plan.claim': { $in: [...claims] } } as QueryFilter<Notification>;
    await this.model.updateMany(filter, { $set: { ...NOBODY, ...(dueAt ? { 'plan.dueAt': dueAt } : {}) } }).exec();
  }

  /** Lets what comes `after` a moment with its order key, and nobody has claimed, wait until `dueAt`. */
  async postpone(lines: readonly { orderKey: string; after: number }[], now: Date, dueAt: Date): Promise<void> {
    const operations = lines.map(({ orderKey, after }) => ({
      updateMany: {
        filter: {
          'plan.orderKey': orderKey,
          'plan.seq': { $gt: after },
          'plan.dueAt': { $lte: now },
          'plan.leaseUntil': { $lte: now },
        },
        update: { $set: { 'plan.dueAt': dueAt } },
      },
    }));
    await this.model.collection.bulkWrite(operations as never, { ordered: false });
  }

  /** Writes what came of tries. A failed retry doesn't take an earlier success back. */
  async record(outcomes: readonly Outcome[]): Promise<void> {
    const operations = outcomes.map(({ id, claim, next, made, succeeded, countAttempt }) => ({
      updateOne: {
        filter: { _id: uuid(id), 'plan.claim': claim },
        update: {
          $set: { plan: next, ...(made ? { lastAttempted: made.at } : {}), ...(succeeded ? { success: true } : {}) },
          ...(made ? { $push: { tries: { $each: [made], $slice: -KEPT_TRIES } } } : {}),
          ...(countAttempt ? { $inc: { attempts: 1 } } : {}),
        },
      },
    }));
    await this.model.collection.bulkWrite(operations as never, { ordered: false });
  }

  /** Puts a claimed notification aside until its endpoint is resumed. */
  async hold(id: string, claim: string): Promise<void> {
    const filter = { _id: id, 'plan.claim': claim } as QueryFilter<Notification>;
    await this.model.updateOne(filter, { $set: { held: true, plan: null } }).exec();
  }

  /** Starts a new overall attempt of everything held for an endpoint, in the order of the facts. */
  async releaseHeld(oid: string, event: string, host: string, now: Date): Promise<void> {
    const subject = { $ifNull: ['$body.qaRunId', '$body.itemId', '$body.collectionId', { $toString: '$_id' }] };
    const plan = {
      dueAt: now,
      tries: 0,
      counted: true,
      ...{ leaseUntil: new Date(0), claim: null, host },
      orderKey: { $concat: [host, ' ', subject] },
      seq: { $ifNull: ['$seq', { $multiply: [{ $toLong: '$created' }, ORDERS_PER_MS] }] },
    };
    const attempt = { plan, held: '$$REMOVE', lastAttempted: now, attempts: { $add: ['$attempts', 1] } };
    await this.scoped.updateMany(oid, { event, held: true } as object, [{ $set: attempt }]);
  }

  async deleteAllOf(oid: string): Promise<void> {
    await this.scoped.deleteMany(oid, {});
  }
}
