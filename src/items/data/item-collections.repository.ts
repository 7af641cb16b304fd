import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { OrgScoped } from '../../database/org-scoped.js';
import type { Tx } from '../../database/unit-of-work.js';
import { SUCCESSFUL } from './item-state.facts.js';
import { Item } from './item.schema.js';

/** The fields of an item that changes of its collections and metadata read. */
export type ItemMembership = Pick<Item, '_id' | 'type' | 'state' | 'collectionIds' | 'description'>;

/** The fields of an item that a dedupe index goes by. */
export type IndexedItem = Pick<Item, '_id' | 'files' | 'dedupeCollId' | 'dedupeStats'>;

const INDEXED = { files: 1, dedupeCollId: 1, dedupeStats: 1 } as const;

const MEMBERSHIP = { type: 1, state: 1, collectionIds: 1, description: 1 } as const;

/** Stores which items are in which collections. An item holds the ids of its collections. */
@Injectable()
export class ItemCollectionsRepository {
  private readonly items: OrgScoped<Item>;

  constructor(@InjectModel(Item.name) model: Model<Item>) {
    this.items = new OrgScoped(model);
  }

  async find(oid: string, itemId: string, tx: Tx): Promise<ItemMembership | null> {
    return this.items.findOne(oid, { _id: itemId }, { projection: MEMBERSHIP, tx });
  }

  /** Sets fields of an item that was read in the same transaction. */
  async set(oid: string, itemId: string, fields: Partial<Item>, tx: Tx): Promise<void> {
    await this.items.updateOne(oid, { _id: itemId }, { $set: fields }, { tx });
  }

  /** Sets fields that nothing else depends on. @returns false when there is no such item */
  async setAlone(
    oid: string,
    { itemId, type }: { itemId: string; type?: Item['type'] | null | undefined },
    fields: Partial<Item>,
  ): Promise<boolean> {
    const filter = { _id: itemId, ...(type ? { type } : {}) };
    return (await this.items.updateOne(oid, filter, { $set: fields })).matched === 1;
  }

  /** Counts those of the items that exist and finished successfully. */
  async countSuccessful(oid: string, itemIds: readonly string[], tx: Tx): Promise<number> {
    return this.items.count(oid, { _id: { $in: [...itemIds] }, state: { $in: [...SUCCESSFUL] } }, { tx });
  }

  /** Returns ids of successful crawls of the workflows, newest first, at most `limit`. */
  async successfulOf(oid: string, cids: readonly string[], limit: number, tx: Tx): Promise<string[]> {
    const filter = { cid: { $in: [...cids] }, type: { $ne: 'upload' as const }, state: { $in: [...SUCCESSFUL] } };
    const found = await this.items.find(oid, filter, { limit, projection: { _id: 1 }, tx });
    return found.map(({ _id }) => _id);
  }

  /** Returns those of the items, and of the workflows' crawls, that are in the collection, in any state. */
  async membersOf(
    oid: string,
    collectionId: string,
    of: { itemIds: readonly string[]; cids: readonly string[] },
    tx: Tx,
  ): Promise<string[]> {
    const any = [{ _id: { $in: [...of.itemIds] } }, ...(of.cids.length > 0 ? [{ cid: { $in: [...of.cids] } }] : [])];
    const found = await this.items.find(
      oid,
      { collectionIds: collectionId, $or: any },
      { limit: MAX_MEMBERS, projection: { _id: 1 }, tx },
    );
    return found.map(({ _id }) => _id);
  }

  /** Returns for each collection the ids of those of the items that are in it. */
  async membersByCollection(oid: string, itemIds: readonly string[], tx: Tx): Promise<Map<string, string[]>> {
    const items = await this.items.find(
      oid,
      { _id: { $in: [...itemIds] } },
      { limit: itemIds.length, projection: { collectionIds: 1 }, tx },
    );
    const members = new Map<string, string[]>();
    for (const { _id, collectionIds } of items)
      for (const collectionId of collectionIds ?? []) {
        const known = members.get(collectionId);
        if (known) known.push(_id);
        else members.set(collectionId, [_id]);
      }
    return members;
  }

  /** Whether the collection has an item that finished successfully. */
  async hasSuccessful(oid: string, collectionId: string, tx: Tx): Promise<boolean> {
    return this.items.exists(oid, indexable(collectionId), tx);
  }

  /** Streams the items that the collection's dedupe index is made of. */
  indexed(oid: string, collectionId: string): AsyncGenerator<IndexedItem> {
    return this.items.stream(oid, indexable(collectionId), { projection: INDEXED });
  }

  /** Returns those of the items that the collection's dedupe index is made of. */
  async indexedOf(oid: string, collectionId: string, itemIds: readonly string[]): Promise<IndexedItem[]> {
    const filter = { ...indexable(collectionId), _id: { $in: [...itemIds] } };
    return this.items.find(oid, filter, { limit: itemIds.length, projection: INDEXED });
  }

  async addTo(oid: string, collectionId: string, itemIds: readonly string[], tx: Tx): Promise<void> {
    // `$addToSet` fails on a null list, as the reference stores it.
    await this.items.updateMany(
      oid,
      { _id: { $in: [...itemIds] }, collectionIds: null },
      { $set: { collectionIds: [] } },
      { tx },
    );
    const add = { $addToSet: { collectionIds: collectionId } };
    await this.items.updateMany(oid, { _id: { $in: [...itemIds] } }, add, { tx });
  }

  async removeFrom(oid: string, collectionId: string, itemIds: readonly string[], tx: Tx): Promise<void> {
    const filter = { _id: { $in: [...itemIds] }, collectionIds: collectionId };
    await this.items.updateMany(oid, filter, { $pull: { collectionIds: collectionId } }, { tx });
  }

  /** Takes items that are being deleted out of all collections. */
  async leaveAll(oid: string, itemIds: readonly string[], tx: Tx): Promise<void> {
    await this.items.updateMany(oid, { _id: { $in: [...itemIds] } }, { $set: { collectionIds: [] } }, { tx });
  }

  /** Takes all items out of a collection that is being deleted. */
  async removeFromAll(oid: string, collectionId: string, tx: Tx): Promise<void> {
    await this.items.updateMany(
      oid,
      { collectionIds: collectionId },
      { $pull: { collectionIds: collectionId } },
      { tx },
    );
  }
}

const indexable = (collectionId: string) => ({
  collectionIds: collectionId,
  state: { $in: [...SUCCESSFUL] },
  deleted: { $ne: true },
});

/** Items that one request may change. A larger collection takes several requests. */
const MAX_MEMBERS = 100_000;
