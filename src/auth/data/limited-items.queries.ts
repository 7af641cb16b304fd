import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { KeyGrant } from '../../common/access/access.js';
import { findRows } from '../../database/read-rows.js';
import { uuids } from '../../database/uuid-codec.js';
import { Item } from '../../items/data/item.schema.js';

/** Looks up of which workflow and in which collections items are, for keys that are limited to some. */
@Injectable()
export class LimitedItemsQueries {
  constructor(@InjectModel(Item.name) private readonly items: Model<Item>) {}

  /** @returns false for an item that is nowhere as well */
  async isWithin(
    { workflows, collections }: NonNullable<KeyGrant['only']>,
    { oid, itemId }: { oid: string; itemId: string },
  ): Promise<boolean> {
    const within = [{ cid: { $in: uuids(workflows) } }, { collectionIds: { $in: uuids(collections) } }];
    const filter = { _id: itemId, oid, $or: within } as never;
    return (await findRows<Item>(this.items, filter, { projection: { _id: 1 }, limit: 1 })).length > 0;
  }
}
