import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock/clock.js';
import type { Tx } from '../../database/unit-of-work.js';
import type { StoredFile } from '../../objects/data/stored-file.schema.js';
import { allFilesOf, filesOfRuns } from '../data/item-files.js';
import { ItemHoldsRepository } from '../data/item-holds.repository.js';
import { ItemLinksRepository } from '../data/item-links.repository.js';
import type { Item } from '../data/item.schema.js';
import type { KeptItem } from '../data/kept-item.schema.js';
import { KeptItemsRepository } from '../data/kept-items.repository.js';

/**
 * What happens to the files of a deleted item. `keep`: they stay while other items refer to them. `takeDown`: they go,
 * and what refers to them breaks. `discard`: they go with everything that could refer to them.
 */
export type FilesFate = 'keep' | 'takeDown' | 'discard';

/** A dependent of a dependent of … of kept files. A longer line counts as needed. */
const MAX_WALKED = 10_000;

/**
 * Keeps the files of deleted items that others need. All methods work inside the caller's transaction. What is needed
 * is decided from documents that every change of the answer writes too, so that two transactions that would together
 * decide wrongly conflict, and one of them is run again (ADR 0043).
 */
@Injectable()
export class KeptItems {
  constructor(
    private readonly kept: KeptItemsRepository,
    private readonly links: ItemLinksRepository,
    private readonly holds: ItemHoldsRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Decides what becomes of the files of an item, in the transaction that removes its document.
   * @returns the files that go
   */
  async settle(item: Item, fate: FilesFate, tx: Tx): Promise<StoredFile[]> {
    const { oid, _id: itemId } = item;
    if (item.type !== 'upload') await this.letGo(oid, itemId, tx);
    const requiredBy = fate === 'discard' ? [] : await this.dependentsOf(item, tx);
    const isNeeded = requiredBy.length > 0 || (fate !== 'discard' && (await this.isHeld(oid, [itemId], tx)));
    const stays = isNeeded && fate === 'keep';
    if (isNeeded) await this.kept.insert(oid, this.keptForm(item, requiredBy, stays), tx);
    if (!isNeeded) await this.holds.dropOf(oid, itemId, tx);
    // Kept files need what they refer to as long as they are needed themselves.
    if (!stays) await this.unlink(oid, itemId, item.requiresCrawls ?? [], tx);
    return stays ? filesOfRuns(item) : allFilesOf(item);
  }

  /** Links a crawl that ends with those of the required items that are deleted and kept. */
  async link(oid: string, crawlId: string, required: readonly string[], tx: Tx): Promise<void> {
    await this.kept.link(oid, required, crawlId, tx);
  }

  /** Lets go of all that a crawl held, when it has ended and is linked, or is deleted. */
  async letGo(oid: string, crawlId: string, tx: Tx): Promise<void> {
    const held = await this.holds.heldBy(oid, crawlId, tx);
    if (held.length === 0) return;
    await this.holds.release(oid, crawlId, tx);
    await this.kept.setDue(oid, held, this.clock.now(), tx);
  }

  /** Removes a kept item that nobody needs any more. @returns what it was, or null when it is gone or still needed */
  async takeUnneeded(oid: string, itemId: string, nextLook: Date, tx: Tx): Promise<KeptItem | null> {
    const kept = await this.kept.find(oid, itemId, tx);
    if (!kept) return null;
    if (await this.isNeeded(kept, tx)) {
      await this.kept.looked(oid, itemId, { dueAt: nextLook, requiredBy: await this.living(kept, tx) }, tx);
      return null;
    }
    await this.kept.take(oid, itemId, tx);
    await this.holds.dropOf(oid, itemId, tx);
    await this.unlink(oid, itemId, kept.requiresCrawls, tx);
    return kept;
  }

  /** Takes the files of a kept item down. @returns what it was, or null when it is gone or was taken down before */
  async takeDown(oid: string, itemId: string, tx: Tx): Promise<KeptItem | null> {
    const before = await this.kept.takeDown(oid, itemId, this.clock.now(), tx);
    if (before) await this.unlink(oid, itemId, before.requiresCrawls, tx);
    return before;
  }

  private async unlink(oid: string, itemId: string, required: readonly string[], tx: Tx): Promise<void> {
    await this.links.unlink(oid, required, itemId, tx);
    await this.kept.unlink(oid, required, itemId, this.clock.now(), tx);
  }

  /** Items and kept items that refer to the item. Old documents may be linked from one side only. */
  private async dependentsOf({ oid, _id, requiredByCrawls }: Item, tx: Tx): Promise<string[]> {
    const named = requiredByCrawls ?? [];
    const ids = [
      ...(await this.links.requiring(oid, [_id], tx)),
      ...(await this.kept.requiring(oid, _id, tx)),
      ...(await this.links.existing(oid, named, tx)),
      ...(await this.kept.findByIds(oid, named, tx)).map((kept) => kept._id),
    ];
    return [...new Set(ids)].filter((id) => id !== _id);
  }

  /** The dependents that exist. Links that old documents had from one side only may have lost some unnoticed. */
  private async living({ oid, requiredBy }: KeptItem, tx: Tx): Promise<string[]> {
    const kept = await this.kept.findByIds(oid, requiredBy, tx);
    const ids = new Set([...(await this.links.existing(oid, requiredBy, tx)), ...kept.map(({ _id }) => _id)]);
    return requiredBy.filter((id) => ids.has(id));
  }

  /** Whether a crawl that has not ended was told of one of the items. */
  private async isHeld(oid: string, itemIds: readonly string[], tx: Tx): Promise<boolean> {
    return this.links.isAnyActive(oid, await this.holds.holders(oid, itemIds, tx), tx);
  }

  /** Whether an item, or a crawl that has not ended, needs the kept item, be it by way of other kept items. */
  private async isNeeded(kept: KeptItem, tx: Tx): Promise<boolean> {
    const { oid } = kept;
    const seen = new Set([kept._id]);
    for (let level = [kept]; level.length > 0;) {
      const ids = level.map(({ _id }) => _id);
      if (await this.isHeld(oid, ids, tx)) return true;
      const by = [...new Set(level.flatMap(({ requiredBy }) => requiredBy))].filter((id) => !seen.has(id));
      if (seen.size + by.length > MAX_WALKED || (await this.links.existing(oid, by, tx)).length > 0) return true;
      for (const id of by) seen.add(id);
      level = await this.kept.findByIds(oid, by, tx);
    }
    return false;
  }

  private keptForm(item: Item, requiredBy: string[], stays: boolean): Omit<KeptItem, 'oid'> {
    const now = this.clock.now();
    const { _id, type, userid, fixity } = item;
    const files = stays ? item.files : [];
    return {
      ...{ _id, type: type ?? 'crawl', userid, files },
      fileSize: files.reduce((sum, { size }) => sum + size, 0),
      fileCount: files.length,
      requiresCrawls: stays ? (item.requiresCrawls ?? []) : [],
      ...{ requiredBy, deletedAt: now, takenDownAt: stays ? null : now, changedAt: now, dueAt: now },
      ...(fixity && stays ? { fixity } : {}),
    };
  }
}
