import { Injectable } from '@nestjs/common';
import { PagesRepository } from '../../pages/data/pages.repository.js';
import { ItemsRepository } from '../data/items.repository.js';

/** Deletes what is left of items that were deleted while their files were read. */
@Injectable()
export class GoneItems {
  constructor(
    private readonly items: ItemsRepository,
    private readonly pages: PagesRepository,
  ) {}

  /**
   * Deletes the pages of an item that is deleted or being deleted. Code that wrote pages of an item calls this after
   * its last write. The item's deletion deletes pages too, but may have done so before that write.
   */
  async forgetPages(oid: string, itemId: string): Promise<void> {
    const item = await this.items.findById(oid, itemId);
    if (!item || item.deleted) await this.pages.deleteOf(oid, [itemId]);
  }
}
