import { Injectable } from '@nestjs/common';
import { OwnsOrgData, type OrgDataOwner, type StoredBytes } from '../orgs/org-data.js';
import { ItemsRepository } from './data/items.repository.js';
import type { StoredFile } from './data/stored-file.schema.js';
import { ItemDeleter } from './item-deleter.js';

const BATCH = 100;
const SIZES = { type: 1, 'files.size': 1, qa: 1, qaFinished: 1 } as const;

const bytesOf = (files: readonly Pick<StoredFile, 'size'>[] | null | undefined): number =>
  (files ?? []).reduce((sum, { size }) => sum + size, 0);

/** The crawls and uploads of an org, with the files of their QA runs. */
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
      await this.deleter.deleteThese(oid, items);
    }
  }

  async bytesStored(oid: string): Promise<StoredBytes> {
    const bytes = { crawl: 0, upload: 0 };
    for await (const item of this.items.scoped.stream(oid, {}, { projection: SIZES })) {
      const runs = [...Object.values(item.qaFinished ?? {}), ...(item.qa ? [item.qa] : [])];
      const kind = item.type === 'upload' ? 'upload' : 'crawl';
      bytes[kind] += bytesOf(item.files) + runs.reduce((sum, { files }) => sum + bytesOf(files), 0);
    }
    return bytes;
  }
}
