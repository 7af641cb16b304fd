import { Injectable } from '@nestjs/common';
import type { Tx } from '../../database/unit-of-work.js';
import type { RecordFact } from '../../events/domain-events.js';
import { ItemCollectionsRepository } from '../data/item-collections.repository.js';
import { InvalidFailedOrUnfinishedCrawl } from './membership.errors.js';

/** Crawls that one call takes over from workflows. */
const MAX_CRAWLS = 100_000;

export interface MemberChange {
  readonly oid: string;
  readonly collectionId: string;
  readonly itemIds: readonly string[];
  /** Workflows whose crawls are meant besides. */
  readonly cids?: readonly string[];
}

/** The transaction of a change, and where its facts are recorded. */
export interface OpenChange {
  readonly tx: Tx;
  readonly record: RecordFact;
}

/**
 * Puts items into collections and takes them out. The fact is recorded with the change; statistics, webhooks and the
 * dedupe index follow from it.
 */
@Injectable()
export class CollectionMembers {
  constructor(private readonly items: ItemCollectionsRepository) {}

  /** Repeated ids are one. @throws InvalidFailedOrUnfinishedCrawl, and then nothing is added */
  async add({ oid, collectionId, itemIds, cids = [] }: MemberChange, { tx, record }: OpenChange): Promise<void> {
    const given = [...new Set(itemIds)];
    if ((await this.items.countSuccessful(oid, given, tx)) !== given.length) throw new InvalidFailedOrUnfinishedCrawl();
    const crawls = cids.length > 0 ? await this.items.successfulOf(oid, cids, MAX_CRAWLS, tx) : [];
    const all = [...new Set([...given, ...crawls])];
    if (all.length === 0) return;
    await this.items.addTo(oid, collectionId, all, tx);
    record('collection.itemsAdded', { oid, collectionId, itemIds: all });
  }

  /** Items that are not in the collection are passed over. */
  async remove({ oid, collectionId, itemIds, cids = [] }: MemberChange, { tx, record }: OpenChange): Promise<void> {
    const members = await this.items.membersOf(oid, collectionId, { itemIds, cids }, tx);
    if (members.length === 0) return;
    await this.items.removeFrom(oid, collectionId, members, tx);
    record('collection.itemsRemoved', { oid, collectionId, itemIds: members });
  }

  /** Takes items that go out of all collections; each collection is told once of all that it loses. */
  async leaveAll({ oid, itemIds }: Pick<MemberChange, 'oid' | 'itemIds'>, { tx, record }: OpenChange): Promise<void> {
    const lost = await this.items.membersByCollection(oid, itemIds, tx);
    if (lost.size === 0) return;
    await this.items.leaveAll(oid, itemIds, tx);
    for (const [collectionId, members] of lost)
      record('collection.itemsRemoved', { oid, collectionId, itemIds: members });
  }
}
