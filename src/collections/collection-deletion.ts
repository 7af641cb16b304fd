import { Injectable } from '@nestjs/common';
import { DomainEvents } from '../events/domain-events.js';
import { ItemCollectionsRepository } from '../items/data/item-collections.repository.js';
import { FileRemover } from '../objects/file-remover.js';
import { FileDeletionError } from '../objects/objects.errors.js';
import { CollectionNotFound } from '../items/membership/membership.errors.js';
import { OrgUsage } from '../orgs/org-usage.js';
import { NotAllowedWhileDedupeIndexExists } from './collections.errors.js';
import { CollectionsRepository } from './data/collections.repository.js';

/** Deletes a collection; its items stay. Workflows and org defaults drop it when they hear the event. */
@Injectable()
export class CollectionDeletion {
  constructor(
    private readonly collections: CollectionsRepository,
    private readonly items: ItemCollectionsRepository,
    private readonly usage: OrgUsage,
    private readonly files: FileRemover,
    private readonly events: DomainEvents,
  ) {}

  /**
   * @throws CollectionNotFound, NotAllowedWhileDedupeIndexExists, and FileDeletionError when the thumbnail's object is
   *   still there: it is tried again later
   */
  async delete(oid: string, collectionId: string): Promise<void> {
    const { plan } = await this.events.transact(async (tx, record) => {
      const collection = await this.collections.delete(oid, collectionId, tx);
      if (!collection) throw new CollectionNotFound();
      if (collection.indexState) throw new NotAllowedWhileDedupeIndexExists();
      await this.items.removeFromAll(oid, collectionId, tx);
      record('collection.deleted', { oid, collectionId });
      const { thumbnail } = collection;
      if (!thumbnail) return { plan: null };
      await this.usage.addBytes(oid, 'thumbnail', -thumbnail.size, tx);
      return { plan: await this.files.plan(oid, [thumbnail], tx) };
    });
    if (!(await this.files.carryOut(plan))) throw new FileDeletionError();
  }
}
