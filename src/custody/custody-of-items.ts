import { Injectable } from '@nestjs/common';
import { DownloadLogsRepository } from '../items/data/download-logs.repository.js';
import type { Item } from '../items/data/item.schema.js';
import { DependsOnItems, type ItemDependent } from '../items/deletion/item-dependents.js';
import { FileSealsRepository } from './data/file-seals.repository.js';

/** Deletes what is kept about an item's files with the item. */
@DependsOnItems()
@Injectable()
export class CustodyOfItems implements ItemDependent {
  constructor(
    private readonly seals: FileSealsRepository,
    private readonly downloads: DownloadLogsRepository,
  ) {}

  async purge({ oid, _id: itemId }: Item): Promise<void> {
    await this.seals.deleteOf(oid, itemId);
    await this.downloads.deleteOf(oid, itemId);
  }

  async release(): Promise<void> {}
}
