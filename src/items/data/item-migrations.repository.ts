import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { decode } from '../../database/uuid-codec.js';
import { Item } from './item.schema.js';

/** The format in which pages say which file holds them. */
const PRESENT_VERSION = 2;

/** Finished items of all orgs that are still in the reference's old format. */
@Injectable()
export class ItemMigrationsRepository {
  constructor(@InjectModel(Item.name) private readonly items: Model<Item>) {}

  /** Marks and returns one, the latest finished first; null when none is left. */
  async claimOld(): Promise<Item | null> {
    const old = { version: { $ne: PRESENT_VERSION }, finished: { $ne: null }, deleted: { $ne: true } };
    const options = { sort: { finished: -1 }, returnDocument: 'after' } as const;
    const found = await this.items
      .findOneAndUpdate(old, { $set: { isMigrating: true } }, options)
      .lean()
      .exec();
    return decode(found as Item | null);
  }

  async finish(itemId: string): Promise<void> {
    await this.items.updateOne({ _id: itemId }, { $set: { version: PRESENT_VERSION, isMigrating: null } }).exec();
  }
}
