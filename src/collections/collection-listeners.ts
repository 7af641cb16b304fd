import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '../events/domain-events.js';
import { ItemsRepository } from '../items/data/items.repository.js';
import { OrgsRepository } from '../orgs/data/orgs.repository.js';
import { CollectionStatsJob } from './collection-stats-job.js';
import { CollectionsRepository } from './data/collections.repository.js';
import { wholeSecond } from '../common/units/durations.js';

/** What happens to items shows in their collections. Repeating an event only computes the figures again. */
@Injectable()
export class CollectionListeners implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly collections: CollectionsRepository,
    private readonly items: ItemsRepository,
    private readonly orgs: OrgsRepository,
    private readonly stats: CollectionStatsJob,
  ) {}

  onModuleInit(): void {
    const { events } = this;
    events.on('collection.itemsAdded', 'collections.stats', ({ created, payload: { oid, collectionId } }) =>
      this.changed(oid, [collectionId], created),
    );
    events.on('collection.itemsRemoved', 'collections.stats', ({ created, payload: { oid, collectionId } }) =>
      this.changed(oid, [collectionId], created),
    );
    events.on('item.deleted', 'collections.stats', ({ created, payload: { oid, collectionIds } }) =>
      this.changed(oid, collectionIds, created),
    );
    events.on('upload.finished', 'collections.stats', ({ created, payload: { oid, itemId } }) =>
      this.itemChanged(oid, itemId, created),
    );
    events.on('item.filesChanged', 'collections.stats', ({ created, payload: { oid, itemId } }) =>
      this.itemChanged(oid, itemId, created),
    );
    events.on('org.pagesReAdded', 'collections.stats', ({ payload: { oid } }) => this.recomputeAll(oid));
    events.on('collection.deleted', 'collections.org-defaults', ({ payload: { oid, collectionId } }) =>
      this.orgs.forgetDedupeCollection(oid, collectionId),
    );
  }

  private async itemChanged(oid: string, itemId: string, at: Date): Promise<void> {
    const item = await this.items.findById(oid, itemId);
    await this.changed(oid, item?.collectionIds ?? [], at);
  }

  private async changed(oid: string, collectionIds: readonly string[], at: Date): Promise<void> {
    for (const collectionId of collectionIds)
      if (await this.collections.touch(oid, collectionId, wholeSecond(at))) await this.stats.start(oid, collectionId);
  }

  private async recomputeAll(oid: string): Promise<void> {
    for (const collectionId of await this.collections.idsOf(oid)) await this.stats.start(oid, collectionId);
  }
}
