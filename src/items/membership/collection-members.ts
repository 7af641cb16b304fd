import { Injectable } from '@nestjs/common';
import type { Tx } from '../../database/unit-of-work.js';
import type { RecordFact } from '../../events/domain-events.js';
import { ItemCollectionsRepository } from '../data/item-collections.repository.js';
import { InvalidFailedOrUnfinishedCrawl } from './membership.errors.js';

/** Largest number of workflows' crawls that one call adds. */
const MAX_CRAWLS = 100_000;

export interface MemberChange {
  readonly oid: string;
  readonly collectionId: string;
  readonly itemIds: readonly string[];
  /** Workflows whose crawls are added or removed as well. */
  readonly cids?: readonly string[];
}

/** An open transaction, and the function that records events in it. */
export interface OpenChange {
  readonly tx: Tx;
  readonly record: RecordFact;
}

/**
 * Puts items into collections and takes them out. The event is recorded in the same transaction. Statistics, webhooks
 * and the dedupe index follow the event.
 */
@Injectable()
export class CollectionMembers {
  constructor(private readonly items: ItemCollectionsRepository) {}

  /**
   * Adds items to a collection. Repeated ids count once.
   * @throws InvalidFailedOrUnfinishedCrawl, and then nothing is added
   */
  async add({ oid, collectionId, itemIds, cids = [] }: MemberChange, { tx, record }: OpenChange): Promise<void> {
    const given = [...new Set(itemIds)];
    if ((await this.items.countSuccessful(oid, given, tx)) !== given.length) throw new InvalidFailedOrUnfinishedCrawl();
    const crawls = cids.length > 0 ? await this.items.successfulOf(oid, cids, MAX_CRAWLS, tx) : [];
    const all = [...new Set([...given, ...crawls])];
    if (all.length === 0) return;
    await this.items.addTo(oid, collectionId, all, tx);
    record('collection.itemsAdded', { oid, collectionId, itemIds: all });
  }

  /** Takes items out of a collection. Items that are not in it are skipped. */
  async remove({ oid, collectionId, itemIds, cids = [] }: MemberChange, { tx, record }: OpenChange): Promise<void> {
    const members = await this.items.membersOf(oid, collectionId, { itemIds, cids }, tx);
    if (members.length === 0) return;
    await this.items.removeFrom(oid, collectionId, members, tx);
    record('collection.itemsRemoved', { oid, collectionId, itemIds: members });
  }

  /**
   * Takes items that are being deleted out of all collections. Each collection gets one event with all the items it
   * loses.
   */
  async leaveAll({ oid, itemIds }: Pick<MemberChange, 'oid' | 'itemIds'>, { tx, record }: OpenChange): Promise<void> {
    const lost = await this.items.membersByCollection(oid, itemIds, tx);
    if (lost.size === 0) return;
    await this.items.leaveAll(oid, itemIds, tx);
    for (const [collectionId, members] of lost)
      record('collection.itemsRemoved', { oid, collectionId, itemIds: members });
  }
}
