import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import type { PackageCheck } from '../../common/package-check.js';
import { type Failing, triedAgain } from '../../database/failing.js';
import { OrgScoped } from '../../database/org-scoped.js';
import type { Tx } from '../../database/unit-of-work.js';
import { decode, uuid } from '../../database/uuid-codec.js';
import { BY_STATE, Item } from './item.schema.js';
import { PROCESSING_UPLOAD } from './item-state.facts.js';

export type ItemType = Item['type'];

/**
 * Up to this many states are read and counted in the service. A grouping pipeline takes the database twice as long as
 * this read.
 */
const COUNTED_HERE = 100;

/** Reads and changes of single items, which crawls and uploads share. */
@Injectable()
export class ItemsRepository {
  readonly scoped: OrgScoped<Item>;

  constructor(@InjectModel(Item.name) private readonly model: Model<Item>) {
    this.scoped = new OrgScoped(model);
  }

  async findById(oid: string, itemId: string, type?: ItemType): Promise<Item | null> {
    return this.scoped.findOne(oid, { _id: itemId, ...(type ? { type } : {}) });
  }

  /** @returns null when there is no such item */
  async stateOf(oid: string, itemId: string): Promise<Item['state'] | null> {
    return (await this.scoped.findOne(oid, { _id: itemId }, { projection: { state: 1 } }))?.state ?? null;
  }

  /** Finds an item of any org, for superusers' routes. */
  async findByIdAcrossOrgs(itemId: string, type?: ItemType): Promise<Item | null> {
    const query = this.model.findOne({ _id: itemId, ...(type ? { type } : {}) });
    return decode((await query.lean().exec()) as Item | null);
  }

  /** Returns those of the items that exist, in no particular order. */
  async findByIds(oid: string, itemIds: readonly string[]): Promise<Item[]> {
    if (itemIds.length === 0) return [];
    return this.scoped.find(oid, { _id: { $in: [...itemIds] } }, { limit: itemIds.length });
  }

  /** Returns the files of those of the items that exist, in no particular order. */
  async filesOf(oid: string, itemIds: readonly string[]): Promise<Pick<Item, '_id' | 'files' | 'fileSize'>[]> {
    if (itemIds.length === 0) return [];
    const options = { limit: itemIds.length, projection: { files: 1, fileSize: 1 } } as const;
    return this.scoped.find(oid, { _id: { $in: [...itemIds] } }, options);
  }

  /** Finds uploads of all orgs that have been processing since before a moment, oldest first. */
  async findStuckUploadsAcrossOrgs(before: Date, limit: number): Promise<Pick<Item, '_id' | 'oid'>[]> {
    const filter = { state: PROCESSING_UPLOAD, started: { $lt: before }, deleted: { $ne: true } };
    const query = this.model.find(filter, { oid: 1 }).sort({ started: 1 }).limit(limit);
    return decode((await query.lean().exec()) as Pick<Item, '_id' | 'oid'>[]);
  }

  /** Stores the result of checking one of an item's files. */
  async setVerification(oid: string, itemId: string, filename: string, found: PackageCheck): Promise<void> {
    const filter = { _id: itemId, 'files.filename': filename };
    await this.scoped.updateOne(oid, filter, { $set: { 'files.$.verification': found } });
  }

  async insert(oid: string, item: Omit<Item, 'oid'>, tx?: Tx): Promise<void> {
    await this.scoped.insert(oid, item, { tx });
  }

  /** Sets fields of an item. @returns false when there is no such item */
  async set(oid: string, itemId: string, fields: Partial<Item>, tx?: Tx): Promise<boolean> {
    return (await this.scoped.updateOne(oid, { _id: itemId }, { $set: fields }, { tx })).matched === 1;
  }

  /**
   * Marks items as being deleted. Code that finishes an item later checks this mark.
   * @param isTakeDown whether their files go even if other items need them
   */
  async markDeleted(oid: string, itemIds: readonly string[], isTakeDown: boolean, tx: Tx): Promise<void> {
    const $set = { deleted: true, ...(isTakeDown ? { isTakeDown } : {}) };
    await this.scoped.updateMany(oid, { _id: { $in: [...itemIds] } }, { $set }, { tx });
  }

  /** Removes the document. @returns the removed item, or null when it was already gone */
  async take(oid: string, itemId: string, tx?: Tx): Promise<Item | null> {
    return this.scoped.findOneAndDelete(oid, { _id: itemId }, tx);
  }

  /** Changes the user's name that is stored with the items which the user started or uploaded. */
  async renameUserAcrossOrgs(userId: string, name: string): Promise<void> {
    await this.model.updateMany({ userid: userId }, { $set: { userName: name } }).exec();
  }

  /**
   * Finds items of all orgs whose deletion has begun and not ended. Those that are to be tried later or never are left
   * out.
   */
  async markedDeletedAcrossOrgs(now: Date, limit: number): Promise<Item[]> {
    const filter = { deleted: true, ...triedAgain(now) } as QueryFilter<Item>;
    return decode((await this.model.find(filter, null, { limit }).lean().exec()) as Item[]);
  }

  /** Stores why an item's deletion could not be completed. */
  async setFailing(oid: string, itemId: string, failing: Failing): Promise<void> {
    await this.scoped.updateOne(oid, { _id: itemId, deleted: true }, { $set: { failing } });
  }

  /** Returns the latest finish among the org's items. */
  async lastFinish(oid: string, tx?: Tx): Promise<Date | null> {
    const last = await this.scoped.findOne(
      oid,
      { finished: { $ne: null } },
      { sort: { finished: -1 }, projection: { finished: 1 }, tx },
    );
    return last?.finished ?? null;
  }

  /** Counts items in each of the given states, of one org or of all, from the index alone. */
  async countByState(oid: string | null, states: readonly string[]): Promise<Map<string, number>> {
    const filter = { state: { $in: [...states] }, ...(oid ? { oid: uuid(oid) } : {}) } as QueryFilter<Item>;
    const options = { hint: BY_STATE };
    const limit = COUNTED_HERE + 1;
    const found = (await this.model
      .find(filter, { _id: 0, state: 1 }, { ...options, limit })
      .lean()
      .exec()) as Pick<Item, 'state'>[];
    if (found.length === limit) {
      const pipeline = [{ $match: filter }, { $group: { _id: '$state', count: { $sum: 1 } } }];
      const counts = await this.model.aggregate<{ _id: string; count: number }>(pipeline, options).exec();
      return new Map(counts.map(({ _id, count }) => [_id, count]));
    }
    const counts = new Map<string, number>();
    for (const { state } of found) counts.set(state, (counts.get(state) ?? 0) + 1);
    return counts;
  }
}
