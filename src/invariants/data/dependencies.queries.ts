import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { OrgScoped } from '../../database/org-scoped.js';
import { RUNNING_AND_WAITING } from '../../items/data/item-state.facts.js';
import { ItemHold } from '../../items/data/item-hold.schema.js';
import { Item } from '../../items/data/item.schema.js';
import { KeptItem } from '../../items/data/kept-item.schema.js';

/** Documents read at a time. */
const BATCH = 200;
/** More holds are not read. */
const MAX_HOLDS = 100_000;

export type RequiringItem = Pick<Item, '_id' | 'oid' | 'requiresCrawls' | 'deleted'>;

/** An item, or what is kept of one. */
export type ItemWithFiles = Pick<Item, '_id' | 'files'> & Partial<Pick<Item, 'requiresCrawls' | 'state' | 'deleted'>>;

const FILES = {
  ...{ requiresCrawls: 1, state: 1, deleted: 1 },
  ...{ 'files.filename': 1, 'files.hash': 1, 'files.size': 1, 'files.storage': 1, 'files.isPiece': 1 },
} as const;

/** Reads which items need which others, deleted ones included. */
@Injectable()
export class DependenciesQueries {
  private readonly items: OrgScoped<Item>;
  private readonly kept: OrgScoped<KeptItem>;
  private readonly holds: OrgScoped<ItemHold>;

  constructor(
    @InjectModel(Item.name) items: Model<Item>,
    @InjectModel(KeptItem.name) kept: Model<KeptItem>,
    @InjectModel(ItemHold.name) holds: Model<ItemHold>,
  ) {
    this.items = new OrgScoped(items);
    this.kept = new OrgScoped(kept);
    this.holds = new OrgScoped(holds);
  }

  /** Ids of the items that need others. */
  async *requiringIds(oid: string): AsyncGenerator<string[]> {
    // Every id is at least the empty string, so the index answers this.
    // A database that no service has opened yet lacks the index, so none is named.
    yield* batches(this.items.stream(oid, { requiresCrawls: { $gte: '' } }, { projection: { _id: 1 } }));
  }

  /** Ids of the crawls that were run with a dedupe index, whether they are known to need others or not. */
  async *deduplicatedIds(oid: string): AsyncGenerator<string[]> {
    const filter = { dedupeCollId: { $type: 'binData' }, requiresCrawls: { $not: { $gte: '' } } };
    yield* batches(this.items.stream(oid, filter as object, { projection: { _id: 1 } }));
  }

  async *keptIds(oid: string): AsyncGenerator<string[]> {
    yield* batches(this.kept.stream(oid, {}, { projection: { _id: 1 } }));
  }

  async findItems(oid: string, ids: readonly string[]): Promise<RequiringItem[]> {
    const projection = { oid: 1, requiresCrawls: 1, deleted: 1 } as const;
    return this.items.find(oid, { _id: { $in: [...ids] } }, { limit: ids.length + 1, projection });
  }

  /** The items with their files, deleted ones included. */
  async filesOf(oid: string, ids: readonly string[]): Promise<ItemWithFiles[]> {
    return this.items.find(oid, { _id: { $in: [...ids] } }, { limit: ids.length + 1, projection: FILES });
  }

  async findKept(oid: string, ids: readonly string[]): Promise<KeptItem[]> {
    return this.kept.find(oid, { _id: { $in: [...ids] } }, { limit: ids.length + 1 });
  }

  /** Those of the items that a crawl which has not ended may need. */
  async heldAmong(oid: string, ids: readonly string[]): Promise<Set<string>> {
    const holds = await this.holds.find(oid, { itemId: { $in: [...ids] } }, { limit: MAX_HOLDS });
    const crawlIds = [...new Set(holds.map(({ crawlId }) => crawlId))];
    const filter = { _id: { $in: crawlIds }, state: { $in: [...RUNNING_AND_WAITING] } };
    const active = await this.items.find(oid, filter, { limit: crawlIds.length + 1, projection: { _id: 1 } });
    const activeIds = new Set(active.map(({ _id }) => _id));
    return new Set(holds.filter(({ crawlId }) => activeIds.has(crawlId)).map(({ itemId }) => itemId));
  }
}

async function* batches(documents: AsyncIterable<{ _id: string }>): AsyncGenerator<string[]> {
  let batch: string[] = [];
  for await (const { _id } of documents) {
    batch.push(_id);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
