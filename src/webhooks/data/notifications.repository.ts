import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Clock } from '../../common/clock/clock.js';
import { seconds } from '../../common/units/durations.js';
import { ORDERS_PER_MS } from '../../database/fact-order.js';
import { Leases, type Held, type Lease } from '../../database/leases.js';
import { isDuplicateKey, OrgScoped } from '../../database/org-scoped.js';
import { uuid, uuids } from '../../database/uuid-codec.js';
import { Notification, UNCLAIMED, type DeliveryPlan, type DeliveryTry } from './notification.schema.js';

/** Tries that are kept with a notification: two overall attempts and two tries more. */
const KEPT_TRIES = 12;
/** Wait before the worker looks again whether another process has sent the earlier notifications. */
const OUT_OF_TURN_WAIT_MS = 250;

/** The lease is renewed while the notification waits or is sent. A dead process blocks it for `lengthMs`. */
const TERMS = {
  until: 'plan.leaseUntil',
  holder: 'plan.claim',
  due: 'plan.dueAt',
  lengthMs: seconds(15),
  beatMs: seconds(5),
};

/** A notification that this process is to send. */
export interface ClaimedNotification extends Held<Notification> {
  readonly plan: DeliveryPlan;
}

/** The result of one try of a claimed notification. */
export interface Outcome {
  /** The lease under which the try was made. When it is lost, nothing is written. */
  readonly lease: Lease;
  /** The plan of the next try; null when the overall attempt is over. */
  readonly next: DeliveryPlan | null;
  /** The try; null when nothing was sent. */
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
  readonly leases: Leases<Notification>;
  private readonly scoped: OrgScoped<Notification>;

  constructor(
    @InjectModel(Notification.name) private readonly model: Model<Notification>,
    private readonly clock: Clock,
  ) {
    this.leases = new Leases(model, TERMS, clock);
    this.scoped = new OrgScoped(model);
  }

  /** Stores a notification once: its id is derived from the fact. @returns whether it is new */
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

  /** Starts a new overall attempt and counts it at once. */
  async startAttempt(oid: string, notificationId: string, plan: DeliveryPlan, now: Date): Promise<void> {
    await this.scoped.updateOne(
      oid,
      { _id: notificationId },
      { $set: { plan, lastAttempted: now }, $inc: { attempts: 1 }, $unset: { held: 1 } },
    );
  }

  /** Claims due notifications of hosts and orgs that are not busy. @returns those won, in the order of the facts */
  async claimDue(limit: number, busy: Busy): Promise<ClaimedNotification[]> {
    const { held } = await this.leases.claimDue(limit, {
      ...(busy.hosts.length > 0 ? { 'plan.host': { $nin: busy.hosts } } : {}),
      ...(busy.oids.length > 0 ? { oid: { $nin: busy.oids } } : {}),
    });
    const claimed = held.flatMap(({ record, lease }) => (record.plan ? [{ record, lease, plan: record.plan }] : []));
    return claimed.sort((one, other) => one.plan.seq - other.plan.seq);
  }

  /**
   * For each order key, the `seq` of the first notification that others have to send: nobody has tried it yet, or it is
   * being tried. `except` are the notifications of the asking worker.
   */
  async firstOfOthers(keys: readonly string[], except: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.model
      .aggregate<{ _id: string; seq: number }>([
        {
          $match: {
            'plan.orderKey': { $in: [...keys] },
            _id: { $nin: uuids(except) },
            $or: [{ 'plan.tries': 0 }, { 'plan.leaseUntil': { $gt: this.clock.now() } }],
          },
        },
        { $group: { _id: '$plan.orderKey', seq: { $min: '$plan.seq' } } },
      ])
      .exec();
    return new Map(rows.map(({ _id, seq }) => [_id, Number(seq)]));
  }

  /** Gives back notifications whose turn has not come. Unclaimed later ones of the same order key wait as long. */
  async putBack(early: readonly ClaimedNotification[], firstOfOthers: ReadonlyMap<string, number>): Promise<void> {
    const now = this.clock.now();
    const dueAt = new Date(now.getTime() + OUT_OF_TURN_WAIT_MS);
    const leases = early.map(({ lease }) => lease);
    await this.leases.giveBack(leases, dueAt);
    // The later ones wait too, so that they are not claimed one by one with the same result.
    const operations = [...new Set(early.map(({ plan }) => plan.orderKey))].map((orderKey) => ({
      updateMany: {
        filter: {
          'plan.orderKey': orderKey,
          'plan.seq': { $gt: firstOfOthers.get(orderKey) },
          'plan.dueAt': { $lte: now },
          'plan.leaseUntil': { $lte: now },
        },
        update: { $set: { 'plan.dueAt': dueAt } },
      },
    }));
    await this.model.collection.bulkWrite(operations as never, { ordered: false });
  }

  /** Writes the results of tries. A failed retry does not revoke an earlier success. */
  async record(outcomes: readonly Outcome[]): Promise<void> {
    const operations = outcomes.map(({ lease, next, made, succeeded, countAttempt }) => ({
      updateOne: {
        filter: { _id: uuid(lease.recordId), 'plan.claim': lease.holder },
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
  async hold(lease: Lease): Promise<void> {
    await this.model.updateOne(this.leases.proof(lease), { $set: { held: true, plan: null } }).exec();
  }

  /** Starts a new overall attempt of every notification held for an endpoint, in the order of the facts. */
  async releaseHeld(oid: string, event: string, host: string, now: Date): Promise<void> {
    const subject = { $ifNull: ['$body.qaRunId', '$body.itemId', '$body.collectionId', { $toString: '$_id' }] };
    const plan = {
      dueAt: now,
      tries: 0,
      counted: true,
      ...{ ...UNCLAIMED, host },
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
