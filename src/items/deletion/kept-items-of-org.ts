import { Injectable } from '@nestjs/common';
import { OwnsOrgData, type OrgDataOwner, type StoredBytes } from '../../orgs/org-data.js';
import { ItemHoldsRepository } from '../data/item-holds.repository.js';
import { KeptItemsRepository } from '../data/kept-items.repository.js';
import { KeptItemReaper } from './kept-item-reaper.js';

/** The files of an org's deleted items that other items need. */
@OwnsOrgData('kept items', { after: 'items' })
@Injectable()
export class KeptItemsOfOrg implements OrgDataOwner {
  constructor(
    private readonly kept: KeptItemsRepository,
    private readonly holds: ItemHoldsRepository,
    private readonly reaper: KeptItemReaper,
  ) {}

  async deleteForOrg(oid: string): Promise<void> {
    await this.reaper.removeAll(oid);
    await this.holds.dropOfOrg(oid);
  }

  async bytesStored(oid: string): Promise<StoredBytes> {
    const bytes = { crawl: 0, upload: 0 };
    for await (const { type, files } of this.kept.scoped.stream(
      oid,
      {},
      { projection: { type: 1, 'files.size': 1 } },
    )) {
      const kind = type === 'upload' ? 'upload' : 'crawl';
      for (const { size } of files) bytes[kind] += size;
    }
    return bytes;
  }
}
