import { Injectable } from '@nestjs/common';
import { hasRole, type OrgAccess, type Principal } from '../../common/access/access.js';
import { FileDeletionError } from '../../objects/objects.errors.js';
import { ItemLinksRepository } from '../data/item-links.repository.js';
import type { Item } from '../data/item.schema.js';
import { ItemsRepository, type ItemType } from '../data/items.repository.js';
import type { KeptItem } from '../data/kept-item.schema.js';
import { KeptItemsRepository } from '../data/kept-items.repository.js';
import { ItemNotFound, NotAllowed } from '../items.errors.js';
import { ItemDeleter } from './item-deleter.js';
import { KeptItemReaper } from './kept-item-reaper.js';

export interface DeletionRequest {
  readonly itemIds: readonly string[];
  /** Only items of this type are deleted, others are skipped; null deletes both, crawls first. */
  readonly type: ItemType | null;
  /** Whether files that other items need stay. */
  readonly retain: boolean;
}

export interface Deleted {
  /** Number of deleted items. */
  readonly deleted: number;
  /** After a takedown: the items that cannot be replayed whole any more. Absent otherwise. */
  readonly brokenItems?: string[];
}

interface Chosen {
  readonly items: Item[];
  /** Kept files of items that were deleted before, to be taken down. */
  readonly kept: KeptItem[];
}

/** Deletes items on behalf of a caller. */
@Injectable()
export class DeletionRequests {
  constructor(
    private readonly items: ItemsRepository,
    private readonly kept: KeptItemsRepository,
    private readonly links: ItemLinksRepository,
    private readonly deleter: ItemDeleter,
    private readonly reaper: KeptItemReaper,
  ) {}

  /**
   * @throws ItemNotFound, NotAllowed before anything is deleted; FileDeletionError when all documents are gone but some
   *   objects could not be deleted now
   */
  async delete(access: OrgAccess, caller: Principal, request: DeletionRequest): Promise<Deleted> {
    const { oid } = access;
    const { items, kept } = await this.choose(access, caller, request);
    items.sort((a, b) => Number(a.type === 'upload') - Number(b.type === 'upload'));
    const isComplete = await this.deleter.deleteThese(oid, items, request.retain ? 'keep' : 'takeDown');
    const keptIds = kept.map(({ _id }) => _id);
    if (!(await this.reaper.takeDown(oid, keptIds)) || !isComplete) throw new FileDeletionError();
    const deleted = items.length + kept.length;
    if (request.retain) return { deleted };
    const gone = [...items.map(({ _id }) => _id), ...keptIds];
    return { deleted, brokenItems: (await this.links.requiring(oid, gone)).sort() };
  }

  private async choose(access: OrgAccess, caller: Principal, request: DeletionRequest): Promise<Chosen> {
    const { itemIds, type, retain } = request;
    const items = byId(await this.items.findByIds(access.oid, itemIds));
    const kept = retain ? new Map<string, KeptItem>() : byId(await this.kept.findByIds(access.oid, itemIds));
    const chosen: Chosen = { items: [], kept: [] };
    for (const itemId of new Set(itemIds)) {
      const item = items.get(itemId);
      const files = item ? undefined : kept.get(itemId);
      const one = item ?? files;
      if (!one || files?.takenDownAt) throw new ItemNotFound(itemId);
      if (type && one.type !== type) continue;
      if (one.userid !== caller.id && !hasRole(access, 'owner')) throw new NotAllowed();
      if (item) chosen.items.push(item);
      if (files) chosen.kept.push(files);
    }
    return chosen;
  }
}

const byId = <T extends { _id: string }>(documents: readonly T[]): Map<string, T> =>
  new Map(documents.map((document) => [document._id, document]));
