import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { decode } from '../../database/uuid-codec.js';
import { Item } from './item.schema.js';

/** The version of items whose pages say which file holds them. */
const PRESENT_VERSION = 2;

/** Reads and updates items of all orgs for upgrades that derive data or migrate the format. */
@Injectable()
export class ItemMigrationsRepository {
  constructor(@InjectModel(Item.name) private readonly items: Model<Item>) {}

  /** Marks and returns an item of an old version, the latest finished first. @returns null when none is left */
  async claimOld(): Promise<Item | null> {
    const old = { version: { $ne: PRESENT_VERSION }, finished: { $ne: null }, deleted: { $ne: true } };
    const options = { sort: { finished: -1 }, returnDocument: 'after' } as const;
    const found = await this.items
      .findOneAndUpdate(old, { $set: { isMigrating: true } }, options)
      .lean()
      .exec();
    return decode(found as Item | null);
  }

  /** Returns the ids of the orgs that have items. */
  async orgs(): Promise<string[]> {
    return decode(await this.items.collection.distinct('oid')) as unknown as string[];
  }

  /** Yields the ids of all items of an org in groups of at most `size`. */
  async *idsOf(oid: string, size: number): AsyncGenerator<string[]> {
    let ids: string[] = [];
    for await (const { _id } of this.items.find({ oid }, { _id: 1 }).lean().cursor({ batchSize: size })) {
      if (ids.push(_id) < size) continue;
      yield ids;
      ids = [];
    }
    if (ids.length > 0) yield ids;
  }

  async finish(itemId: string): Promise<void> {
    await this.items.updateOne({ _id: itemId }, { $set: { version: PRESENT_VERSION, isMigrating: null } }).exec();
  }
}
