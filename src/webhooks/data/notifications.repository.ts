import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { isDuplicateKey, OrgScoped } from '../../database/org-scoped.js';
import { decode } from '../../database/uuid-codec.js';
import { Notification, type DeliveryPlan, type DeliveryTry } from './notification.schema.js';

/** Tries that are kept with a notification; two overall attempts and a bit. */
const KEPT_TRIES = 12;

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
   * Claims due notifications for one worker, oldest first, leaving out hosts that are busy.
   * Two steps that may overlap with another worker's: only what the second one wins is returned.
   */
  async claim(now: Date, leaseUntil: Date, limit: number, busyHosts: readonly string[]): Promise<Notification[]> {
    const due = {
      'plan.dueAt': { $lte: now },
      'plan.leaseUntil': { $lte: now },
      ...(busyHosts.length > 0 ? { 'plan.host': { $nin: busyHosts } } : {}),
    };
    const candidates = await this.model.find(due, { _id: 1 }).sort({ 'plan.dueAt': 1 }).limit(limit).lean().exec();
    const claimed: Notification[] = [];
    for (const { _id } of candidates) {
      const won = await this.model
        .findOneAndUpdate({ _id, ...due }, { $set: { 'plan.leaseUntil': leaseUntil } }, { returnDocument: 'after' })
        .lean()
        .exec();
      if (won) claimed.push(decode(won as Notification));
    }
    return claimed;
  }

  /** A try was made and the attempt goes on at `dueAt`. */
  async planNext(id: string, plan: DeliveryPlan, made: DeliveryTry, countAttempt: boolean): Promise<void> {
    await this.model
      .updateOne(
        { _id: id },
        {
          $set: { plan, lastAttempted: made.at },
          $push: { tries: { $each: [made], $slice: -KEPT_TRIES } },
          ...(countAttempt ? { $inc: { attempts: 1 } } : {}),
        },
      )
      .exec();
  }

  /** The overall attempt is over. A failed retry doesn't take an earlier success back. */
  async finish(id: string, made: DeliveryTry | null, succeeded: boolean, countAttempt: boolean): Promise<void> {
    await this.model
      .updateOne(
        { _id: id },
        {
          $set: { plan: null, ...(made ? { lastAttempted: made.at } : {}), ...(succeeded ? { success: true } : {}) },
          ...(made ? { $push: { tries: { $each: [made], $slice: -KEPT_TRIES } } } : {}),
          ...(countAttempt ? { $inc: { attempts: 1 } } : {}),
        },
      )
      .exec();
  }

  /** Puts a claimed notification aside until its endpoint is resumed. */
  async hold(id: string): Promise<void> {
    await this.model.updateOne({ _id: id }, { $set: { held: true, plan: null } }).exec();
  }

  /** Up to `limit` held notifications of an endpoint, oldest first. */
  findHeld(oid: string, event: string, limit: number): Promise<Notification[]> {
    return this.scoped.find(oid, { event, held: true } as object, { sort: { created: 1 }, limit });
  }

  async deleteAllOf(oid: string): Promise<void> {
    await this.scoped.deleteMany(oid, {});
  }
}
