import { Injectable } from '@nestjs/common';
import { hasRole, type OrgAccess, type Principal } from '../common/access/access.js';
import { DomainEvents } from '../events/domain-events.js';
import { OrgUsage } from '../orgs/org-usage.js';
import { PagesRepository } from '../pages/data/pages.repository.js';
import type { Item } from './data/item.schema.js';
import { ItemsRepository, type ItemType } from './data/items.repository.js';
import { allFilesOf } from './data/files-of-item.js';
import { FileRemover } from './file-remover.js';
import { ItemDependents } from './item-dependents.js';
import { FileDeletionError, ItemNotFound, NotAllowed } from './items.errors.js';

/**
 * Deletes items with everything of theirs. The wish is marked in the document first; the document goes together with
 * the org's usage and the facts told of it; objects go last. Whatever dies in between is completed by `recover`.
 * Contract: archive §4.4, crawling §5.7.
 */
@Injectable()
export class ItemDeleter {
  constructor(
    private readonly items: ItemsRepository,
    private readonly pages: PagesRepository,
    private readonly files: FileRemover,
    private readonly usage: OrgUsage,
    private readonly events: DomainEvents,
    private readonly dependents: ItemDependents,
  ) {}

  /**
   * @param type only items of this type are deleted, others are skipped; null: both, crawls first
   * @returns the number of deleted items
   * @throws ItemNotFound, NotAllowed before anything is deleted; FileDeletionError when all documents are gone but some
   *   objects could not be deleted now
   */
  async delete(
    access: OrgAccess,
    caller: Principal,
    itemIds: readonly string[],
    type: ItemType | null,
  ): Promise<number> {
    const found = new Map((await this.items.findByIds(access.oid, itemIds)).map((item) => [item._id, item]));
    const chosen: Item[] = [];
    for (const itemId of new Set(itemIds)) {
      const item = found.get(itemId);
      if (!item) throw new ItemNotFound(itemId);
      if (type && item.type !== type) continue;
      if (item.userid !== caller.id && !hasRole(access, 'owner')) throw new NotAllowed();
      chosen.push(item);
    }
    chosen.sort((a, b) => Number(a.type === 'upload') - Number(b.type === 'upload'));
    let complete = true;
    for (const item of chosen) {
      await this.items.markDeleted(item.oid, item._id);
      complete = (await this.complete(item)) && complete;
    }
    if (!complete) throw new FileDeletionError();
    return chosen.length;
  }

  /** Deletes one item that nobody may be asked about, e.g. because its org goes. @returns as `complete` */
  async deleteOne(item: Item): Promise<boolean> {
    await this.items.markDeleted(item.oid, item._id);
    return this.complete(item);
  }

  /** Completes deletions that a crash interrupted. @returns how many */
  async recover(max = 20): Promise<number> {
    const left = await this.items.markedDeletedAcrossOrgs(max);
    for (const item of left) await this.complete(item);
    return left.length;
  }

  /** @returns false when some object is left for later */
  private async complete(item: Item): Promise<boolean> {
    for (const dependent of this.dependents.all()) await dependent.purge(item);
    await this.pages.deleteOf(item.oid, [item._id]);
    const planned = await this.events.transact(async (tx, record) => {
      const removed = await this.items.take(item.oid, item._id, tx);
      if (!removed) return null;
      const files = allFilesOf(removed);
      const bytes = files.reduce((sum, { size }) => sum + size, 0);
      await this.usage.addBytes(item.oid, removed.type === 'upload' ? 'upload' : 'crawl', -bytes, tx);
      await this.usage.itemsDeleted(item.oid, await this.items.lastFinish(item.oid, tx), tx);
      for (const dependent of this.dependents.all()) await dependent.release(removed, tx);
      record('item.deleted', {
        oid: item.oid,
        itemId: item._id,
        type: removed.type,
        cid: removed.cid,
        state: removed.state,
        fileSize: removed.fileSize,
        collectionIds: removed.collectionIds ?? [],
      });
      return this.files.plan(item.oid, files, tx, { type: removed.type, id: item._id });
    });
    return this.files.carryOut(planned);
  }
}
