import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../common/clock/clock.js';
import { isDatabaseAway } from '../../common/errors/database-away.js';
import { minutes } from '../../common/units/durations.js';
import { failedAgain } from '../../database/failing.js';
import { DomainEvents } from '../../events/domain-events.js';
import { OrgUsage } from '../../orgs/org-usage.js';
import type { Item } from '../data/item.schema.js';
import { ItemsRepository } from '../data/items.repository.js';
import { CollectionMembers } from '../membership/collection-members.js';
import { FileRemover } from '../../objects/file-remover.js';
import { ItemDependents } from './item-dependents.js';
import { KeptItems, type FilesFate } from './kept-items.js';

/**
 * Deletes items with everything that belongs to them. One transaction marks all documents and takes the items out of
 * their collections. Then each document is removed, in one transaction with the org's usage and the event that tells of
 * it. Files that other items need stay (`KeptItems`). Objects are deleted last. `recover` completes what a crash interrupted. Contract: archive §4.4, crawling §5.7.
 */
@Injectable()
export class ItemDeleter {
  private readonly logger = new Logger('items');

  constructor(
    private readonly items: ItemsRepository,
    private readonly files: FileRemover,
    private readonly usage: OrgUsage,
    private readonly events: DomainEvents,
    private readonly dependents: ItemDependents,
    private readonly members: CollectionMembers,
    private readonly kept: KeptItems,
    private readonly clock: Clock,
  ) {}

  /**
   * Deletes items of an org without a check of the caller's rights.
   * @param fate what becomes of files that other items need
   * @returns false when some object is left
   */
  async deleteThese(oid: string, items: readonly Item[], fate: FilesFate): Promise<boolean> {
    if (items.length === 0) return true;
    await this.begin(
      oid,
      items.map(({ _id }) => _id),
      fate === 'takeDown',
    );
    let complete = true;
    for (const item of items) complete = (await this.complete(item, fate)) && complete;
    return complete;
  }

  /**
   * Completes deletions that a crash interrupted. One that fails waits, and in the end is not tried again.
   * @returns how many were tried
   */
  @Interval(minutes(1))
  async recover(max = 20): Promise<number> {
    const left = await this.items.markedDeletedAcrossOrgs(this.clock.now(), max);
    for (const item of left) {
      try {
        await this.complete(item);
      } catch (error) {
        if (isDatabaseAway(error)) throw error;
        const failing = failedAgain(item.failing, error, this.clock.now());
        this.logger.error({ event: 'item_not_deleted', oid: item.oid, itemId: item._id, ...failing, err: error });
        await this.items.setFailing(item.oid, item._id, failing);
      }
    }
    return left.length;
  }

  /**
   * Begins deletions, which are completed even after a crash. Each collection gets one event with all the items it
   * loses.
   */
  private async begin(oid: string, itemIds: readonly string[], isTakeDown: boolean): Promise<void> {
    await this.events.transact(async (tx, record) => {
      await this.items.markDeleted(oid, itemIds, isTakeDown, tx);
      await this.members.leaveAll({ oid, itemIds }, { tx, record });
    });
  }

  /** @returns false when some object is to be deleted later */
  private async complete(item: Item, fate: FilesFate = 'keep'): Promise<boolean> {
    await this.dependents.purge(item);
    const planned = await this.events.transact(async (tx, record) => {
      const removed = await this.items.take(item.oid, item._id, tx);
      if (!removed) return null;
      const files = await this.kept.settle(removed, removed.isTakeDown ? 'takeDown' : fate, tx);
      const bytes = files.reduce((sum, { size }) => sum + size, 0);
      await this.usage.addBytes(item.oid, removed.type === 'upload' ? 'upload' : 'crawl', -bytes, tx);
      await this.usage.itemsDeleted(item.oid, await this.items.lastFinish(item.oid, tx), tx);
      await this.dependents.release(removed, tx);
      record('item.deleted', {
        oid: item.oid,
        itemId: item._id,
        type: removed.type,
        cid: removed.cid,
        state: removed.state,
        fileSize: removed.fileSize,
        // The collections that the item was added to during its deletion.
        collectionIds: removed.collectionIds ?? [],
      });
      return this.files.plan(item.oid, files, tx, { type: removed.type, id: item._id });
    });
    return this.files.carryOut(planned);
  }
}
