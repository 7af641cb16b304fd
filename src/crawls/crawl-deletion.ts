import { Injectable } from '@nestjs/common';
import type { OrgAccess, Principal } from '../common/access/access.js';
import { ItemDeleter } from '../items/deletion/item-deleter.js';
import { CrawlNotFound } from '../items/items.errors.js';
import { OrgUsage } from '../orgs/org-usage.js';
import type { DeletedCountResponseQuota } from './dto/crawls.dto.js';

/** Deletion of crawls, as their own routes offer it. Contract: crawling §5.7. */
@Injectable()
export class CrawlDeletion {
  constructor(
    private readonly deleter: ItemDeleter,
    private readonly usage: OrgUsage,
  ) {}

  /** Uploads among the ids are skipped. @throws as `ItemDeleter.delete`; CrawlNotFound when nothing was deleted */
  async delete(access: OrgAccess, caller: Principal, crawlIds: readonly string[]): Promise<DeletedCountResponseQuota> {
    const deleted = await this.deleter.delete(access, caller, crawlIds, 'crawl');
    if (deleted === 0) throw new CrawlNotFound();
    return { deleted, storageQuotaReached: (await this.usage.quotaFlags(access.oid)).storageQuotaReached };
  }
}
