import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { OrgScoped } from '../../database/org-scoped.js';
import type { Tx } from '../../database/unit-of-work.js';
import { uuid } from '../../database/uuid-codec.js';
import { ItemHold } from './item-hold.schema.js';

/** A crawl is told of no more items than this. */
const MAX_HELD = 10_000;

@Injectable()
export class ItemHoldsRepository {
  private readonly holds: OrgScoped<ItemHold>;

  constructor(@InjectModel(ItemHold.name) model: Model<ItemHold>) {
    this.holds = new OrgScoped(model);
  }

  /** Keeps the items for the crawl. Calls may be repeated. */
  async hold(oid: string, crawlId: string, itemIds: readonly string[], since: Date): Promise<void> {
    await this.holds.bulkWrite(
      itemIds.map((itemId) => ({
        updateOne: {
          filter: { _id: `${crawlId} ${itemId}` },
          update: { $setOnInsert: { oid: uuid(oid), crawlId, itemId, since } },
          upsert: true,
        },
      })) as unknown as Parameters<typeof this.holds.bulkWrite>[0],
    );
  }

  /** Returns the crawls that may need one of the items. Some may have ended. */
  async holders(oid: string, itemIds: readonly string[], tx: Tx): Promise<string[]> {
    const options = { limit: MAX_HELD, projection: { crawlId: 1 }, tx } as const;
    const found = await this.holds.find(oid, { itemId: { $in: [...itemIds] } }, options);
    return [...new Set(found.map(({ crawlId }) => crawlId))];
  }

  /** Drops what was held of an item whose files go. */
  async dropOf(oid: string, itemId: string, tx: Tx): Promise<void> {
    await this.holds.deleteMany(oid, { itemId }, tx);
  }

  /** Drops all holds of an org that is deleted. */
  async dropOfOrg(oid: string): Promise<void> {
    await this.holds.deleteMany(oid, {});
  }

  /** The items that the crawl was told of. */
  async heldBy(oid: string, crawlId: string, tx?: Tx): Promise<string[]> {
    return (await this.holds.find(oid, { crawlId }, { limit: MAX_HELD, tx })).map(({ itemId }) => itemId);
  }

  /** Lets go of all items of a crawl that has ended. */
  async release(oid: string, crawlId: string, tx: Tx): Promise<void> {
    await this.holds.deleteMany(oid, { crawlId }, tx);
  }
}
