import { Injectable } from '@nestjs/common';
import type { DomainEvent } from '../events/event-types.js';
import { OnFact } from '../events/on-fact.js';
import { ItemsRepository } from '../items/data/items.repository.js';
import { OrgsRepository } from '../orgs/data/orgs.repository.js';
import { CollectionStatsJob } from './collection-stats-job.js';
import { CollectionsRepository } from './data/collections.repository.js';
import { wholeSecond } from '../common/units/durations.js';

/** Updates collections when their items change. A repeated event only computes the figures again. */
@Injectable()
export class CollectionListeners {
  constructor(
    private readonly collections: CollectionsRepository,
    private readonly items: ItemsRepository,
    private readonly orgs: OrgsRepository,
    private readonly stats: CollectionStatsJob,
  ) {}

  @OnFact(['collection.itemsAdded', 'collection.itemsRemoved'], 'collections.stats')
  async itemsChanged({
    created,
    payload: { oid, collectionId },
  }: DomainEvent<'collection.itemsAdded' | 'collection.itemsRemoved'>): Promise<void> {
    await this.changed(oid, [collectionId], created);
  }

  @OnFact('item.deleted', 'collections.stats')
  async itemDeleted({ created, payload: { oid, collectionIds } }: DomainEvent<'item.deleted'>): Promise<void> {
    await this.changed(oid, collectionIds, created);
  }

  @OnFact(['upload.finished', 'item.filesChanged'], 'collections.stats')
  async itemChanged({ created, payload }: DomainEvent<'upload.finished' | 'item.filesChanged'>): Promise<void> {
    const item = await this.items.findById(payload.oid, payload.itemId);
    await this.changed(payload.oid, item?.collectionIds ?? [], created);
  }

  @OnFact('org.pagesReAdded', 'collections.stats')
  async pagesReAdded({ payload: { oid } }: DomainEvent<'org.pagesReAdded'>): Promise<void> {
    for (const collectionId of await this.collections.idsOf(oid)) await this.stats.start(oid, collectionId);
  }

  @OnFact('collection.deleted', 'collections.org-defaults')
  async collectionDeleted({ payload: { oid, collectionId } }: DomainEvent<'collection.deleted'>): Promise<void> {
    await this.orgs.forgetDedupeCollection(oid, collectionId);
  }

  private async changed(oid: string, collectionIds: readonly string[], at: Date): Promise<void> {
    for (const collectionId of collectionIds)
      if (await this.collections.touch(oid, collectionId, wholeSecond(at))) await this.stats.start(oid, collectionId);
  }
}
