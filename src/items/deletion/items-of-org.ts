import { Injectable } from '@nestjs/common';
import { OwnsOrgData, type OrgDataOwner, type StoredBytes } from '../../orgs/org-data.js';
import { allFilesOf } from '../data/item-files.js';
import { ItemsRepository } from '../data/items.repository.js';
import { ItemDeleter } from './item-deleter.js';

const BATCH = 100;
const SIZES = { type: 1, 'files.size': 1, qa: 1, qaFinished: 1 } as const;

/** The crawls and uploads of an org, including the files of their QA runs. */
@OwnsOrgData('items')
@Injectable()
export class ItemsOfOrg implements OrgDataOwner {
  constructor(
    private readonly items: ItemsRepository,
    private readonly deleter: ItemDeleter,
  ) {}

  async deleteForOrg(oid: string): Promise<void> {
    for (;;) {
      const items = await this.items.scoped.find(oid, {}, { limit: BATCH });
      if (items.length === 0) return;
      await this.deleter.deleteThese(oid, items, 'discard');
    }
  }

  async bytesStored(oid: string): Promise<StoredBytes> {
    const bytes = { crawl: 0, upload: 0 };
    for await (const item of this.items.scoped.stream(oid, {}, { projection: SIZES })) {
      const kind = item.type === 'upload' ? 'upload' : 'crawl';
      for (const { size } of allFilesOf(item)) bytes[kind] += size;
    }
    return bytes;
  }
}
