import { Injectable } from '@nestjs/common';
import { PagesRepository } from '../../pages/data/pages.repository.js';
import { ItemsRepository } from '../data/items.repository.js';

/** What is left of items that were deleted while somebody read their files. */
@Injectable()
export class GoneItems {
  constructor(
    private readonly items: ItemsRepository,
    private readonly pages: PagesRepository,
  ) {}

  /**
   * To be called by whoever wrote pages of an item, once it writes no more: the item's deletion deletes pages as well,
   * but may have done so before the last of them were written.
   */
  async forgetPages(oid: string, itemId: string): Promise<void> {
    const item = await this.items.findById(oid, itemId);
    if (!item || item.deleted) await this.pages.deleteOf(oid, [itemId]);
  }
}
