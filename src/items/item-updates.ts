import { Injectable } from '@nestjs/common';
import { CollectionsReads } from '../collections/data/collections.reads.js';
import { wasSent } from '../common/validation/parse-model.js';
import { DomainEvents } from '../events/domain-events.js';
import { CrawlNotFound, ItemNotFound } from './items.errors.js';
import { ItemCollectionsRepository, type ItemMembership } from './data/item-collections.repository.js';
import { isSuccessful } from './data/item-state.facts.js';
import type { Item } from './data/item.schema.js';
import type { OpenChange } from './membership/collection-members.js';
import { CollectionNotFound, InvalidFailedOrUnfinishedCrawl } from './membership/membership.errors.js';
import { NoUpdateData } from '../orgs/orgs.errors.js';

/** An absent key leaves its field as it is. Null clears the field, except `collectionIds`, where null has no effect. */
export interface ItemUpdate {
  readonly name?: string | null;
  readonly description?: string | null;
  readonly tags?: string[] | null;
  readonly collectionIds?: string[] | null;
  readonly reviewStatus?: number | null;
}

interface UpdateTarget {
  readonly oid: string;
  readonly itemId: string;
  readonly type?: Item['type'] | null;
}

const REVIEW_LABELS = ['', 'Bad', 'Poor', 'Fair', 'Good', 'Excellent'];
const FIELDS = ['name', 'description', 'tags', 'reviewStatus', 'collectionIds'] as const;

function fieldsOf(update: ItemUpdate): Partial<Item> {
  const fields: Partial<Item> = {};
  if (wasSent(update, 'name')) fields.name = update.name ?? null;
  if (wasSent(update, 'description')) fields.description = update.description ?? null;
  if (wasSent(update, 'tags')) fields.tags = update.tags ?? [];
  if (wasSent(update, 'reviewStatus')) fields.reviewStatus = update.reviewStatus ?? null;
  return fields;
}

/** Changes an item's metadata and its collections. Contract: crawling §5.8, archive §5. */
@Injectable()
export class ItemUpdates {
  constructor(
    private readonly items: ItemCollectionsRepository,
    private readonly collections: CollectionsReads,
    private readonly events: DomainEvents,
  ) {}

  /**
   * Changes an item.
   * @param type the only type that the route serves; any when null
   * @throws NoUpdateData, CrawlNotFound or (with `collectionIds`) ItemNotFound, InvalidFailedOrUnfinishedCrawl,
   *   CollectionNotFound
   */
  async update(target: UpdateTarget, update: ItemUpdate): Promise<void> {
    if (!FIELDS.some((key) => wasSent(update, key))) throw new NoUpdateData();
    const wanted = wasSent(update, 'collectionIds') ? (update.collectionIds ?? null) : null;
    if (!wanted && (await this.changedAlone(target, fieldsOf(update)))) return;
    await this.events.transact(async (tx, record) => {
      const { oid, itemId } = target;
      const item = await this.items.find(oid, itemId, tx);
      if (!item || (target.type && item.type !== target.type))
        throw wanted ? new ItemNotFound(itemId) : new CrawlNotFound();
      const fields = fieldsOf(update);
      if (wanted) fields.collectionIds = await this.moved(oid, item, wanted, { tx, record });
      await this.items.set(oid, itemId, fields, tx);
      if (fields.reviewStatus) {
        const description = 'description' in fields ? (fields.description ?? null) : (item.description ?? null);
        const reviewStatusLabel = REVIEW_LABELS[fields.reviewStatus] ?? '';
        const { reviewStatus } = fields;
        record('crawl.reviewed', { oid, crawlId: itemId, reviewStatus, reviewStatusLabel, description });
      }
    });
  }

  /**
   * Makes a change that concerns nothing but the item, by one write instead of a transaction.
   * @returns false when there is no such item, or when others have to be told of the change
   */
  private async changedAlone({ oid, itemId, type }: UpdateTarget, fields: Partial<Item>): Promise<boolean> {
    if (Object.keys(fields).length === 0 || fields.reviewStatus) return false;
    return this.items.setAlone(oid, { itemId, type }, fields);
  }

  /** Returns the item's new collections. It records an event for each collection that the item joins or leaves. */
  private async moved(
    oid: string,
    item: ItemMembership,
    wanted: readonly string[],
    { tx, record }: OpenChange,
  ): Promise<string[]> {
    const before = item.collectionIds ?? [];
    const after = [...new Set(wanted)];
    const joined = after.filter((id) => !before.includes(id));
    const left = before.filter((id) => !after.includes(id));
    if (joined.length > 0 && !isSuccessful(item.state)) throw new InvalidFailedOrUnfinishedCrawl();
    const known = await this.collections.existing(oid, joined, tx);
    if (known.length < joined.length) throw new CollectionNotFound();
    const itemIds = [item._id];
    for (const collectionId of joined) record('collection.itemsAdded', { oid, collectionId, itemIds });
    for (const collectionId of left) record('collection.itemsRemoved', { oid, collectionId, itemIds });
    return after;
  }
}
