import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { OrgScoped } from '../../database/org-scoped.js';
import type { Tx } from '../../database/unit-of-work.js';
import { RUNNING_AND_WAITING } from './item-state.facts.js';
import { Item } from './item.schema.js';

/** More items than this need none. */
const MAX_DEPENDENTS = 100_000;

/** Which items refer to the payloads of which. Contract: archive §5.1, crawling §11.8. */
@Injectable()
export class ItemLinksRepository {
  private readonly items: OrgScoped<Item>;

  constructor(@InjectModel(Item.name) model: Model<Item>) {
    this.items = new OrgScoped(model);
  }

  /** Returns the items that need one of the items. */
  async requiring(oid: string, itemIds: readonly string[], tx?: Tx): Promise<string[]> {
    if (itemIds.length === 0) return [];
    const options = { limit: MAX_DEPENDENTS, projection: { _id: 1 }, tx } as const;
    const found = await this.items.find(oid, { requiresCrawls: { $in: [...itemIds] } }, options);
    return found.map(({ _id }) => _id);
  }

  /** Returns what the items need, each once. */
  async requiredBy(oid: string, itemIds: readonly string[], tx: Tx): Promise<string[]> {
    if (itemIds.length === 0) return [];
    const options = { limit: itemIds.length, projection: { requiresCrawls: 1 }, tx } as const;
    const found = await this.items.find(oid, { _id: { $in: [...itemIds] } }, options);
    return [...new Set(found.flatMap(({ requiresCrawls }) => requiresCrawls ?? []))];
  }

  /** Returns those of the ids that are items. */
  async existing(oid: string, itemIds: readonly string[], tx: Tx): Promise<string[]> {
    if (itemIds.length === 0) return [];
    const options = { limit: itemIds.length, projection: { _id: 1 }, tx } as const;
    return (await this.items.find(oid, { _id: { $in: [...itemIds] } }, options)).map(({ _id }) => _id);
  }

  /** Whether one of the ids is a crawl that has not ended. */
  async isAnyActive(oid: string, crawlIds: readonly string[], tx: Tx): Promise<boolean> {
    if (crawlIds.length === 0) return false;
    const filter = { _id: { $in: [...crawlIds] }, state: { $in: [...RUNNING_AND_WAITING] } };
    return this.items.exists(oid, filter, tx);
  }

  /** Records that an item which is gone needs these no more. */
  async unlink(oid: string, itemIds: readonly string[], dependent: string, tx: Tx): Promise<void> {
    if (itemIds.length === 0) return;
    const filter = { _id: { $in: [...itemIds] }, requiredByCrawls: dependent };
    await this.items.updateMany(oid, filter, { $pull: { requiredByCrawls: dependent } }, { tx });
  }
}
